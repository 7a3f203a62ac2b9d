import type { AuthenticatedCompany } from '../companies/company';
import type { Coupon } from '../subscriptions/coupon';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { InstallmentOption } from './installment-options';
import type { Offer, CheckoutMethod, LinkProblem, LinkTerms } from './payment-link';
import { linkProblem } from './payment-link';
import type { Plan } from '../subscriptions/plan';
import type { SubscriptionState } from '../subscriptions/subscription';
import { createSubscription, type SubscriptionTerms } from '../subscriptions/subscription-lifecycle';
import { upcomingCharges } from '../subscriptions/upcoming-charges';

/**
 * The states of a session. The payment or subscription that a session creates claims it in the same transaction.
 *
 *     open           --claim, counts a try-->         claimed
 *     claimed        --the payment failed-->          open, or closed after the last try
 *     open           --the issuer is asked about a trial's card, counts a try-->    open, or closed with the last try
 *     open, closed   --that try begins the trial-->    claimed
 *     open, closed   --an abandoned pix is paid-->    claimed
 *     claimed        --an abandoned pix is paid, and its payment holds no money-->    claimed by the pix
 */
export type CheckoutSessionStatus = 'open' | 'claimed' | 'closed';

/** The number of payment tries in a session (docs/decisions/checkout.md). */
export const MAX_TRIES = 5;

const SESSION_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** When a session opened at `openedAt` expires. */
export function sessionExpiry(openedAt: Date): Date {
  return new Date(openedAt.getTime() + SESSION_LIFETIME_MS);
}

/** Sessions without a purchase are deleted if they were opened before this. Until then they report `session_expired`. */
export function unusedSessionCutoff(now: Date): Date {
  return new Date(now.getTime() - 30 * SESSION_LIFETIME_MS);
}

/** The buyer's data. The document has no punctuation; a buyer who was not asked for one has a `guestId` instead. */
export interface Buyer {
  readonly name: string;
  readonly email: string;
  readonly document: string | null;
  readonly guestId?: string;
}

/** Whether a buyer must enter a CPF or CNPJ: people elsewhere have none, and gateways need one for payments in BRL only. */
export function needsDocument(currency: string): boolean {
  return currency === 'BRL';
}

/** What the buyer of a subscription was shown. The charges are in cents. */
export interface ShownOffer {
  readonly firstCents: number;
  readonly recurringCents: number | null;
  /** How many cycles the coupon discounts; null for all of them, or without a coupon. */
  readonly couponCycles: number | null;
}

/** The data that opens a session. */
export interface CheckoutTerms extends Offer {
  readonly merchantOrderId: string;
  readonly paymentMethod: CheckoutMethod;
  readonly gatewayFirstTry: GatewaySlug | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  /** How a card can pay. The session keeps them when the link changes. */
  readonly installmentOptions: readonly InstallmentOption[];
  /** The buyer's data, if already known. */
  readonly buyer: Buyer | null;
}

export interface CheckoutSession extends CheckoutTerms {
  /** The internal id. */
  readonly id: number;
  readonly companyId: number;
  /** The internal id of the customer that the company specified. */
  readonly customerId: number | null;
  /** With the terms that it had when the session was opened. */
  readonly plan: Plan | null;
  readonly coupon: Coupon | null;
  /** Null for a one-time purchase. */
  readonly shown: ShownOffer | null;
  /** Null for a session that the company created through the API. */
  readonly link: (LinkTerms & { readonly id: number; readonly name: string }) | null;
  readonly status: CheckoutSessionStatus;
  readonly tries: number;
  /** The payment of the last try. */
  readonly transactionId: string | null;
  readonly subscriptionId: string | null;
  readonly expiresAt: Date;
}

/**
 * Who buys: the customer that the company named, or anybody, with what they entered (null if it is not known yet, or was
 * erased).
 */
export type CheckoutParty = Pick<CheckoutSession, 'customerId' | 'buyer'>;

