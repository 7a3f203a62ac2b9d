import type { SubscriptionId } from '../shared/ids';
import type { Interval } from './billing-calendar';
import type { SubscriptionStatus } from './subscription';

/** What starts or signals a subscription's workflow, including what the Temporal UI's list shows. Amount in cents. */
export interface SubscriptionToStart {
  readonly uuid: SubscriptionId;
  readonly companyId: number;
  readonly status: SubscriptionStatus;
  readonly planName: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly interval: Interval;
  readonly intervalCount: number;
}
