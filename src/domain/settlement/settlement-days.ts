import { DateTime } from 'luxon';
import { BRASILIA } from '../time/timezone';

/** Within this time of midnight, the gateway may count a payment to the other day. */
export const MIDNIGHT_TOLERANCE_MS = 15 * 60 * 1000;

/** The day itself if banks are open on it, else the next day on which they are; `YYYY-MM-DD`. */
export type BankDays = (day: string) => string;

/** The days to which the gateway may count an instant. */
export function possibleDays(at: Date): { readonly first: string; readonly last: string } {
  return { first: dayAt(at, -MIDNIGHT_TOLERANCE_MS), last: dayAt(at, MIDNIGHT_TOLERANCE_MS) };
}

/** The days on which a receivable may be settled: the expected one and, if banks are closed on it, until they open. */
export function settlementDays(
  { expectedOn, postedAt }: { readonly expectedOn: string; readonly postedAt: Date },
  nextBankDay: BankDays,
): { readonly first: string; readonly last: string } {
  const { first, last } = possibleDays(postedAt);
  const posted = dayAt(postedAt, 0);
  return {
    first: first === posted ? expectedOn : plusDays(expectedOn, -1),
    last: nextBankDay(last === posted ? expectedOn : plusDays(expectedOn, 1)),
  };
}

/** Whether `day` lies in the days, inclusive. */
export function isWithin(day: string, days: { readonly first: string; readonly last: string }): boolean {
  return day >= days.first && day <= days.last;
}

export function plusDays(day: string, days: number): string {
  return DateTime.fromISO(day, { zone: 'utc' }).plus({ days }).toFormat('yyyy-MM-dd');
}

/** Within a quarter of an hour the day does not change: Brazil's offsets from UTC are whole hours. */
const QUARTER_MS = 15 * 60 * 1000;
/** Day by quarter of an hour, because the lines of a statement ask about the same few hundred. */
const knownDays = new Map<number, string>();
const MOST_KNOWN_DAYS = 4_000;

function dayAt(at: Date, offsetMs: number): string {
  const quarter = Math.floor((at.getTime() + offsetMs) / QUARTER_MS);
  const known = knownDays.get(quarter);
  if (known !== undefined) return known;
  const day = DateTime.fromMillis(quarter * QUARTER_MS, { zone: BRASILIA }).toFormat('yyyy-MM-dd');
  if (knownDays.size >= MOST_KNOWN_DAYS) knownDays.clear();
  knownDays.set(quarter, day);
  return day;
}
