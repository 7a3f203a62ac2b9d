import { dayOfBilling } from '../domain/subscriptions/billing-calendar';
import type { CardSnapshot } from '../domain/shared/payment-snapshot';
import type { SubscriptionEvent, SubscriptionState } from '../domain/subscriptions/subscription';
import { nextBillingAt } from '../domain/subscriptions/subscription-due';
import type { components } from '../http/generated/openapi';
import { presentPeriod, presentPrice, presentSubscriptionCard, presentTrial } from './subscription';

type EventBody = components['schemas']['SubscriptionEventBody'];

/** What an event tells of, beside its own news. */
export interface PresentableSubscriptionEvent {
  readonly subscriptionId: string;
  readonly customerId: number;
  readonly card: CardSnapshot;
  readonly trialDays: number;
  readonly state: SubscriptionState;
  /** The event's place among the subscription's, from 1. */
  readonly sequence: number;
  /** The id of the cycle the news are of, if they are of one. */
  readonly cycleId: string | null;
  /** The payment that paid it, if one did. */
  readonly transactionId: string | null;
}

/** The body of a subscription's event (interface, section 6). */
export function presentSubscriptionEvent(
  subject: PresentableSubscriptionEvent,
  news: SubscriptionEvent,
): EventBody {
  const { state, subscriptionId, customerId, sequence, trialDays } = subject;
  const { period, plan } = state;
  const { amount, currency, interval, interval_count } = presentPrice(state);
  return {
    event: news.event,
    sequence,
    subscription_id: subscriptionId,
    plan_id: plan.planId,
    customer_id: customerId,
    status: state.status,
    amount,
    currency,
    interval,
    interval_count,
    billing_day: dayOfBilling(state.schedule),
    next_billing_at: nextBillingAt(state)?.toISOString() ?? null,
    current_period: period && presentPeriod(period),
    trial: presentTrial(state.trial, trialDays),
    created_at: state.createdAt.toISOString(),
    occurred_at: state.lastTransitionAt.toISOString(),
    ...extraFields(subject, news),
  };
}

function extraFields(subject: PresentableSubscriptionEvent, news: SubscriptionEvent): Partial<EventBody> {
  switch (news.event) {
    case 'subscription.created':
    case 'subscription.activated':
    case 'subscription.resumed':
      return {};
    case 'subscription.trial_started':
    case 'subscription.trial_ending':
      return { trial_end: known(subject.state.trial?.end).toISOString() };
    case 'subscription.card_expiring':
      return { card: presentSubscriptionCard(subject.card) };
    case 'subscription.paused':
      return { paused_until: news.pausedUntil?.toISOString() ?? null };
    case 'subscription.canceled':
      return { at_period_end: news.atPeriodEnd };
    case 'subscription.plan_changed':
      return {
        new_plan_id: news.newPlanId,
        change_type: news.changeType,
        immediately: news.immediately,
        executed: news.executed,
      };
    case 'subscription.payment.success':
      return {
        cycle_id: known(subject.cycleId),
        amount_charged: news.chargedCents,
        transaction_id: subject.transactionId,
      };
    case 'subscription.payment.failed':
      return { ...retryFields(subject, news), final: news.final };
    case 'subscription.payment.retry':
      return retryFields(subject, news);
    case 'subscription.past_due':
      return { cycle_id: known(subject.cycleId), retry_count: news.retryCount, reason: news.reason };
  }
}

function retryFields(
  { cycleId }: PresentableSubscriptionEvent,
  { retryCount, nextRetryAt }: { readonly retryCount: number; readonly nextRetryAt: Date | null },
) {
  return {
    cycle_id: known(cycleId),
    retry_count: retryCount,
    next_retry_at: nextRetryAt?.toISOString() ?? null,
  };
}

function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('the news lack what they tell of');
  return value;
}
