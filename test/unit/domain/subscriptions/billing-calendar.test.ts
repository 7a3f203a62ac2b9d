import * as fc from 'fast-check';
import { DateTime } from 'luxon';
import {
  addDays,
  effectiveBillingDay,
  firstPeriodFraction,
  INTERVALS,
  periodOf,
  type BillingSchedule,
  type Period,
} from '../../../../src/domain/subscriptions/billing-calendar';

/** Time zones with daylight saving at midnight, of half an hour, in both hemispheres, and without any. */
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
  it('billing on the 31st returns to the last day of the month after a shorter month', () => {
    expect(localDates(schedule('2026-01-31T15:00:00Z'), 5)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ]);
  });

  it('yearly billing from 29 February returns to that day every fourth year', () => {
    const yearly = schedule('2024-02-29T15:00:00Z', { interval: 'yearly' });
    expect(localDates(yearly, 5)).toEqual([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ]);
  });

  it('a billing date is a day in the company’s time zone, not in UTC', () => {
    expect(localDates(schedule('2026-02-01T01:30:00Z'), 3)).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
    ]);
  });

  it('billing keeps the local time when daylight saving changes and uses the next time that exists if it is skipped', () => {
    const newYork = schedule('2026-02-08T07:30:00Z', { timezone: 'America/New_York' });
    expect(periodOf(newYork, 2).start).toEqual(new Date('2026-03-08T07:30:00Z'));
    expect(periodOf(newYork, 3).start).toEqual(new Date('2026-04-08T06:30:00Z'));
  });

  it('a subscription that starts on the last day of February with billing day 31 starts with a full period', () => {
    const lastOfFebruary = schedule('2026-02-28T15:00:00Z', { billingDay: 31 });
    expect(firstPeriodFraction(lastOfFebruary)).toBeNull();
    expect(localDates(lastOfFebruary, 3)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30']);
  });

  it('daily and weekly schedules ignore the billing day', () => {
    for (const interval of ['daily', 'weekly'] as const) {
      const of = schedule('2026-01-10T15:00:00Z', { interval, billingDay: 5 });
      expect(effectiveBillingDay(of)).toBeNull();
      expect(firstPeriodFraction(of)).toBeNull();
    }
  });
});

describe('a first period that does not start on the billing day', () => {
  it('it costs the days until the billing day, as a fraction of the days since the previous one', () => {
    const of = schedule('2026-03-10T15:00:00Z', { billingDay: 15 });
    expect(firstPeriodFraction(of)).toEqual({ numerator: 5, denominator: 28 });
    expect(localDates(of, 3)).toEqual(['2026-03-10', '2026-03-15', '2026-04-15']);
  });

  it('it may span the end of a month', () => {
    const of = schedule('2026-01-20T15:00:00Z', { billingDay: 5 });
    expect(firstPeriodFraction(of)).toEqual({ numerator: 16, denominator: 31 });
  });

  it('it is a fraction of the full interval if that is longer than a month', () => {
    const yearly = schedule('2026-01-10T15:00:00Z', { interval: 'yearly', billingDay: 15 });
    expect(firstPeriodFraction(yearly)).toEqual({ numerator: 5, denominator: 365 });
    const quarterly = schedule('2026-01-10T15:00:00Z', { intervalCount: 3, billingDay: 15 });
    expect(firstPeriodFraction(quarterly)).toEqual({ numerator: 5, denominator: 92 });
  });

  it('its fraction is always greater than 0 and less than 1', () => {
    fc.assert(
      fc.property(schedules, (of) => {
        const fraction = firstPeriodFraction(of);
        if (fraction === null) return;
        expect(fraction.numerator).toBeGreaterThan(0);
        expect(fraction.numerator).toBeLessThan(fraction.denominator);
        expect(Number.isInteger(fraction.numerator) && Number.isInteger(fraction.denominator)).toBe(true);
      }),
    );
  });
});

describe(`over ${CYCLES} cycles of any interval, billing day and zone`, () => {
  it('periods have no gaps or overlaps, and each lasts as many calendar intervals as the plan says', () => {
    fc.assert(
      fc.property(schedules, (of) => {
        const periods = Array.from({ length: CYCLES }, (_, index) => periodOf(of, index + 1));
        expect(periods[0]?.start).toEqual(of.startsAt);
        expect(periods.slice(1).map(({ start }) => start)).toEqual(
          periods.slice(0, -1).map(({ end }) => end),
        );
        expect(periods.filter(({ start, end }) => end <= start)).toEqual([]);
        const lengths = periods.slice(1).map((period) => intervalsOf(of, period));
        expect(new Set(lengths)).toEqual(new Set([of.intervalCount]));
      }),
      { numRuns: 60 },
    );
  });

  it('each period starts on the billing day, or on the last day of a shorter month', () => {
    fc.assert(
      fc.property(schedules, (of) => {
        const billingDay = effectiveBillingDay(of);
        if (billingDay === null) return;
        const begin = Array.from({ length: CYCLES - 1 }, (_, index) =>
          DateTime.fromJSDate(periodOf(of, index + 2).start, { zone: of.timezone }),
        );
        const expected = begin.map(({ daysInMonth }) => Math.min(billingDay, daysInMonth ?? 0));
        expect(begin.map(({ day }) => day)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

/** The length of a period in calendar intervals of its schedule. */
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

describe('addDays', () => {
  it('keeps the local time of day in the time zone', () => {
    expect(addDays(new Date('2026-03-07T17:00:00Z'), 1, 'America/New_York')).toEqual(
      new Date('2026-03-08T16:00:00Z'),
    );
  });
});
