import type { RetryAdvice } from '../payments/advice-code';
import { addDays } from './billing-calendar';
import { permissionFor, type CardDecline } from './charge-guard';

/** Days after the first failure on which a charge is retried. See docs/decisions/subscription-charges.md. */
export const DEFAULT_DUNNING_DAYS: readonly number[] = [1, 4, 9, 16];

/** Retries end this many days after the first failure. */
export const MAX_DUNNING_DAYS = 30;

export interface DunningContext {
  /** When the cycle's charge was first declined, and the current time, both on the subscription's clock. */
  readonly firstFailedAt: Date;
  readonly at: Date;
  readonly decline: RetryAdvice;
  /** The company's dunning days, ascending. */
  readonly days: readonly number[];
  readonly timezone: string;
  readonly brand: string;
  readonly amountCents: number;
  /** The declines of the card, including the current one. */
  readonly declines: readonly CardDecline[];
}

/** When the charge is retried automatically; null if no retry is left. */
export function nextRetryAt(context: DunningContext): Date | null {
  const { firstFailedAt, at, decline, days, timezone, brand, amountCents, declines } = context;
  if (decline.retry !== 'automatic') return null;
  const scheduled = days.map((day) => addDays(firstFailedAt, day, timezone)).find((retry) => retry > at);
  if (scheduled === undefined) return null;
  const from = new Date(Math.max(+scheduled, +at + decline.waitMs));
  const permission = permissionFor({ brand, amountCents, at: from, initiator: 'schedule' }, declines);
  if (permission.kind === 'never') return null;
  const retry = permission.kind === 'later' ? permission.at : from;
  return retry <= addDays(firstFailedAt, MAX_DUNNING_DAYS, timezone) ? retry : null;
}
