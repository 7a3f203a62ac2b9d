import {
  MAX_TRIES,
  needsDocument,
  type PurchaseCharges,
  type CheckoutSession,
} from '../domain/checkout/checkout-session';
import type { Coupon } from '../domain/subscriptions/coupon';
import type { Plan } from '../domain/subscriptions/plan';
import type { SavedCard } from '../domain/customers/customer';
import type { components } from '../http/generated/openapi';
import { presentSavedCard } from './card';
import { presentInstallmentOption } from './installments';
import { presentPayment, type PresentableAttempt, type PresentablePayment } from './payment';
import { toPublicPayment, withBuyerDetails } from './public-checkout';
import { presentSubscription, type PresentableSubscription } from './subscription';
import type { PresentableDelivery } from './webhook';

type Schemas = components['schemas'];

/** A session with its payment or subscription. */
export interface PresentableSession {
  readonly token: string;
  readonly session: CheckoutSession;
  readonly charges: PurchaseCharges;
  readonly savedCards: readonly SavedCard[];
  readonly payment: {
    readonly payment: PresentablePayment;
    readonly attempts: readonly PresentableAttempt[];
    readonly deliveries: readonly PresentableDelivery[];
  } | null;
  readonly subscription: PresentableSubscription | null;
  readonly canChangeToCard: boolean;
}

export function presentCheckoutSession(shown: PresentableSession): Schemas['CheckoutSession'] {
  const { token, session, charges, savedCards, payment, subscription } = shown;
  const { plan, coupon } = session;
  return {
    token,
    type: session.type,
    plan_id: plan?.id ?? null,
    plan_uuid: plan?.uuid ?? null,
    plan: plan && presentPlanOnSale(plan),
    amount: session.amountCents,
    currency: plan?.currency ?? session.currency,
    merchant_order_id: session.merchantOrderId,
    payment_method: session.paymentMethod,
    payment_methods: [...session.paymentMethods],
    gateway_first_try: session.gatewayFirstTry,
    metadata: session.metadata && { ...session.metadata },
    success_url: session.successUrl,
    cancel_url: session.cancelUrl,
    expires_at: session.expiresAt.toISOString(),
    saved_cards: savedCards.map(presentSavedCard),
    tries_left: MAX_TRIES - session.tries,
    can_change_to_card: shown.canChangeToCard,
    customer_required: session.customerId === null && session.buyer === null,
    document_required: needsDocument(plan?.currency ?? session.currency),
    installment_options: session.installmentOptions.map(presentInstallmentOption),
    first_charge_amount: charges.firstCents,
    first_charge_at: charges.firstAt && charges.firstAt.toISOString(),
    recurring_amount: charges.recurringCents,
    coupon: coupon && presentCoupon(coupon),
    payment:
      payment &&
      toPublicPayment(presentPayment(payment.payment, payment.attempts, payment.deliveries), session),
    subscription: subscription && withBuyerDetails(presentSubscription(subscription), session),
  };
}

function presentPlanOnSale(plan: Plan): Schemas['CheckoutPlan'] {
  return {
    name: plan.name,
    description: plan.description,
    amount: plan.amountCents,
    interval: plan.interval,
    interval_count: plan.intervalCount,
    trial_period_days: plan.trialPeriodDays,
  };
}

function presentCoupon(coupon: Coupon): Schemas['SubscriptionCoupon'] {
  const { uuid, code, name, discountType, discountValue, maxCycles } = coupon;
  return {
    id: uuid,
    code,
    name,
    discount_type: discountType,
    discount_value: discountValue,
    max_cycles: maxCycles,
    cycles_used: 0,
  };
}
