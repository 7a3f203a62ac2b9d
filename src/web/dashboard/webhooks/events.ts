import type { Schema } from '../../api/client';

export type EventName = Schema<'PublishedEventName'>;

export const TRANSACTION_EVENTS = [
  'transaction.approved',
  'transaction.failed',
  'transaction.refunded',
  'transaction.pending',
  'transaction.authorized',
  'transaction.canceled',
] as const satisfies readonly EventName[];

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
] as const satisfies readonly EventName[];
