import { DateTime } from 'luxon';
import { assertNever } from '../shared/assert-never';
import { instantOf } from '../time/local-time';

export const INTERVALS = ['daily', 'weekly', 'monthly', 'yearly'] as const;
export type Interval = (typeof INTERVALS)[number];

/** A price is charged every `intervalCount` intervals. */
export interface Recurrence {
  readonly interval: Interval;
  readonly intervalCount: number;
}

/**
 * The start and end of each billing period. Every boundary is computed from the anchor, not from the previous boundary,
 * so that a subscription anchored on the 31st returns to it after a shorter month: 31 January, 28 February, 31 March.
 */
export interface BillingSchedule extends Recurrence {
  /** Start of the first period. Every boundary has its local time of day. */
  readonly startsAt: Date;
  /** Day of the month of every boundary, 1 to 31; null means the day of `startsAt`. Daily and weekly schedules ignore it. */
  readonly billingDay: number | null;
  /** IANA name. The company's time zone when the subscription was created. */
  readonly timezone: string;
}

/** From `start` (inclusive) to `end` (exclusive). */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** A ratio of two amounts in the same unit. */
export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** The period with that number in the schedule, from 1. */
export function periodOf(schedule: BillingSchedule, number: number): Period {
  return { start: boundary(schedule, number - 1), end: boundary(schedule, number) };
}

/**
 * The fraction of the price that the first period costs: the days until the first billing day, divided by the days
 * between the billing days before and after the start. Null if the subscription starts on a billing day and the first
 * period is a full one. See docs/decisions/subscriptions.md.
 */
export function firstPeriodFraction(schedule: BillingSchedule): Fraction | null {
  const anchor = firstBillingDay(schedule);
  const start = localDay(schedule);
  if (+anchor === +start) return null;
  const before = addPeriods(schedule, anchor, -1);
  return { numerator: anchor.diff(start, 'days').days, denominator: anchor.diff(before, 'days').days };
}

/** The day of the month on which a schedule charges; null for daily and weekly schedules. */
export function effectiveBillingDay({ billingDay, ...schedule }: BillingSchedule): number | null {
  if (!hasBillingDay(schedule)) return null;
  return billingDay ?? localDay(schedule).day;
}

/** Adds calendar days and keeps the local time, as `instantOf` resolves it. */
export function addDays(instant: Date, days: number, timezone: string): Date {
  const day = utcDay(DateTime.fromJSDate(instant, { zone: timezone }));
  return atTimeOf(instant, timezone, day.plus({ days }));
}

/** The boundary after `number` periods; boundary 0 is the start of the schedule. */
function boundary(schedule: BillingSchedule, number: number): Date {
  if (number === 0) return schedule.startsAt;
  const anchor = firstBillingDay(schedule);
  const startsOnBillingDay = +anchor === +localDay(schedule);
  const day = addPeriods(schedule, anchor, startsOnBillingDay ? number : number - 1);
  return atTimeOf(schedule.startsAt, schedule.timezone, day);
}

/** The first billing day on or after the start. */
function firstBillingDay(schedule: BillingSchedule): DateTime {
  const start = localDay(schedule);
  const billingDay = effectiveBillingDay(schedule);
  if (billingDay === null) return start;
  const thisMonth = onDay(start, billingDay);
  return thisMonth >= start ? thisMonth : onDay(start.startOf('month').plus({ months: 1 }), billingDay);
}

function addPeriods(schedule: BillingSchedule, anchor: DateTime, periods: number): DateTime {
  const count = periods * schedule.intervalCount;
  switch (schedule.interval) {
    case 'daily':
      return anchor.plus({ days: count });
    case 'weekly':
      return anchor.plus({ weeks: count });
    case 'monthly':
      return onBillingDay(schedule, anchor.startOf('month').plus({ months: count }));
    case 'yearly':
      return onBillingDay(schedule, anchor.startOf('month').plus({ years: count }));
    default:
      return assertNever(schedule.interval);
  }
}

function onBillingDay(schedule: BillingSchedule, month: DateTime): DateTime {
  return onDay(month, effectiveBillingDay(schedule) ?? 1);
}

/** That day of the month, or the last day of a shorter month. */
function onDay(month: DateTime, day: number): DateTime {
  return month.set({ day: Math.min(day, month.daysInMonth ?? day) });
}

function hasBillingDay({ interval }: Pick<BillingSchedule, 'interval'>): boolean {
  return interval === 'monthly' || interval === 'yearly';
}

function localDay({ startsAt, timezone }: Pick<BillingSchedule, 'startsAt' | 'timezone'>): DateTime {
  return utcDay(DateTime.fromJSDate(startsAt, { zone: timezone }));
}

/** A calendar day as a UTC date, so that all days have 24 hours. */
function utcDay({ year, month, day }: DateTime): DateTime {
  return DateTime.utc(year, month, day);
}

/** The local time of an instant on another day. */
function atTimeOf(instant: Date, timezone: string, { year, month, day }: DateTime): Date {
  const { hour, minute, second, millisecond } = DateTime.fromJSDate(instant, { zone: timezone });
  return instantOf(timezone, { year, month, day, hour, minute, second, millisecond });
}
