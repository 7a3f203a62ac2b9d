import fc from 'fast-check';
import {
  attemptStatusOf,
  decideAfterCharge,
  type ChargeAttemptResult,
} from '../../../../src/domain/payments/charge-outcome';
import {
  attemptReference,
  captureWindowEnd,
  CHARGE_WINDOW_MS,
  decideFailover,
  failureOf,
  type ChargeAttempt,
} from '../../../../src/domain/payments/payment';

const limits = { maxAttempts: 3, ageMs: 0, brand: 'visa' };
const ABSENT: ChargeAttemptResult = { kind: 'abandoned', notSent: false };
const first = { gateway: 'gateway_1', earlier: [] } as const;
const declined = (code: string | null, adviceCode: string | null = null): ChargeAttemptResult => ({
  kind: 'declined',
  code,
  adviceCode,
});
const pastDecline = (code: string | null): ChargeAttempt => ({
  gateway: 'gateway_1',
  status: 'declined',
  responseCode: code,
  adviceCode: null,
  notSent: false,
});
const notSent: ChargeAttempt = {
  ...pastDecline('91'),
  status: 'abandoned',
  responseCode: null,
  notSent: true,
};

describe('decideAfterCharge', () => {
  it.each(['approved', 'authorized', 'pending'] as const)(
    'a charge that is %s settles the payment with that status',
    (kind) => {
      expect(decideAfterCharge({ kind }, first, limits)).toEqual({
        kind: 'settle',
        fact: { kind: 'charged', status: kind },
      });
    },
  );

  it('an unknown outcome never allows another charge attempt', () => {
    const past = fc.constantFrom<ChargeAttempt>(pastDecline('91'), pastDecline('05'));
    fc.assert(
      fc.property(fc.array(past), fc.nat(CHARGE_WINDOW_MS * 2), (earlier, ageMs) => {
        expect(
          decideAfterCharge({ kind: 'unknown' }, { gateway: 'gateway_1', earlier }, { ...limits, ageMs }),
        ).toEqual({
          kind: 'unknown',
        });
      }),
    );
  });

  it.each(['91', '96'])('code %s fails over to the next gateway', (code) => {
    expect(decideAfterCharge(declined(code), first, limits)).toEqual({ kind: 'try_next' });
  });

  it('codes of American Express that mean the same as 91 and 96 fail over too', () => {
    const amex = { ...limits, brand: 'amex' };
    expect(decideAfterCharge(declined('911'), first, amex)).toEqual({ kind: 'try_next' });
    expect(decideAfterCharge(declined('A1'), first, amex)).toEqual({ kind: 'try_next' });
  });

  it.each(['51', '61', '65', '75', 'ZZ'])('code %s fails the payment without failover', (code) => {
    expect(decideAfterCharge(declined(code), first, limits)).toMatchObject({
      kind: 'settle',
      fact: { kind: 'failed', code: 'declined' },
    });
  });

  it.each([
    '19',
    '92',
    '14',
    '41',
    '43',
    '46',
    '54',
    '57',
    '78',
    '82',
    '83',
    'R0',
    'R1',
    'R2',
    'R3',
    '59',
    '63',
    '1A',
    '6P',
  ])('code %s never fails over to another gateway', (code) => {
    expect(decideAfterCharge(declined(code), first, limits)).toMatchObject({
      kind: 'settle',
      fact: { kind: 'failed' },
    });
  });

  it('code 05 fails over once, and a second 05 fails the payment', () => {
    expect(decideAfterCharge(declined('05'), first, limits)).toEqual({ kind: 'try_next' });
    const second = { gateway: 'gateway_2', earlier: [pastDecline('05')] } as const;
    expect(decideAfterCharge(declined('05'), second, limits)).toMatchObject({
      fact: { kind: 'failed', code: 'declined' },
    });
  });

  it('a decline without a code ends the payment, whatever was declined before', () => {
    for (const earlier of [[], [pastDecline('05')], [pastDecline('91')], [pastDecline(null)]]) {
      expect(decideAfterCharge(declined(null), { gateway: 'gateway_2', earlier }, limits)).toEqual({
        kind: 'settle',
        fact: { kind: 'failed', code: 'declined', message: 'declined' },
      });
    }
  });

  it('code 91 fails over each time, and a 05 once, whatever else was answered in between', () => {
    const decide = (code: string, earlier: readonly ChargeAttempt[]) =>
      decideAfterCharge(declined(code), { gateway: 'gateway_2', earlier }, { ...limits, maxAttempts: 9 });
    expect(decide('91', [pastDecline('91'), pastDecline('91')])).toEqual({ kind: 'try_next' });
    expect(decide('05', [pastDecline('91')])).toEqual({ kind: 'try_next' });
    expect(decide('05', [{ ...pastDecline('05'), status: 'error' }])).toEqual({ kind: 'try_next' });
    expect(decide('05', [pastDecline('05'), pastDecline('91')])).toMatchObject({
      fact: { kind: 'failed', code: 'declined' },
    });
  });

  it('a failure without rejected credentials names no gateway', () => {
    const message = 'no gateway could process the payment';
    const error = { kind: 'error', code: '422', definite: true } as const;
    for (const result of [error, { ...error, badCredentials: false }])
      expect(decideAfterCharge(result, first, limits)).toMatchObject({ fact: { message } });
    const noted: ChargeAttempt[] = [{ ...notSent, status: 'error', notSent: false, badCredentials: false }];
    expect(decideAfterCharge(error, { gateway: 'gateway_2', earlier: noted }, limits)).toMatchObject({
      fact: { message },
    });
  });

  it('an error without a charge fails over, unless another gateway would repeat it', () => {
    expect(decideAfterCharge({ kind: 'error', code: null, definite: false }, first, limits)).toEqual({
      kind: 'try_next',
    });
    expect(decideAfterCharge({ kind: 'error', code: '422', definite: true }, first, limits)).toMatchObject({
      fact: { kind: 'failed', code: 'gateway_error' },
    });
  });

  it('a failure for rejected credentials names their gateways, unless a decline ended the payment', () => {
    const rejected = { kind: 'error', code: '401', definite: false, badCredentials: true } as const;
    const earlier: ChargeAttempt[] = [
      { ...notSent, status: 'error', notSent: false, badCredentials: true },
      pastDecline('91'),
    ];
    const third = { gateway: 'gateway_4', earlier } as const;
    expect(decideAfterCharge(rejected, third, limits)).toMatchObject({
      fact: {
        code: 'gateway_error',
        message: 'no gateway could process the payment: gateway_1, gateway_4 rejected the credentials',
      },
    });
    expect(decideAfterCharge(declined('51'), third, limits)).toMatchObject({
      fact: { code: 'declined', message: 'insufficient funds' },
    });
  });

  it('no charge is attempted after maxAttempts or after the customer has left', () => {
    const earlier = [pastDecline('91'), pastDecline('91')];
    expect(decideAfterCharge(declined('91'), { gateway: 'gateway_4', earlier }, limits)).toMatchObject({
      fact: { kind: 'failed', code: 'declined' },
    });
    expect(decideAfterCharge(ABSENT, first, { ...limits, ageMs: CHARGE_WINDOW_MS })).toMatchObject({
      fact: { kind: 'failed', code: 'gateway_error' },
    });
    expect(decideAfterCharge(ABSENT, first, { ...limits, ageMs: CHARGE_WINDOW_MS - 1 })).toEqual({
      kind: 'try_next',
    });
  });

  it('charges that were not sent do not count as attempts, but ten of them fail the payment', () => {
    const slow = (times: number): ChargeAttempt[] => Array.from({ length: times }, () => notSent);
    const late: ChargeAttemptResult = { kind: 'abandoned', notSent: true };
    const after = (result: ChargeAttemptResult, earlier: readonly ChargeAttempt[]) =>
      decideAfterCharge(result, { gateway: 'gateway_1', earlier }, limits);
    const failed = { kind: 'settle', fact: { kind: 'failed', code: 'gateway_error' } };
    expect(after(late, slow(8))).toEqual({ kind: 'try_next' });
    expect(after(late, slow(9))).toMatchObject(failed);
    expect(after(ABSENT, [...slow(9), pastDecline('91')])).toEqual({ kind: 'try_next' });
    expect(after(ABSENT, [...slow(1), pastDecline('91'), pastDecline('91')])).toMatchObject(failed);
  });

  it.each(['01', '02', '03', '21', '24', '30', '40'])('advice %s prevents failover', (advice) => {
    expect(decideAfterCharge(declined('91', advice), first, limits)).toMatchObject({
      fact: { kind: 'failed', code: 'declined' },
    });
  });

  it.each(['05', '43', '99'])('advice %s leaves the decision to the decline code', (advice) => {
    expect(decideAfterCharge(declined('91', advice), first, limits)).toEqual({ kind: 'try_next' });
  });
});

