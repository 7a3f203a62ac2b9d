import type { AuthenticatedCompany } from '../companies/company';
import type { Coupon } from '../subscriptions/coupon';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { Offer, CheckoutMethod, LinkProblem, LinkTerms } from './payment-link';
import { linkProblem } from './payment-link';
import type { Plan } from '../subscriptions/plan';
import type { SubscriptionState } from '../subscriptions/subscription';
import { createSubscription, type SubscriptionTerms } from '../subscriptions/subscription-lifecycle';
import { upcoming } from '../subscriptions/upcoming-charges';

/**
 * A session's states. It is claimed by the payment or subscription that it makes, in the transaction that makes it.
 *
 *     open           --claim, which is a try-->  claimed
 *     claimed        --failure is proven-->      open, or closed after the last try
 *     open, closed   --paid after all-->         claimed: a pix that was given up and is paid late
 */
export type CheckoutSessionStatus = 'open' | 'claimed' | 'closed';

/** How often paying can be tried in a session (decisions, section 8). */
export const MAX_TRIES = 5;

const SESSION_LASTS_MS = 24 * 60 * 60 * 1000;

/** Until when a session that is opened now can be used. */
export function sessionEnd(openedAt: Date): Date {
  return new Date(openedAt.getTime() + SESSION_LASTS_MS);
}

/** A session that nobody paid in says for a month that it has expired, and is erased then. */
export function unusedSince(now: Date): Date {
  return new Date(now.getTime() - 30 * SESSION_LASTS_MS);
}

/** What a buyer says of themselves; the document without punctuation. */
export interface Buyer {
  readonly name: string;
  readonly email: string;
  readonly document: string;
}

/** What a session is opened with. */
export interface CheckoutTerms extends Offer {
  readonly merchantOrderId: string;
  readonly paymentMethod: CheckoutMethod;
  readonly gatewayFirstTry: GatewaySlug | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  /** Who buys, in their own words. */
  readonly buyer: Buyer | null;
}

export interface CheckoutSession extends CheckoutTerms {
  /** Its inner number. */
  readonly id: number;
  readonly companyId: number;
  /** The customer that the company named; its inner number. */
  readonly customerId: number | null;
  readonly plan: Plan | null;
  readonly coupon: Coupon | null;
  /** Null for a session of the company's own making. */
  readonly link: (LinkTerms & { readonly id: number }) | null;
  readonly status: CheckoutSessionStatus;
  readonly tries: number;
  /** What it bought, or last tried to. */
  readonly transactionId: string | null;
  readonly subscriptionId: string | null;
  readonly expiresAt: Date;
}

/** The session that a request continues, and the company it buys from. */
export interface CheckoutCaller {
  readonly sessionId: number;
  readonly company: AuthenticatedCompany;
  /** As it was sent. */
  readonly token: string;
}

export type SessionProblem = 'session_used' | 'session_expired' | LinkProblem;

/** Why nothing can be bought in a session at an instant, or null. */
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
  const ofLink = link && linkProblem(link, at);
  if (ofLink === 'link_deleted' || ofLink === 'link_inactive') return ofLink;
  return expiresAt <= at ? 'session_expired' : ofLink;
}

/** A claimed session as it would be without what claims it. */
export function withoutClaim(session: CheckoutSession): CheckoutSession {
  const { link } = session;
  return { ...session, status: 'open', link: link && { ...link, usesCount: link.usesCount - 1 } };
}

/** What a buyer will be charged, in cents. */
export interface Charges {
  readonly firstCents: number;
  /** Null for at once. */
  readonly firstAt: Date | null;
  /** Null where nothing recurs. */
  readonly recurringCents: number | null;
}

/** What a session's purchase would cost from now on, told by the code that bills. */
export function chargesOf(
  { amountCents, plan, coupon }: Pick<CheckoutSession, 'amountCents' | 'plan' | 'coupon'>,
  timezone: string,
  at: Date,
): Charges {
  if (plan === null) return { firstCents: amountCents ?? 0, firstAt: null, recurringCents: null };
  const { uuid: planId, currency, interval, intervalCount } = plan;
  const begun = createSubscription(
    {
      plan: { planId, amountCents: plan.amountCents, currency, interval, intervalCount },
      billingDay: plan.billingDay,
      trialDays: plan.trialPeriodDays,
      timezone,
      card: ANY_CARD,
      coupon: coupon && { discount: coupon, cyclesUsed: 0 },
    },
    at,
  );
  // A first cycle that costs nothing is over as soon as it begins: it is not among those to come.
  const waived = begun.closed.map(({ cycle }) => cycle);
  const [first, second] = [...waived, ...upcoming(begun.state, 2)];
  return {
    firstCents: first?.chargeCents ?? 0,
    firstAt: begun.state.trial?.end ?? null,
    recurringCents: second?.chargeCents ?? null,
  };
}

/** Prices do not depend on it. */
const ANY_CARD: SubscriptionTerms['card'] = {
  fingerprint: '',
  brand: '',
  last4Digits: '',
  expireMonth: 12,
  expireYear: 9999,
};

/** Whether what happened to a subscription proves that its first payment never succeeds. Who leaves during a trial has had that. */
export function neverPaid(before: SubscriptionState, after: SubscriptionState): boolean {
  return (
    after.status === 'canceled' &&
    after.cyclesPaid === 0 &&
    (before.status === 'pending' || before.status === 'past_due')
  );
}
