import { DateTime } from 'luxon';
import { assertNever } from '../shared/assert-never';

export const INTERVALS = ['daily', 'weekly', 'monthly', 'yearly'] as const;
export type Interval = (typeof INTERVALS)[number];

/** How often something is charged: every `intervalCount` intervals. */
export interface Recurrence {
  readonly interval: Interval;
  readonly intervalCount: number;
}

/**
 * When the periods of a subscription begin and end. Every boundary is counted from the anchor, never from the boundary
 * before it, so that a month's end is found again after a shorter month: 31 January, 28 February, 31 March.
 */
export interface BillingSchedule extends Recurrence {
  /** When the first period begins; its time of day, in the zone, is that of every boundary. */
  readonly startsAt: Date;
  /** The day of the month of every boundary, 1 to 31; null is the day of `startsAt`. Daily and weekly have none. */
  readonly billingDay: number | null;
  /** IANA name: the company's when the subscription was created. */
  readonly timezone: string;
}

/** From `start`, which belongs to it, to `end`, which belongs to the next one. */
export interface Period {
  readonly start: Date;
  readonly end: Date;
}

/** A part of a whole, both in the same unit. */
export interface Share {
  readonly part: number;
  readonly whole: number;
}

/** A schedule's period by its number, from 1. */
export function periodOf(schedule: BillingSchedule, number: number): Period {
  return { start: boundary(schedule, number - 1), end: boundary(schedule, number) };
}

/**
 * The share of the price that the first period costs, in days: those until the next billing day, of those between the
 * billing days around it. Null when it begins on a billing day and is a whole period (decisions, section 7).
 */
export function firstPeriodShare(schedule: BillingSchedule): Share | null {
  const anchor = firstBillingDay(schedule);
  const start = localDay(schedule);
  if (+anchor === +start) return null;
  const before = addPeriods(schedule, anchor, -1);
  return { part: anchor.diff(start, 'days').days, whole: anchor.diff(before, 'days').days };
}

/** The day of the month on which a schedule charges; null for daily and weekly. */
export function dayOfBilling({ billingDay, ...schedule }: BillingSchedule): number | null {
  if (!hasBillingDay(schedule)) return null;
  return billingDay ?? localDay(schedule).day;
}

/** The same time of day some calendar days later; a time that the clocks leave out becomes the one after it. */
export function addDays(instant: Date, days: number, timezone: string): Date {
  const local = DateTime.fromJSDate(instant, { zone: timezone });
  return atTimeOf(local, utcDay(local).plus({ days }));
}

/** The boundary after `number` periods; the first one is the beginning itself. */
function boundary(schedule: BillingSchedule, number: number): Date {
  if (number === 0) return schedule.startsAt;
  const anchor = firstBillingDay(schedule);
  const beginsThere = +anchor === +localDay(schedule);
  const day = addPeriods(schedule, anchor, beginsThere ? number : number - 1);
  return atTimeOf(DateTime.fromJSDate(schedule.startsAt, { zone: schedule.timezone }), day);
}

/** The first billing day that is not before the beginning. */
function firstBillingDay(schedule: BillingSchedule): DateTime {
  const start = localDay(schedule);
  const wanted = dayOfBilling(schedule);
  if (wanted === null) return start;
  const inThisMonth = onDay(start, wanted);
  return inThisMonth >= start ? inThisMonth : onDay(start.startOf('month').plus({ months: 1 }), wanted);
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
  return onDay(month, dayOfBilling(schedule) ?? 1);
}

/** That day of the month, or the month's last where it is shorter. */
function onDay(month: DateTime, day: number): DateTime {
  return month.set({ day: Math.min(day, month.daysInMonth ?? day) });
}

function hasBillingDay({ interval }: Pick<BillingSchedule, 'interval'>): boolean {
  return interval === 'monthly' || interval === 'yearly';
}

function localDay({ startsAt, timezone }: Pick<BillingSchedule, 'startsAt' | 'timezone'>): DateTime {
  return utcDay(DateTime.fromJSDate(startsAt, { zone: timezone }));
}

/** A calendar day to count with: every one has 24 hours here. */
function utcDay({ year, month, day }: DateTime): DateTime {
  return DateTime.utc(year, month, day);
}

/** On another day at the same wall time; where the clocks leave it out, later; where they repeat it, the first time. */
function atTimeOf(local: DateTime, { year, month, day }: DateTime): Date {
  const { hour, minute, second, millisecond, zone } = local;
  return DateTime.fromObject({ year, month, day, hour, minute, second, millisecond }, { zone }).toJSDate();
}
