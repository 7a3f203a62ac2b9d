import { effectiveBillingDay } from '../domain/subscriptions/billing-calendar';
import type { CardSnapshot } from '../domain/shared/payment-snapshot';
import type { OpenCycle, SubscriptionEvent, SubscriptionState } from '../domain/subscriptions/subscription';
import { nextBillingAt } from '../domain/subscriptions/subscription-due';
import type { components } from '../http/generated/openapi';
import {
  presentChargeHold,
  presentPeriod,
  presentPrice,
  presentSubscriptionCard,
  presentTrial,
} from './subscription';

type EventPayload = Omit<
  components['schemas']['SubscriptionEventBody'],
  'event' | 'event_id' | 'mode' | 'subject' | 'sequence'
>;

/** The subscription data that an event's body shows. */
export interface PresentableSubscriptionEvent {
  readonly subscriptionId: string;
  readonly customerId: number;
  readonly card: CardSnapshot;
  readonly trialDays: number;
  readonly state: SubscriptionState;
  /** The id of the event's cycle; null if the event has none. */
  readonly cycleId: string | null;
  /** The payment that paid the cycle or failed; null if there is none. */
  readonly transactionId: string | null;
  /** Why the payment failed; null if it did not. */
  readonly decline: EventPayload['decline'];
}

/** What the body of a subscription event shows of the subscription. */
export function presentSubscriptionEvent(
  context: PresentableSubscriptionEvent,
  event: SubscriptionEvent,
): EventPayload {
  const { state, subscriptionId, customerId, trialDays } = context;
  const { period, plan } = state;
  const { amount, currency, interval, interval_count } = presentPrice(state);
  return {
    subscription_id: subscriptionId,
    plan_id: plan.planId,
    customer_id: customerId,
    status: state.status,
    amount,
    currency,
    interval,
    interval_count,
    billing_day: effectiveBillingDay(state.schedule),
    next_billing_at: nextBillingAt(state)?.toISOString() ?? null,
    current_period: period && presentPeriod(period),
    trial: presentTrial(state.trial, trialDays),
    credit_balance: state.creditBalanceCents,
    created_at: state.createdAt.toISOString(),
    occurred_at: state.lastTransitionAt.toISOString(),
    ...extraFields(context, event),
  };
}

function extraFields(context: PresentableSubscriptionEvent, event: SubscriptionEvent): Partial<EventPayload> {
  switch (event.type) {
    case 'subscription.created':
    case 'subscription.activated':
    case 'subscription.resumed':
    case 'subscription.uncanceled':
      return {};
    case 'subscription.trial_started':
    case 'subscription.trial_ending':
      return { trial_end: required(context.state.trial?.end).toISOString() };
    case 'subscription.card_expiring':
    case 'subscription.card_changed':
      return { card: presentSubscriptionCard(context.card) };
    case 'subscription.paused':
      return { paused_until: event.pausedUntil?.toISOString() ?? null };
    case 'subscription.cancel_scheduled':
      return { cancel_at: event.cancelAt.toISOString() };
    case 'subscription.canceled':
      return { at_period_end: event.atPeriodEnd };
    case 'subscription.plan_changed':
      return {
        new_plan_id: event.newPlanId,
        change_type: event.changeType,
        immediately: event.immediately,
        executed: event.executed,
      };
    case 'subscription.plan_change_withdrawn':
      return { new_plan_id: event.newPlanId, change_type: event.changeType };
    case 'subscription.payment.success':
      return {
        cycle_id: required(context.cycleId),
        kind: event.cycle.kind,
        plan_amount: context.state.plan.amountCents,
        amount_charged: event.cycle.chargeCents,
        credit_applied: event.cycle.creditCents,
        transaction_id: context.transactionId,
      };
    case 'subscription.payment.failed':
      return {
        ...retryFields(context, event.cycle),
        kind: event.cycle.kind,
        final: event.final,
        transaction_id: context.transactionId,
        decline: context.decline ?? null,
      };
    case 'subscription.payment.retry':
      return retryFields(context, event.cycle);
    case 'subscription.payment.delayed':
      return {
        cycle_id: required(context.cycleId),
        kind: event.cycle.kind,
        charge_on_hold: presentChargeHold(event.hold),
      };
    case 'subscription.past_due':
      return {
        cycle_id: required(context.cycleId),
        retry_count: event.cycle.retryCount,
        reason: event.reason,
      };
  }
}

function retryFields(
  { cycleId }: PresentableSubscriptionEvent,
  { retryCount, nextRetryAt }: Pick<OpenCycle, 'retryCount' | 'nextRetryAt'>,
) {
  return {
    cycle_id: required(cycleId),
    retry_count: retryCount,
    next_retry_at: nextRetryAt?.toISOString() ?? null,
  };
}

function required<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('a field of the event is missing');
  return value;
}
