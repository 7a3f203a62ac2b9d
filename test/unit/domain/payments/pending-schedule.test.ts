import fc from 'fast-check';
import {
  expiryDecidedAt,
  nextPollAt,
  type PendingPayment,
} from '../../../../src/domain/payments/pending-schedule';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CREATED = new Date('2026-06-10T15:20:00Z');
const after = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

/** The first polls, each made when it was due. */
function polls(payment: Omit<PendingPayment, 'lastPolledAt'>, count: number): Date[] {
  const made: Date[] = [];
  while (made.length < count) made.push(nextPollAt({ ...payment, lastPolledAt: made.at(-1) ?? null }));
  return made;
}

const pix = (expiresAt: Date | null) => ({ paymentMethod: 'pix' as const, createdAt: CREATED, expiresAt });
const billet = (expiresAt: Date | null, createdAt = CREATED) => ({
  paymentMethod: 'billet' as const,
  createdAt,
  expiresAt,
});
const minutesAfter = (instant: Date, dates: readonly Date[]) =>
  dates.map((date) => (date.getTime() - instant.getTime()) / MINUTE_MS);

describe('a pix without callbacks', () => {
  it('a pix is polled after 1, 5, 15 and 60 minutes, hourly, at expiry and after the grace period', () => {
    const expiresAt = after(CREATED, 210 * MINUTE_MS);
    expect(minutesAfter(CREATED, polls(pix(expiresAt), 8))).toEqual([1, 5, 15, 60, 120, 180, 210, 215]);
  });

  it('a pix that expires within a minute is polled at its expiry', () => {
    expect(minutesAfter(CREATED, polls(pix(after(CREATED, MINUTE_MS)), 2))).toEqual([1, 6]);
  });

  it('an expired pix is polled every five minutes for an hour, then hourly, while inquiries are inconclusive', () => {
    const late = polls(pix(after(CREATED, MINUTE_MS)), 17).slice(2);
    const decidedAt = after(CREATED, 6 * MINUTE_MS);
    const everyFive = Array.from({ length: 12 }, (_, index) => 5 * (index + 1));
    expect(minutesAfter(decidedAt, late)).toEqual([...everyFive, 120, 180, 240]);
  });

  it('a late poll continues with the next scheduled instant', () => {
    const payment = pix(after(CREATED, DAY_MS));
    const next = nextPollAt({ ...payment, lastPolledAt: after(CREATED, 20 * MINUTE_MS) });
    expect(minutesAfter(CREATED, [next])).toEqual([60]);
  });
});

describe('a boleto without callbacks', () => {
  it('a boleto is polled each morning in Brasília from the next day, at expiry and after the grace period', () => {
    const made = polls(billet(new Date('2026-06-13T03:00:00Z')), 4);
    expect(made.map((date) => date.toISOString())).toEqual([
      '2026-06-11T11:00:00.000Z',
      '2026-06-12T11:00:00.000Z',
      '2026-06-13T03:00:00.000Z',
      '2026-06-13T03:05:00.000Z',
    ]);
  });

  it.each([
    ['2026-06-10T03:00:00Z', '2026-06-11T11:00:00.000Z'],
    ['2026-06-11T02:59:59Z', '2026-06-11T11:00:00.000Z'],
    ['2026-06-11T03:00:00Z', '2026-06-12T11:00:00.000Z'],
  ])('a boleto created at %s is first polled on the next day in Brasília, %s', (createdAt, first) => {
    const payment = billet(new Date('2026-06-20T03:00:00Z'), new Date(createdAt));
    expect(nextPollAt({ ...payment, lastPolledAt: null }).toISOString()).toBe(first);
  });
});

it('expiry is decided after a grace period of five minutes', () => {
  expect(minutesAfter(CREATED, [expiryDecidedAt(CREATED)])).toEqual([5]);
});

describe('every schedule', () => {
  const anyPayment = fc.record({
    paymentMethod: fc.constantFrom('pix' as const, 'billet' as const, 'card' as const),
    createdAt: fc.date({
      min: new Date('2025-01-01'),
      max: new Date('2029-01-01'),
      noInvalidDate: true,
    }),
    livesMs: fc.option(fc.integer({ min: MINUTE_MS, max: 14 * DAY_MS })),
  });

  it('polls are at most a day and a half apart and include the expiry and the end of the grace period', () => {
    fc.assert(
      fc.property(anyPayment, fc.nat(60 * MINUTE_MS), ({ paymentMethod, createdAt, livesMs }, lateMs) => {
        const expiresAt = livesMs === null ? null : after(createdAt, livesMs);
        let lastPolledAt: Date | null = null;
        const made: number[] = [];
        for (let turn = 0; turn < 40; turn += 1) {
          const from: Date = lastPolledAt ?? createdAt;
          const next = nextPollAt({ paymentMethod, createdAt, expiresAt, lastPolledAt });
          expect(next.getTime()).toBeGreaterThan(from.getTime());
          expect(next.getTime() - from.getTime()).toBeLessThanOrEqual(1.5 * DAY_MS);
          if (expiresAt !== null && from < expiresAt)
            expect(next.getTime()).toBeLessThanOrEqual(expiresAt.getTime());
          if (expiresAt !== null && from < expiryDecidedAt(expiresAt))
            expect(next.getTime()).toBeLessThanOrEqual(expiryDecidedAt(expiresAt).getTime());
          if (expiresAt !== null && from >= expiryDecidedAt(expiresAt))
            expect(next.getTime() - from.getTime()).toBeLessThanOrEqual(HOUR_MS);
          lastPolledAt = after(next, turn % 3 === 0 ? lateMs : 0);
          made.push(lastPolledAt.getTime());
        }
        expect(made).toEqual([...new Set(made)].sort((a, b) => a - b));
      }),
    );
  });

  it('a 14-day pix is polled at most 400 times', () => {
    const expiresAt = after(CREATED, 14 * DAY_MS);
    const made = polls(pix(expiresAt), 400);
    expect(made.filter((date) => date <= expiryDecidedAt(expiresAt)).length).toBeLessThan(400);
  });

  it('an extra poll before the next scheduled instant does not change that instant', () => {
    fc.assert(
      fc.property(
        anyPayment,
        fc.nat(20 * DAY_MS),
        fc.nat(),
        ({ livesMs, ...payment }, elapsedMs, extraMs) => {
          const expiresAt = livesMs === null ? null : after(payment.createdAt, livesMs);
          const next = nextPollAt({
            ...payment,
            expiresAt,
            lastPolledAt: after(payment.createdAt, elapsedMs),
          });
          const waitMs = next.getTime() - payment.createdAt.getTime() - elapsedMs;
          const lastPolledAt = after(payment.createdAt, elapsedMs + (extraMs % waitMs));
          expect(nextPollAt({ ...payment, expiresAt, lastPolledAt })).toEqual(next);
        },
      ),
    );
  });
});

it('a poll from before the creation, by a clock that was set back, does not count', () => {
  const early = { ...pix(null), lastPolledAt: after(CREATED, -3 * HOUR_MS) };
  expect(nextPollAt(early)).toEqual(after(CREATED, MINUTE_MS));
});
