import type { TransactionEvent } from '../payments/transaction-event';

const TRANSACTION_EVENTS = [
  'transaction.approved',
  'transaction.failed',
  'transaction.refunded',
  'transaction.pending',
  'transaction.authorized',
  'transaction.canceled',
] as const satisfies readonly TransactionEvent[];

const SUBSCRIPTION_EVENTS = [
  'subscription.created',
  'subscription.trial_started',
  'subscription.trial_ending',
  'subscription.activated',
  'subscription.payment.success',
  'subscription.payment.failed',
  'subscription.payment.retry',
  'subscription.card_expiring',
  'subscription.paused',
  'subscription.resumed',
  'subscription.plan_changed',
  'subscription.canceled',
  'subscription.past_due',
] as const;

/** What is published (interface, section 6). */
export const PUBLISHED_EVENTS = [...TRANSACTION_EVENTS, ...SUBSCRIPTION_EVENTS] as const;
export type PublishedEvent = (typeof PUBLISHED_EVENTS)[number];

/** What an endpoint may subscribe to. The last is accepted and never published. */
export const SUBSCRIBABLE_EVENTS = [...PUBLISHED_EVENTS, 'transaction.status_update'] as const;
export type SubscribableEvent = (typeof SUBSCRIBABLE_EVENTS)[number];

/** Sent to one endpoint when its owner asks for it. It tells of nothing that happened. */
export const TEST_EVENT = 'webhook.test';
export type WebhookEventType = PublishedEvent | typeof TEST_EVENT;

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';
