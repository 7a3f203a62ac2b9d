import { getHolidays } from '@brazilian-utils/brazilian-utils/get-holidays';
import { isBusinessDay } from '@brazilian-utils/brazilian-utils/is-business-day';
import { DateTime } from 'luxon';
import { BRASILIA, dateIn } from '../time/timezone';

/** Business days that banks take to report a payment (docs/decisions/payments.md). */
const BUSINESS_DAYS_TO_CONFIRM = 3;

/** The last day that a boleto barcode can encode: its due factor has four digits, and 9999 is this day (FEBRABAN, 2025 count). */
const LAST_DUE_DATE = '2049-10-13';

/** The due date of a boleto whose request names none: `businessDays` from now, a day in Brasília, `YYYY-MM-DD`. */
export function defaultDueDate(now: Date, businessDays: number): string {
  return addBankDays(dateIn(BRASILIA, now), businessDays);
}

/** The instant at which an unpaid boleto expires: the end, in Brasília, of the third business day after its due date. */
export function billetExpiresAt(dueAt: string): Date {
  const lastDay = addBankDays(dueAt, BUSINESS_DAYS_TO_CONFIRM);
  return DateTime.fromISO(lastDay, { zone: BRASILIA }).plus({ days: 1 }).toJSDate();
}

/** The problem with a requested due date, or null. */
export function dueDateProblem(dueAt: string, now: Date): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(dueAt) || !day(dueAt).isValid) return 'must be a date, YYYY-MM-DD';
  const today = dateIn(BRASILIA, now);
  if (dueAt < today) return `must not be before today in Brasília, ${today}`;
  return dueAt > LAST_DUE_DATE ? `must not be after ${LAST_DUE_DATE}` : null;
}

/** The day itself if banks are open on it, else the next day on which they are. */
export function nextBankDay(date: string): string {
  return isBankDay(date) ? date : nextBankDay(day(date).plus({ days: 1 }).toFormat('yyyy-MM-dd'));
}

function addBankDays(date: string, count: number): string {
  const next = day(date).plus({ days: 1 }).toFormat('yyyy-MM-dd');
  const left = isBankDay(next) ? count - 1 : count;
  return left === 0 ? next : addBankDays(next, left);
}

/** Answers of `isBankDay`, because the lines of a statement ask about the same few days. */
const knownDays = new Map<string, boolean>();
const MOST_KNOWN_DAYS = 4_000;

/** Whether banks are open to the public on a day. */
export function isBankDay(date: string): boolean {
  const known = knownDays.get(date);
  if (known !== undefined) return known;
  const isOpen = isOpenOn(date);
  if (knownDays.size >= MOST_KNOWN_DAYS) knownDays.clear();
  knownDays.set(date, isOpen);
  return isOpen;
}

/**
 * The library knows weekends and the national holidays, including Carnival Tuesday and Corpus Christi. Banks also close on
 * Carnival Monday and on the last day of the year (CMN Resolution 4.880 of 2020).
 */
function isOpenOn(date: string): boolean {
  return isBusinessDay(libraryDate(date)) && !isCarnivalMonday(date) && !date.endsWith('-12-31');
}

function isCarnivalMonday(date: string): boolean {
  const tuesday = libraryDate(date);
  tuesday.setDate(tuesday.getDate() + 1);
  return getHolidays(tuesday.getFullYear()).some(
    (holiday) => holiday.name.startsWith('Carnaval') && isSameDay(holiday.date, tuesday),
  );
}

function isSameDay(a: Date, b: Date): boolean {
  return a.getMonth() === b.getMonth() && a.getDate() === b.getDate();
}

/** The library reads year, month and day in the time zone of the process. Noon local time is on this day in every zone. */
function libraryDate(date: string): Date {
  const { year, month, day: dayOfMonth } = day(date);
  return new Date(year, month - 1, dayOfMonth, 12);
}

/** UTC, because every day has 24 hours there. */
function day(date: string): DateTime {
  return DateTime.fromISO(date, { zone: 'utc' });
}
