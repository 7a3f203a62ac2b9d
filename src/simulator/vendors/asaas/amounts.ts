import { DateTime } from 'luxon';
import { z } from 'zod';
import { BRASILIA, dateIn } from '../../../domain/time/timezone';

/** Asaas' amounts are decimal numbers of reais. */
export const reais = (cents: number): number => cents / 100;

const TOLERANCE = 1e-6;

/** Reads an amount as cents, and refuses more than two decimal places. */
export const money = z
  .number()
  .positive()
  .max(10_000_000)
  .refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < TOLERANCE, 'more than two decimals')
  .transform((value) => Math.round(value * 100));

/** `2026-07-14`, in Brasilia. */
export const dayOf = (at: string | Date): string => dateIn(BRASILIA, new Date(at));

/** `2024-06-12 16:45:03`, in Brasilia. */
export function momentOf(at: string | Date): string {
  return DateTime.fromJSDate(new Date(at), { zone: BRASILIA }).toFormat('yyyy-MM-dd HH:mm:ss');
}

/** The end of a day in Brasilia, so many days or months later. */
export function endOf(day: string, later: { readonly days?: number; readonly months?: number } = {}): string {
  return DateTime.fromISO(day, { zone: BRASILIA }).plus(later).endOf('day').toUTC().toISO() ?? '';
}
