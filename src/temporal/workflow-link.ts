import type { AttemptStatus } from '../domain/payments/payment';
import type { SubscriptionId } from '../domain/shared/ids';
import { paymentWorkflowId } from '../../workflows/messages';
import { subscriptionWorkflowId } from '../../workflows/subscriptions/messages';

/** The address of Temporal's UI. */
export interface TemporalUi {
  /** Without a trailing slash; null if the deployment has no UI. */
  readonly url: string | null;
  readonly namespace: string;
}

/** A link to a workflow, where Temporal's UI shows the newest run: later work on a closed workflow is a run of its own. */
export function workflowLink(
  { url, namespace }: TemporalUi,
  id: string,
): { readonly id: string; readonly url: string | null } {
  if (url === null) return { id, url };
  return {
    id,
    url: `${url}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(id)}`,
  };
}

/** What tells in which workflow the work on a payment was done. */
export interface WorkedOnPayment {
  readonly transactionId: string;
  readonly subscriptionId: SubscriptionId | null;
}

/**
 * The workflow that worked on a payment. A charge of a subscription whose first attempt had a result was made by the subscription's
 * workflow, and its payment has none of its own.
 */
export function workflowOfPayment(
  { transactionId, subscriptionId }: WorkedOnPayment,
  attempts: ReadonlyArray<{ readonly status: AttemptStatus }>,
): string {
  if (subscriptionId === null || attempts.length > 1 || attempts.some(({ status }) => LEFT_OPEN.has(status)))
    return paymentWorkflowId(transactionId);
  return subscriptionWorkflowId(subscriptionId);
}

/** The payment's workflow is there to find these a result. */
const LEFT_OPEN: ReadonlySet<AttemptStatus> = new Set(['unknown', 'pending', 'abandoned']);