/** The session of a checkout request, and its company. */
export interface CheckoutCaller {
  readonly sessionId: number;
  readonly company: AuthenticatedCompany;
  /** The session token of the request. */
  readonly token: string;
}

export type SessionProblem = 'session_used' | 'session_expired' | LinkProblem;

/** Why a session cannot be paid at an instant, or null. */
export function sessionProblem(
  {
    status,
    tries,
    link,
    expiresAt,
  }: Pick<CheckoutSession, 'status' | 'tries' | 'expiresAt'> & { readonly link: LinkTerms | null },
  at: Date,
): SessionProblem | null {
  if (status !== 'open' || tries >= MAX_TRIES) return 'session_used';
  const linkIssue = link && linkProblem(link, at);
  if (linkIssue === 'link_deleted' || linkIssue === 'link_inactive') return linkIssue;
  return expiresAt <= at ? 'session_expired' : linkIssue;
}

/** A claimed session as if its claim were released. */
export function withoutClaim(session: CheckoutSession): CheckoutSession {
  const { link } = session;
  return { ...session, status: 'open', link: link && { ...link, usesCount: link.usesCount - 1 } };
}

/** The charges of a purchase, in cents. */
export interface PurchaseCharges {
  readonly firstCents: number;
  /** Null if charged immediately. */
  readonly firstAt: Date | null;
  /** Null for a one-time purchase. */
  readonly recurringCents: number | null;
}

/** The charges of a session's purchase at `at`, computed by the billing code. */
export function purchaseChargesOf(
  { amountCents, plan, coupon }: Pick<CheckoutSession, 'amountCents' | 'plan' | 'coupon'>,
  timezone: string,
  at: Date,
): PurchaseCharges {
  if (plan === null) return { firstCents: amountCents ?? 0, firstAt: null, recurringCents: null };
  const { uuid: planId, currency, interval, intervalCount } = plan;
  const created = createSubscription(
    {
      plan: { planId, amountCents: plan.amountCents, currency, interval, intervalCount },
      billingDay: plan.billingDay,
      trialDays: plan.trialPeriodDays,
      timezone,
      card: PLACEHOLDER_CARD,
      coupon: coupon && { discount: coupon, cyclesUsed: 0 },
    },
    at,
  );
  // A first cycle without cost closes immediately, so it is not among the upcoming ones.
  const waived = created.closed.map(({ cycle }) => cycle);
  const [first, second] = [...waived, ...upcomingCharges(created.state, 2)];
  return {
    firstCents: first?.chargeCents ?? 0,
    firstAt: created.state.trial?.end ?? null,
    recurringCents: second?.chargeCents ?? null,
  };
}

/** What the buyer of a subscription is shown at an instant; null for a one-time purchase. */
export function offerAt(
  sale: Parameters<typeof purchaseChargesOf>[0],
  timezone: string,
  at: Date,
): ShownOffer | null {
  if (sale.plan === null) return null;
  const { firstCents, recurringCents } = purchaseChargesOf(sale, timezone, at);
  return { firstCents, recurringCents, couponCycles: sale.coupon?.maxCycles ?? null };
}

/** Whether the charges are still those that the buyer was shown. */
export function isSameOffer(shown: ShownOffer, current: ShownOffer): boolean {
  return (
    shown.firstCents === current.firstCents &&
    shown.recurringCents === current.recurringCents &&
    shown.couponCycles === current.couponCycles
  );
}

/** The amounts do not depend on the card. */
const PLACEHOLDER_CARD: SubscriptionTerms['card'] = {
  fingerprint: '',
  brand: '',
  last4Digits: '',
  expireMonth: 12,
  expireYear: 9999,
};

/** Whether a transition proves that the first payment can never succeed. A canceled trial does not count. */
export function neverPaid(before: SubscriptionState, after: SubscriptionState): boolean {
  return (
    after.status === 'canceled' &&
    after.cyclesPaid === 0 &&
    (before.status === 'pending' || before.status === 'past_due')
  );
}
