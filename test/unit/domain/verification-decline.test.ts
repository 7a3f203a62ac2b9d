import { verificationDecline } from '../../../src/domain/subscriptions/verification-decline';

const meaningOf = (code: string | null, brand = 'visa', adviceCode: string | null = null) =>
  verificationDecline({ code, brand, adviceCode });

it.each([
  ['14', 'visa'],
  ['41', 'mastercard'],
  ['43', 'elo'],
  ['54', 'mastercard'],
  ['101', 'amex'],
])('a decline of zero forbids the card only if it is about the card itself: %s of %s', (code, brand) => {
  expect(meaningOf(code, brand)).toBe('forbidden');
});

it.each(['12', '57', '58', '03', '13', '94'])(
  'a decline of zero that is about the request says nothing about the card: %s',
  (code) => {
    expect(['visa', 'mastercard', 'elo'].map((brand) => meaningOf(code, brand))).toEqual(
      Array(3).fill('not_verifiable'),
    );
  },
);

it.each([
  ['51', 'visa'],
  ['05', 'mastercard'],
  // The networks forbid to charge these amounts again, but the card is not to blame for all of them.
  ['15', 'visa'],
  ['R1', 'visa'],
  ['88', 'mastercard'],
  // The code is about the card, and its network allows to ask again.
  ['54', 'visa'],
  [null, 'visa'],
])('any other decline of zero refuses the card for now: %s of %s', (code, brand) => {
  expect(meaningOf(code, brand)).toBe('refused');
});

it('the advice of a network that forbids the card decides, whatever the code', () => {
  expect(['05', '57', null].map((code) => meaningOf(code, 'mastercard', '03'))).toEqual(
    Array(3).fill('forbidden'),
  );
});

it('a code without its zero is the same code', () => {
  expect(meaningOf('3')).toBe('not_verifiable');
});
