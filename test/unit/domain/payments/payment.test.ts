import fc from 'fast-check';
import { afterCharge, type ChargeResult } from '../../../../src/domain/payments/charge-outcome';
import { declineRule } from '../../../../src/domain/payments/decline';
import {
  attemptReference,
  CHARGE_WINDOW_MS,
  type TriedAttempt,
} from '../../../../src/domain/payments/payment';

const limits = { maxAttempts: 3, ageMs: 0 };
const ABSENT: ChargeResult = { kind: 'abandoned', notSent: false };
const first = { gateway: 'gateway_1', earlier: [] } as const;
const declined = (code: string, adviceCode: string | null = null): ChargeResult => ({
  kind: 'declined',
  code,
  declineType: declineRule(code).class,
  adviceCode,
});
const triedDecline = (code: string): TriedAttempt => ({
  gateway: 'gateway_1',
  status: 'declined',
  responseCode: code,
  declineType: declineRule(code).class,
  adviceCode: null,
  notSent: false,
});
const notSent: TriedAttempt = {
  ...triedDecline('91'),
  status: 'abandoned',
  responseCode: null,
  declineType: null,
  notSent: true,
};

describe('after a charge', () => {
  it.each(['approved', 'authorized', 'pending'] as const)('%s settles the payment so', (kind) => {
    expect(afterCharge({ kind }, first, limits)).toEqual({
      kind: 'settle',
      fact: { kind: 'charged', status: kind },
    });
  });

  it('an unknown outcome never lets anything else be tried, whatever came before', () => {
    const tried = fc.constantFrom<TriedAttempt>(triedDecline('91'), triedDecline('05'));
    fc.assert(
      fc.property(fc.array(tried), fc.nat(CHARGE_WINDOW_MS * 2), (earlier, ageMs) => {
        expect(
          afterCharge({ kind: 'unknown' }, { gateway: 'gateway_1', earlier }, { maxAttempts: 3, ageMs }),
        ).toEqual({
          kind: 'unknown',
        });
      }),
    );
  });

  it.each(['91', '96', '92', '19'])('code %s tries the next gateway', (code) => {
    expect(afterCharge(declined(code), first, limits)).toEqual({ kind: 'try_next' });
  });

  it.each(['51', '61', '65', '75', 'ZZ'])('code %s fails at once: no other gateway helps', (code) => {
    expect(afterCharge(declined(code), first, limits)).toMatchObject({
      kind: 'settle',
      fact: { kind: 'failed', code: 'declined' },
    });
  });

  it.each([
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
  ])('code %s is never tried elsewhere', (code) => {
    expect(afterCharge(declined(code), first, limits)).toMatchObject({
      kind: 'settle',
      fact: { kind: 'failed' },
    });
  });

  it('code 05 tries one other gateway, and a second 05 ends it', () => {
    expect(afterCharge(declined('05'), first, limits)).toEqual({ kind: 'try_next' });
    const second = { gateway: 'gateway_2', earlier: [triedDecline('05')] } as const;
    expect(afterCharge(declined('05'), second, limits)).toMatchObject({
      fact: { kind: 'failed', code: 'declined' },
    });
  });

  it('an error that certainly charged nothing tries the next gateway, one that another would repeat does not', () => {
    expect(afterCharge({ kind: 'error', code: null, definite: false }, first, limits)).toEqual({
      kind: 'try_next',
    });
    expect(afterCharge({ kind: 'error', code: '422', definite: true }, first, limits)).toMatchObject({
      fact: { kind: 'failed', code: 'gateway_error' },
    });
  });

  it('stops at the last of maxAttempts, and once the customer has left', () => {
    const earlier = [triedDecline('91'), triedDecline('91')];
    expect(afterCharge(declined('91'), { gateway: 'gateway_4', earlier }, limits)).toMatchObject({
      fact: { kind: 'failed', code: 'declined' },
    });
    expect(afterCharge(ABSENT, first, { maxAttempts: 3, ageMs: CHARGE_WINDOW_MS })).toMatchObject({
      fact: { kind: 'failed', code: 'gateway_error' },
    });
    expect(afterCharge(ABSENT, first, { maxAttempts: 3, ageMs: CHARGE_WINDOW_MS - 1 })).toEqual({
      kind: 'try_next',
    });
  });

  it('what this service was too slow to send is no attempt, but ten of them are enough', () => {
    const slow = (times: number): TriedAttempt[] => Array.from({ length: times }, () => notSent);
    const late: ChargeResult = { kind: 'abandoned', notSent: true };
    const after = (result: ChargeResult, earlier: readonly TriedAttempt[]) =>
      afterCharge(result, { gateway: 'gateway_1', earlier }, limits);
    const failed = { kind: 'settle', fact: { kind: 'failed', code: 'gateway_error' } };
    expect(after(late, slow(8))).toEqual({ kind: 'try_next' });
    expect(after(late, slow(9))).toMatchObject(failed);
    expect(after(ABSENT, [...slow(9), triedDecline('91')])).toEqual({ kind: 'try_next' });
    expect(after(ABSENT, [...slow(1), triedDecline('91'), triedDecline('91')])).toMatchObject(failed);
  });

  it.each(['03', '21', '24', '30'])('advice %s: no other gateway is tried', (advice) => {
    expect(afterCharge(declined('91', advice), first, limits)).toMatchObject({
      fact: { kind: 'failed', code: 'declined' },
    });
  });

  it.each(['01', '02', '40'])('advice %s: the code decides', (advice) => {
    expect(afterCharge(declined('91', advice), first, limits)).toEqual({ kind: 'try_next' });
  });
});

describe('the reference of an operation', () => {
  it('begins with the transaction_id and is different for every attempt and operation', () => {
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
