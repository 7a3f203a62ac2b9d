import type { TransactionEvent } from '../payments/transaction-event';

export const TRANSACTION_EVENTS = [
  'transaction.approved',
  'transaction.failed',
  'transaction.refunded',
  'transaction.pending',
  'transaction.authorized',
  'transaction.canceled',
] as const satisfies readonly TransactionEvent[];

export const DISPUTE_EVENTS = [
  'transaction.dispute.opened',
  'transaction.dispute.evidence_due',
  'transaction.dispute.closed',
] as const;
export type DisputeEvent = (typeof DISPUTE_EVENTS)[number];

export const SUBSCRIPTION_EVENTS = [
  'subscription.created',
  'subscription.trial_started',
  'subscription.trial_ending',
  'subscription.activated',
  'subscription.payment.success',
  'subscription.payment.failed',
  'subscription.payment.retry',
  'subscription.payment.delayed',
  'subscription.card_expiring',
  'subscription.card_changed',
  'subscription.paused',
  'subscription.resumed',
  'subscription.plan_changed',
  'subscription.plan_change_withdrawn',
  'subscription.cancel_scheduled',
  'subscription.uncanceled',
  'subscription.canceled',
  'subscription.past_due',
] as const;

/** The event types that are published. */
export const PUBLISHED_EVENTS = [...TRANSACTION_EVENTS, ...DISPUTE_EVENTS, ...SUBSCRIPTION_EVENTS] as const;
export type PublishedEvent = (typeof PUBLISHED_EVENTS)[number];

/** The event types that an endpoint may subscribe to. `transaction.status_update` is accepted but never published. */
export const SUBSCRIBABLE_EVENTS = [...PUBLISHED_EVENTS, 'transaction.status_update'] as const;
export type SubscribableEvent = (typeof SUBSCRIBABLE_EVENTS)[number];

/** Sent to one endpoint on request, to test it. */
export const TEST_EVENT = 'webhook.test';
export type WebhookEventType = PublishedEvent | typeof TEST_EVENT;

/** What an event is about. */
export interface EventSubject {
  readonly type: 'payment' | 'subscription' | 'dispute' | 'test';
  /** The public id of the payment, subscription or dispute; random for a test event. */
  readonly id: string;
}

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';
