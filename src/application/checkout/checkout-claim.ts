import { assertNever } from '../../domain/shared/assert-never';
import {
  isSameOffer,
  offerAt,
  sessionProblem,
  type Buyer,
  type CheckoutSession,
  type SessionProblem,
} from '../../domain/checkout/checkout-session';
import { ApiError, notFound, validationError } from '../../domain/shared/errors';
import type { LinkProblem } from '../../domain/checkout/payment-link';
import type { Coupon } from '../../domain/subscriptions/coupon';
import type { Plan } from '../../domain/subscriptions/plan';
import type {
  CheckoutSessionRepository,
  SessionHolder,
} from '../../persistence/checkout/checkout-session-repository';
import type { PaymentLinkRepository } from '../../persistence/checkout/payment-link-repository';
import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { Language } from '../../domain/users/language';
import type { CustomerChoice } from '../payments/payment-request';

export interface CheckoutClaimDeps {
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly links: PaymentLinkRepository;
  readonly now: () => Date;
}

/** Claims a checkout session, and a use of its link, for the payment or subscription that the session creates. */
export class CheckoutClaim {
  readonly sessionId: number;
  private isCounted = false;

  constructor(
    private readonly deps: CheckoutClaimDeps,
    private readonly session: CheckoutSession,
    /** The original request, which the idempotency hash covers; in it the first charge that the buyer saw, in cents. */
    readonly request: object & { readonly first_charge_amount?: number | null },
    /** The buyer's details as the buyer entered them; null if the company named the customer. */
    private readonly buyer: Buyer | null,
    /** Of the buyer's browser. */
    private readonly language: Language,
  ) {
    this.sessionId = session.id;
  }

  /** Whether the company did not name the customer. */
  get isPublic(): boolean {
    return this.session.customerId === null;
  }

  /** Set for a buyer who was not asked for a document. */
  get guestId(): string | null {
    return this.buyer?.guestId ?? null;
  }

  /**
   * Claims the session and counts a try, unless `countTry` did. Runs before the payment or subscription is inserted, so that the
   * second of two tabs waits here for the row lock.
   *
   * @throws ApiError `session_*`, `link_*`, `not_found`
   */
  async claimSession(tx: Tx, holder: SessionHolder): Promise<void> {
    const { checkoutSessions, now } = this.deps;
    const { session, buyer, isCounted, language } = this;
    const claim = { ...holder, isCounted, language };
    if (!(await checkoutSessions.claim(tx, session, claim, buyer, now()))) throw await this.refusal(tx);
  }

  /** Counts another attempt by the payment or subscription that holds the session already. */
  async claimRetry(tx: Tx, holder: SessionHolder): Promise<void> {
    const { checkoutSessions, now } = this.deps;
    if (!(await checkoutSessions.recordRetry(tx, this.sessionId, holder, now())))
      throw sessionError('session_used');
  }

  /**
   * Counts a try before the issuer is asked about its card, so that no number of requests asks about more cards than a session has
   * tries. It stays counted if the session is not claimed.
   *
   * @throws ApiError `session_*`, `link_*`
   */
  async countTry(): Promise<void> {
    const { checkoutSessions, now } = this.deps;
    if (!(await checkoutSessions.countTry(this.sessionId, now()))) throw await this.refusal();
    this.isCounted = true;
  }

  /** The plan with the terms that the session has shown. */
  agreedPlan(plan: Plan): Plan {
    const shown = this.session.plan;
    if (shown === null) return plan;
    const { amountCents, currency, interval, intervalCount, trialPeriodDays, billingDay } = shown;
    return { ...plan, amountCents, currency, interval, intervalCount, trialPeriodDays, billingDay };
  }

  /**
   * Checks that the charges of a subscription created `now` are those that the buyer was shown. They differ for example if a
   * part of a month became shorter.
   *
   * @throws ApiError `offer_changed`
   */
  assertSameOffer(plan: Plan, coupon: Coupon | null, timezone: string, now: Date): void {
    const { shown, amountCents } = this.session;
    const current = offerAt({ amountCents, plan, coupon }, timezone, now);
    if (shown !== null && current !== null && !isSameOffer(shown, current)) throw offerChanged();
    this.assertSeenOffer();
  }

