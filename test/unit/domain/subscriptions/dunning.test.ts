import * as fc from 'fast-check';
import {
  DEFAULT_DUNNING_DAYS,
  firstAllowedAt,
  isIrreversible,
  nextRetryAt,
  type DunningContext,
} from '../../../../src/domain/subscriptions/dunning';

const DAY_MS = 86_400_000;
const FAILED = new Date('2026-03-10T12:00:00Z');

function situation(change: Partial<DunningContext> = {}): DunningContext {
  return {
    firstFailedAt: FAILED,
    at: FAILED,
    refusal: { declineClass: 'soft', adviceCode: null },
    days: DEFAULT_DUNNING_DAYS,
    timezone: 'America/Sao_Paulo',
    brand: 'amex',
    refusedAt: [FAILED],
    ...change,
  };
}

function daysLater(days: number): Date {
  return new Date(+FAILED + days * DAY_MS);
}

function advised(adviceCode: string): DunningContext['refusal'] {
  return { declineClass: 'soft', adviceCode };
}

describe('a refused charge', () => {
  it('is tried again 1, 4, 9 and 16 days after the first failure, then no more', () => {
    const retries: (Date | null)[] = [];
    for (let at: Date | null = FAILED; at !== null && retries.length < 10;) {
      at = nextRetryAt(situation({ at }));
      retries.push(at);
    }
    expect(retries).toEqual([daysLater(1), daysLater(4), daysLater(9), daysLater(16), null]);
  });

  it.each([
    ['a hard decline', { declineClass: 'hard', adviceCode: null }],
    ['advice 03', advised('03')],
    ['advice 21', advised('21')],
  ] as const)('is never tried again after %s', (_, refusal) => {
    expect(isIrreversible(refusal)).toBe(true);
    expect(nextRetryAt(situation({ refusal }))).toBeNull();
  });

  it('waits at least as long as the network advises', () => {
    expect(nextRetryAt(situation({ refusal: advised('24') }))).toEqual(daysLater(1));
    expect(nextRetryAt(situation({ refusal: advised('26') }))).toEqual(daysLater(2));
    expect(nextRetryAt(situation({ refusal: advised('30') }))).toEqual(daysLater(10));
  });

  it('has the same wall time in the company’s zone when the clocks change', () => {
    const failed = new Date('2026-03-07T17:00:00Z');
    const found = nextRetryAt(situation({ firstFailedAt: failed, at: failed, timezone: 'America/New_York' }));
    expect(found).toEqual(new Date('2026-03-08T16:00:00Z'));
  });
});

describe('a card’s network', () => {
  it.each([
    ['visa', 15, 30],
    ['elo', 15, 30],
    ['mastercard', 7, 1],
    ['mastercard', 35, 30],
  ])('%s never sees %d refusals of one amount in %d days', (brand, under, days) => {
    const tries = fc.array(fc.integer({ min: 0, max: 40 * DAY_MS }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(tries, (pauses) => {
        const refused: Date[] = [];
        for (const pause of pauses) {
          const wanted = new Date(+(refused.at(-1) ?? FAILED) + pause / 100);
          refused.push(firstAllowedAt(brand, refused, wanted));
        }
        for (const from of refused) {
          const within = refused.filter((at) => at >= from && +at < +from + days * DAY_MS);
          expect(within.length).toBeLessThan(under);
        }
      }),
    );
  });

  it('that is full puts a retry off, and ends it where that is too late', () => {
    const often = Array.from({ length: 6 }, (_, hour) => new Date(+daysLater(1) - hour * 3_600_000));
    const retry = nextRetryAt(situation({ brand: 'mastercard', refusedAt: often }));
    expect(retry).toEqual(new Date(+daysLater(2) - 5 * 3_600_000));
    const visa = Array.from({ length: 14 }, () => daysLater(0.5));
    expect(nextRetryAt(situation({ brand: 'visa', refusedAt: visa }))).toBeNull();
  });

  it('that has no rule is asked whenever it is time', () => {
    expect(firstAllowedAt('amex', Array<Date>(100).fill(FAILED), FAILED)).toEqual(FAILED);
  });
});
