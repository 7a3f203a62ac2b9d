import { declineRule } from '../../../../src/domain/payments/decline';
import type { CardDecline } from '../../../../src/domain/subscriptions/charge-guard';
import {
  DEFAULT_DUNNING_DAYS,
  nextRetryAt,
  type DunningContext,
} from '../../../../src/domain/subscriptions/dunning';

const AMOUNT = 9_990;
const DAY_MS = 86_400_000;
const FAILED = new Date('2026-03-10T12:00:00Z');

function context(change: Partial<DunningContext> = {}): DunningContext {
  return {
    firstFailedAt: FAILED,
    at: FAILED,
    decline: { retry: 'automatic', waitMs: 0 },
    days: DEFAULT_DUNNING_DAYS,
    timezone: 'America/Sao_Paulo',
    brand: 'amex',
    amountCents: AMOUNT,
    declines: [],
    ...change,
  };
}

function daysLater(days: number): Date {
  return new Date(+FAILED + days * DAY_MS);
}

function advised(adviceCode: string): DunningContext['decline'] {
  return declineRule({ code: '51', brand: 'mastercard', adviceCode });
}

describe('a declined charge', () => {
  it('a soft decline is retried 1, 4, 9 and 16 days after the first failure, and then no more', () => {
    const retries: (Date | null)[] = [];
    for (let at: Date | null = FAILED; at !== null && retries.length < 10;) {
      at = nextRetryAt(context({ at }));
      retries.push(at);
    }
    expect(retries).toEqual([daysLater(1), daysLater(4), daysLater(9), daysLater(16), null]);
  });

  it.each(['by_request', 'never'] as const)(
    'a decline that may be retried %s is not retried automatically',
    (retry) => {
      expect(nextRetryAt(context({ decline: { retry, waitMs: 0 } }))).toBeNull();
    },
  );

  it('a retry waits at least as long as the network advises', () => {
    expect(nextRetryAt(context({ decline: advised('24') }))).toEqual(daysLater(1));
    expect(nextRetryAt(context({ decline: advised('02') }))).toEqual(daysLater(3));
    expect(nextRetryAt(context({ decline: advised('26') }))).toEqual(daysLater(2));
    expect(nextRetryAt(context({ decline: advised('30') }))).toEqual(daysLater(10));
  });

  it('a retry keeps the local time in the company’s time zone when daylight saving changes', () => {
    const failed = new Date('2026-03-07T17:00:00Z');
    const found = nextRetryAt(context({ firstFailedAt: failed, at: failed, timezone: 'America/New_York' }));
    expect(found).toEqual(new Date('2026-03-08T16:00:00Z'));
  });
});

describe('the card network’s limit of declines', () => {
  const declined = (at: Date): CardDecline => ({ at, amountCents: AMOUNT, code: '51', adviceCode: null });

  it('that is reached postpones a retry, and ends the retries if that is too late', () => {
    const often = Array.from({ length: 6 }, (_, hour) =>
      declined(new Date(+daysLater(1) - hour * 3_600_000)),
    );
    const retry = nextRetryAt(context({ brand: 'mastercard', declines: often }));
    expect(retry).toEqual(new Date(+daysLater(2) - 5 * 3_600_000));
    const visa = Array.from({ length: 14 }, () => declined(daysLater(0.5)));
    expect(nextRetryAt(context({ brand: 'visa', declines: visa }))).toBeNull();
  });
});

describe('an earlier decline of the card', () => {
  it('with longer advice to wait holds for the retries after later declines too', () => {
    const advised30 = { at: FAILED, amountCents: AMOUNT, code: '51', adviceCode: '30' };
    const later = { at: daysLater(1), amountCents: AMOUNT, code: '51', adviceCode: null };
    const retry = nextRetryAt(context({ at: daysLater(1), declines: [advised30, later] }));
    expect(retry).toEqual(daysLater(10));
  });

  it('that forbids every retry ends the retries', () => {
    const lost = { at: FAILED, amountCents: AMOUNT, code: '200', adviceCode: null };
    expect(nextRetryAt(context({ declines: [lost] }))).toBeNull();
  });
});
