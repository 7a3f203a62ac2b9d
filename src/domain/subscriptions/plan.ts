import type { Interval, Recurrence } from './billing-calendar';
import { changedFieldNames } from '../shared/change';
import type { FieldErrors } from '../shared/errors';
import type { PlanId } from '../shared/ids';
import type { Price } from './proration';

/** The fields of a plan that the company sets. */
export interface PlanDetails extends Price {
  readonly name: string;
  readonly description: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Days before the first charge; 0 for no trial. */
  readonly trialPeriodDays: number;
  /** Day of the month, 1 to 31; null means the day on which the first period starts. */
  readonly billingDay: number | null;
  /** Number of months for which a subscriber's card must still be valid. */
  readonly minCardMonths: number;
  /** Inactive plans accept no new subscriptions. */
  readonly isActive: boolean;
}

export interface Plan extends PlanDetails {
  /** Primary key; never shown by the API. */
  readonly id: number;
  /** Its id in the API. */
  readonly uuid: PlanId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Largest `interval_count`: a period lasts at most about ten years, or the maximum of the API contract. */
const MAX_INTERVAL_COUNT: Readonly<Record<Interval, number>> = {
  daily: 365,
  weekly: 365,
  monthly: 120,
  yearly: 10,
};

/** Errors that involve several fields of a plan; null if there are none. */
export function planErrors({ interval, intervalCount }: Recurrence): FieldErrors | null {
  const max = MAX_INTERVAL_COUNT[interval];
  if (intervalCount <= max) return null;
  return { interval_count: [`must be at most ${max} when interval is ${interval}`] };
}

/** The fields that cannot change once a plan has subscribers, by the API's names. */
const IMMUTABLE_FIELDS = {
  amount: 'amountCents',
  currency: 'currency',
  interval: 'interval',
  interval_count: 'intervalCount',
} as const satisfies Record<string, keyof PlanDetails>;

/** The immutable fields that differ, by the API's names. See docs/decisions/subscriptions.md. */
export function changedImmutableFields(before: PlanDetails, after: PlanDetails): string[] {
  return changedFieldNames<PlanDetails>(IMMUTABLE_FIELDS, before, after);
}