describe('a payment without a charge attempt', () => {
  it('may be charged, and fails as not attempted if no gateway is available', () => {
    expect(decideFailover([], { ...limits, definite: false })).toEqual({ kind: 'try_next' });
    expect(failureOf([])).toEqual({
      kind: 'fail',
      code: 'not_attempted',
      message: 'no gateway was available',
    });
  });
});

it('an authorization expires after seven days unless the gateway says otherwise', () => {
  expect(captureWindowEnd(new Date('2026-06-10T12:00:00Z'))).toEqual(new Date('2026-06-17T12:00:00Z'));
});

it.each(['approved', 'declined', 'error', 'unknown', 'abandoned'] as const)(
  'the attempt of a charge that is %s has that status',
  (kind) => {
    expect(attemptStatusOf({ kind } as ChargeAttemptResult)).toBe(kind);
  },
);

describe('attemptReference', () => {
  it.each([
    ['charge', 1, 'id-2'],
    ['authorize', 1, 'id-2'],
    ['charge', 2, 'id-2-2'],
    ['refund', 1, 'id-2-refund'],
    ['refund', 3, 'id-2-refund-3'],
    ['capture', 1, 'id-2-capture'],
  ] as const)('of a %s, number %d of its kind, is %s', (operation, nth, expected) => {
    expect(attemptReference('id', 2, operation, nth)).toBe(expected);
  });

  it('references start with the transaction_id and are unique per attempt and operation', () => {
    const id = '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70';
    const references = [1, 2, 11].flatMap((number) =>
      (['charge', 'capture', 'cancel', 'refund', 'inquiry'] as const).map((operation) =>
        attemptReference(id, number, operation),
      ),
    );
    expect(new Set(references).size).toBe(references.length);
    expect(references.every((reference) => reference.startsWith(id))).toBe(true);
  });
});
