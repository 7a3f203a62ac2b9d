import creditCardType from 'credit-card-type';
import fc from 'fast-check';
import { cardBrand, isExpired, parseCard, type CardInput } from '../../../src/domain/customers/card';

const NOW = new Date('2026-06-15T12:00:00Z');
const VALID: CardInput = {
  number: '4111111111111111',
  holder_name: 'MARIA SOUZA',
  expire_month: 12,
  expire_year: 2030,
  cvv: '123',
};

function errorsOf(change: Partial<CardInput>, path = 'card') {
  const parsed = parseCard({ ...VALID, ...change }, NOW, path);
  return parsed.valid ? {} : parsed.errors;
}

describe('parseCard', () => {
  it('a valid card is parsed with its brand and visible digits', () => {
    expect(parseCard(VALID, NOW, 'card')).toEqual({
      valid: true,
      value: {
        number: '4111111111111111',
        cvv: '123',
        holderName: 'MARIA SOUZA',
        expireMonth: 12,
        expireYear: 2030,
        brand: 'visa',
        first6Digits: '411111',
        last4Digits: '1111',
      },
    });
  });

  it.each([
    ['9', '30'],
    ['09', '2030'],
    [9, 2030],
    [9, 30],
  ])(
    'month %p and year %p are accepted as number or text, with 2 or 4 year digits',
    (expire_month, expire_year) => {
      const parsed = parseCard({ ...VALID, expire_month, expire_year }, NOW, 'card');
      expect(parsed).toMatchObject({ value: { expireMonth: 9, expireYear: 2030 } });
    },
  );

  it.each([
    ['12 digits', '411111111111'],
    ['20 digits', '41111111111111111111'],
    ['letters', '4111x11111111111'],
    ['nothing', undefined],
  ])('a number of %s is rejected', (_, number) => {
    expect(errorsOf({ number })).toEqual({ 'card.number': ['must be 13 to 19 digits'] });
  });

  it('a number with a wrong check digit is rejected, and the error does not contain it', () => {
    expect(errorsOf({ number: '4111111111111112' })).toEqual({
      'card.number': ['is not a valid card number'],
    });
  });

  it('a valid number of an unknown brand is accepted', () => {
    expect(parseCard({ ...VALID, number: '9999999999999995' }, NOW, '')).toMatchObject({
      value: { brand: 'unknown' },
    });
  });

  it.each([0, 13, '1x', '', null])('month %p is rejected', (expire_month) => {
    expect(errorsOf({ expire_month })).toHaveProperty(['card.expire_month']);
  });

  it.each(['7', '203', '20300', 'abcd', null])('year %p is rejected', (expire_year) => {
    expect(errorsOf({ expire_year })).toHaveProperty(['card.expire_year']);
  });

  it.each(['12', '12345', '12a', undefined])('the CVV %p is rejected', (cvv) => {
    expect(errorsOf({ cvv })).toEqual({ 'card.cvv': ['must be 3 or 4 digits'] });
  });

  it('an expired card is rejected', () => {
    expect(errorsOf({ expire_month: 5, expire_year: 2026 })).toEqual({
      'card.expire_year': ['the card has expired'],
    });
  });

  it('all errors are reported at once, without a prefix at the top level', () => {
    expect(Object.keys(errorsOf({ number: '1', holder_name: ' ', cvv: '1', expire_month: 13 }, ''))).toEqual([
      'number',
      'holder_name',
      'expire_month',
      'cvv',
    ]);
  });
});

describe('isExpired', () => {
  const june = { expireMonth: 6, expireYear: 2026 };

  it('a card is valid through the last day of its month in every time zone', () => {
    expect(isExpired(june, new Date('2026-06-30T23:59:59Z'))).toBe(false);
    expect(isExpired(june, new Date('2026-07-01T11:59:59Z'))).toBe(false);
    expect(isExpired(june, new Date('2026-07-01T12:00:00Z'))).toBe(true);
  });

  it('a card of December expires in January of the next year', () => {
    const december = { expireMonth: 12, expireYear: 2026 };
    expect(isExpired(december, new Date('2026-12-31T23:00:00Z'))).toBe(false);
    expect(isExpired(december, new Date('2027-01-02T00:00:00Z'))).toBe(true);
  });
});

describe('cardBrand', () => {
  it.each([
    ['4000000000000010', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['6362970000457013', 'elo'],
    ['6062825624254001', 'hipercard'],
    ['378282246310005', 'amex'],
    ['38520000023237', 'diners'],
  ])('the number %s has the brand %s', (number, brand) => {
    expect(cardBrand(number)).toBe(brand);
  });

  it('depends on the first eight digits only, also when it was asked for before', () => {
    const networks = Object.values(creditCardType.types).map((type) => creditCardType.getTypeInfo(type));
    const prefixes = networks.flatMap(({ patterns }) => patterns.flat().map(String));
    const rest = fc.stringMatching(/^\d{18}$/);
    const lengths = fc.integer({ min: 13, max: 19 });
    const property = fc.property(fc.constantFrom(...prefixes), rest, lengths, (prefix, digits, length) => {
      const number = (prefix + digits).slice(0, length);
      const brand = cardBrand(number);
      const [found] = creditCardType(number);
      const short = { 'american-express': 'amex', 'diners-club': 'diners' }[String(found?.type)];
      expect(brand).toBe(short ?? found?.type);
      expect(cardBrand(number)).toBe(brand);
    });
    fc.assert(property, { numRuns: 1_000 });
  });
});
