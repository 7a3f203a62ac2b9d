import type { Interval, Recurrence } from './billing-calendar';
import { differing } from '../shared/change';
import type { FieldErrors } from '../shared/errors';
import type { PlanId } from '../shared/ids';
import type { Price } from './proration';

/** What a company says of something that it sells by subscription. */
export interface PlanDetails extends Price {
  readonly name: string;
  readonly description: string | null;
  /** ISO 4217. */
  readonly currency: string;
  /** Before the first charge; 0 for no trial. */
  readonly trialPeriodDays: number;
  /** Day of the month, 1 to 31; null is the day on which the first period starts. */
  readonly billingDay: number | null;
  /** For how many months a subscriber's card must still be valid. */
  readonly minCardMonths: number;
  /** Whether there may be new subscriptions. */
  readonly isActive: boolean;
}

export interface Plan extends PlanDetails {
  /** Its inner number. */
  readonly id: number;
  /** What the API names it by. */
  readonly uuid: PlanId;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** How many intervals a period may have: where the contract allows more, those of ten years. */
const MOST_INTERVALS: Readonly<Record<Interval, number>> = {
  daily: 365,
  weekly: 365,
  monthly: 120,
  yearly: 10,
};

/** What is wrong with a plan although each of its fields is well formed; null when nothing is. */
export function planFaults({ interval, intervalCount }: Recurrence): FieldErrors | null {
  const most = MOST_INTERVALS[interval];
  if (intervalCount <= most) return null;
  return { interval_count: [`must be at most ${most} when interval is ${interval}`] };
}

/** What subscribers were promised, by the API's names. */
const PROMISES = {
  amount: 'amountCents',
  currency: 'currency',
  interval: 'interval',
  interval_count: 'intervalCount',
} as const satisfies Record<string, keyof PlanDetails>;

/** What of it a change takes back, by the API's names: it may not once there are subscribers (decisions, section 7). */
export function changedImmutableFields(before: PlanDetails, after: PlanDetails): string[] {
  return differing<PlanDetails>(PROMISES, before, after);
}