  /** Checks that the buyer saw what the session shows, and not what it showed before. @throws ApiError `offer_changed` */
  assertSeenOffer(): void {
    const { shown } = this.session;
    const seenCents = this.request.first_charge_amount ?? shown?.firstCents;
    if (shown !== null && seenCents !== shown.firstCents) throw offerChanged();
  }

  /** Rethrows the error of a purchase. If the offer has changed, the session shows the current one from now on. */
  async rethrow(error: unknown, timezone: string): Promise<never> {
    const { checkoutSessions, now } = this.deps;
    if (error instanceof ApiError && error.code === 'offer_changed') {
      const shown = offerAt(this.session, timezone, now());
      if (shown !== null)
        await checkoutSessions.changeOffer(this.session.companyId, this.sessionId, shown, now());
    }
    throw error;
  }

  /** Counts a use of the link. Runs last, because its row lock makes all other buyers of the link wait. */
  async useLink(tx: Tx): Promise<void> {
    const { link } = this.session;
    if (link === null) return;
    if (!(await this.deps.links.claimUse(tx, link.id, this.deps.now()))) throw await this.linkRefusal(tx);
  }

  private async refusal(tx?: Tx): Promise<ApiError> {
    const { checkoutSessions, now } = this.deps;
    const session = await checkoutSessions.get(this.session.companyId, this.sessionId, tx);
    return sessionError(sessionProblem(session, now()) ?? 'session_used');
  }

  private async linkRefusal(tx: Tx): Promise<ApiError> {
    const { checkoutSessions, now } = this.deps;
    const session = await checkoutSessions.get(this.session.companyId, this.sessionId, tx);
    // This transaction has claimed the session, so only the link can be the reason.
    return sessionError(sessionProblem({ ...session, status: 'open', tries: 0 }, now()) ?? 'link_exhausted');
  }
}

function offerChanged(): ApiError {
  return new ApiError(
    'offer_changed',
    'The price has changed. Read the session and show the buyer the new amounts.',
  );
}

/** Why its network forbids to charge a card is not the buyer's business. */
export function throwInPublicWords(error: unknown): never {
  const isForbiddenCard = error instanceof ApiError && error.fields?.['card'] !== undefined;
  if (!isForbiddenCard) throw error;
  const reason = ['cannot be charged: use another card'];
  throw validationError({ card: reason, 'card.number': reason });
}

/** Whether the subscription's first charge was declined and neither a charge nor a command is in progress. */
export function isFirstChargeDeclined({ state, commands }: SubscriptionRecord): boolean {
  return state.status === 'pending' && state.openCharge === null && commands.length === 0;
}

/** A buyer in a public session is not authenticated and must not change the stored customer. */
export function toBuyer(customer: CustomerChoice): CustomerChoice {
  return customer.kind === 'described' ? { kind: 'buyer', details: customer.details } : customer;
}

/** Reports early what the claim would reject later. */
export function assertPayable(session: CheckoutSession, now: Date): void {
  const problem = sessionProblem(session, now);
  if (problem !== null) throw sessionError(problem);
}

/** The API error for a session that cannot be paid. */
export function sessionError(problem: SessionProblem): ApiError {
  switch (problem) {
    case 'session_used':
      return new ApiError(problem, 'The checkout session was used.');
    case 'session_expired':
      return new ApiError(problem, 'The checkout session has expired.');
    case 'link_deleted':
      return new ApiError(problem, 'The payment link was deleted.');
    case 'link_inactive':
    case 'link_expired':
    case 'link_exhausted':
      return linkError(problem);
    default:
      return assertNever(problem);
  }
}

/** A deleted or inactive link answers like a link that does not exist. */
export function isHiddenLink(problem: LinkProblem): problem is 'link_deleted' | 'link_inactive' {
  return problem === 'link_deleted' || problem === 'link_inactive';
}

/** The API error for a link from which no session can be opened. */
export function linkError(problem: LinkProblem): ApiError {
  if (isHiddenLink(problem)) return notFound();
  switch (problem) {
    case 'link_expired':
      return new ApiError(problem, 'The payment link has expired.');
    case 'link_exhausted':
      return new ApiError(problem, 'The payment link has reached its maximum number of uses.');
    default:
      return assertNever(problem);
  }
}
