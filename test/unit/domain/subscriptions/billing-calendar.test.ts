import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  addDays,
  dayOfBilling,
  firstPeriodShare,
  INTERVALS,
  periodOf,
  type BillingSchedule,
  type Period,
} from '../../../../src/domain/subscriptions/billing-calendar';

/** Zones with daylight saving at midnight, of half an hour, of both hemispheres, and none. */
const ZONES = [
  'America/Sao_Paulo',
  'America/New_York',
  'Europe/Lisbon',
  'Australia/Lord_Howe',
  'America/Asuncion',
  'Asia/Kathmandu',
  'UTC',
];
const CYCLES = 36;

function schedule(startsAt: string, change: Partial<BillingSchedule> = {}): BillingSchedule {
  const base = {
    interval: 'monthly',
    intervalCount: 1,
    billingDay: null,
    timezone: 'America/Sao_Paulo',
  } as const;
  return { ...base, startsAt: new Date(startsAt), ...change };
}

function localDates(of: BillingSchedule, count: number): (string | null)[] {
  return Array.from({ length: count }, (_, index) => localDate(of, periodOf(of, index + 1).start));
}

function localDate({ timezone }: BillingSchedule, instant: Date): string | null {
  return DateTime.fromJSDate(instant, { zone: timezone }).toISODate();
}

const schedules = fc.record({
  startsAt: fc.date({ min: new Date('2015-01-01'), max: new Date('2035-01-01'), noInvalidDate: true }),
  interval: fc.constantFrom(...INTERVALS),
  intervalCount: fc.integer({ min: 1, max: 12 }),
  billingDay: fc.option(fc.integer({ min: 1, max: 31 })),
  timezone: fc.constantFrom(...ZONES),
});

describe('billing dates', () => {
  it('find the month’s end again after a shorter month', () => {
    expect(localDates(schedule('2026-01-31T15:00:00Z'), 5)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ]);
  });

  it('come back to 29 February every fourth year', () => {
    const yearly = schedule('2024-02-29T15:00:00Z', { interval: 'yearly' });
    expect(localDates(yearly, 5)).toEqual([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  it('are the company’s, not UTC’s: late in the evening in São Paulo is still the 31st', () => {
    expect(localDates(schedule('2026-02-01T01:30:00Z'), 3)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
    ]);
  });

  it('keep the wall time when the clocks change, and take the next time that exists', () => {
    const newYork = schedule('2026-02-08T07:30:00Z', { timezone: 'America/New_York' });
    expect(periodOf(newYork, 2).start).toEqual(new Date('2026-03-08T07:30:00Z'));
    expect(periodOf(newYork, 3).start).toEqual(new Date('2026-04-08T06:30:00Z'));
  });

  it('begin on the billing day: a last day of February is the 31st', () => {
    const lastOfFebruary = schedule('2026-02-28T15:00:00Z', { billingDay: 31 });
    expect(firstPeriodShare(lastOfFebruary)).toBeNull();
    expect(localDates(lastOfFebruary, 3)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30']);
  });

  it('ignore the billing day when they are daily or weekly', () => {
    for (const interval of ['daily', 'weekly'] as const) {
      const of = schedule('2026-01-10T15:00:00Z', { interval, billingDay: 5 });
      expect(dayOfBilling(of)).toBeNull();
      expect(firstPeriodShare(of)).toBeNull();
    }
  });
});

describe('a first period that begins on another day than the billing day', () => {
  it('costs the days until it, of those since the billing day before', () => {
    const of = schedule('2026-03-10T15:00:00Z', { billingDay: 15 });
    expect(firstPeriodShare(of)).toEqual({ part: 5, whole: 28 });
    expect(localDates(of, 3)).toEqual(['2026-03-10', '2026-03-15', '2026-04-15']);
  });

  it('may go over the month’s end', () => {
    const of = schedule('2026-01-20T15:00:00Z', { billingDay: 5 });
    expect(firstPeriodShare(of)).toEqual({ part: 16, whole: 31 });
  });

  it('is a share of the whole interval when that is longer than a month', () => {
    const yearly = schedule('2026-01-10T15:00:00Z', { interval: 'yearly', billingDay: 15 });
    expect(firstPeriodShare(yearly)).toEqual({ part: 5, whole: 365 });
    const quarterly = schedule('2026-01-10T15:00:00Z', { intervalCount: 3, billingDay: 15 });
    expect(firstPeriodShare(quarterly)).toEqual({ part: 5, whole: 92 });
  });

  it('is never nothing and never as long as a whole one', () => {
    fc.assert(
      fc.property(schedules, (of) => {
        const share = firstPeriodShare(of);
        if (share === null) return;
        expect(share.part).toBeGreaterThan(0);
        expect(share.part).toBeLessThan(share.whole);
        expect(Number.isInteger(share.part) && Number.isInteger(share.whole)).toBe(true);
      }),
    );
  });
});

describe(`over ${CYCLES} cycles of any interval, billing day and zone`, () => {
  it('periods follow each other without a gap or an overlap, each as many calendar intervals long as the plan says', () => {
    fc.assert(
      fc.property(schedules, (of) => {
        const periods = Array.from({ length: CYCLES }, (_, index) => periodOf(of, index + 1));
        expect(periods[0]?.start).toEqual(of.startsAt);
        expect(periods.slice(1).map(({ start }) => start)).toEqual(
          periods.slice(0, -1).map(({ end }) => end),
        );
        expect(periods.filter(({ start, end }) => end <= start)).toEqual([]);
        const whole = periods.slice(1).map((period) => intervalsOf(of, period));
        expect(new Set(whole)).toEqual(new Set([of.intervalCount]));
      }),
      { numRuns: 60 },
    );
  });

  it('each begins on the billing day, or on the month’s last where it is shorter', () => {
    fc.assert(
      fc.property(schedules, (of) => {
        const wanted = dayOfBilling(of);
        if (wanted === null) return;
        const begin = Array.from({ length: CYCLES - 1 }, (_, index) =>
          DateTime.fromJSDate(periodOf(of, index + 2).start, { zone: of.timezone }),
        );
        const expected = begin.map(({ daysInMonth }) => Math.min(wanted, daysInMonth ?? 0));
        expect(begin.map(({ day }) => day)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

/** How many calendar intervals of its schedule a period is long. */
function intervalsOf({ interval, timezone }: BillingSchedule, { start, end }: Period): number {
  const [from, to] = [start, end].map((at) => DateTime.fromJSDate(at, { zone: timezone })) as [
    DateTime,
    DateTime,
  ];
  const months = (to.year - from.year) * 12 + to.month - from.month;
  const days = utcDay(to).diff(utcDay(from), 'days').days;
  return { daily: days, weekly: days / 7, monthly: months, yearly: months / 12 }[interval];
}

function utcDay({ year, month, day }: DateTime): DateTime {
  return DateTime.utc(year, month, day);
}

describe('some days later', () => {
  it('is the same wall time in the zone', () => {
    expect(addDays(new Date('2026-03-07T17:00:00Z'), 1, 'America/New_York')).toEqual(
      new Date('2026-03-08T16:00:00Z'),
    );
  });
});
