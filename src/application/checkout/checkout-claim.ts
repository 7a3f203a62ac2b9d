import { assertNever } from '../../domain/shared/assert-never';
import {
  sessionProblem,
  type Buyer,
  type CheckoutSession,
  type SessionProblem,
} from '../../domain/checkout/checkout-session';
import { ApiError, notFound } from '../../domain/shared/errors';
import type { LinkProblem } from '../../domain/checkout/payment-link';
import type {
  CheckoutSessionRepository,
  SessionHolder,
} from '../../persistence/checkout/checkout-session-repository';
import type { PaymentLinkRepository } from '../../persistence/checkout/payment-link-repository';
import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { CustomerChoice } from '../payments/payment-request';

export interface CheckoutClaimDeps {
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly links: PaymentLinkRepository;
  readonly now: () => Date;
}

/** What a checkout session has to do with the payment or subscription that is made in it. */
export class CheckoutClaim {
  readonly sessionId: number;

  constructor(
    private readonly deps: CheckoutClaimDeps,
    private readonly session: CheckoutSession,
    /** The request as it came: what its key's hash is of. */
    readonly asked: object,
    /** Who buys, in their own words; null where the company has said who. */
    private readonly buyer: Buyer | null,
  ) {
    this.sessionId = session.id;
  }

  /**
   * Claims the session and the try. Before what holds it is inserted: of two tabs the second waits here.
   *
   * @throws ApiError `session_*`, `link_*`, `not_found`
   */
  async claimSession(tx: Tx, holder: SessionHolder): Promise<void> {
    const { checkoutSessions, now } = this.deps;
    if (!(await checkoutSessions.claim(tx, this.sessionId, holder, this.buyer, now())))
      throw await this.refusal(tx);
  }

  /** Claims the try of what holds the session already. */
  async tryAgain(tx: Tx, holder: SessionHolder): Promise<void> {
    const { checkoutSessions, now } = this.deps;
    if (!(await checkoutSessions.tryAgain(tx, this.sessionId, holder, now())))
      throw sessionError('session_used');
  }

  /** Claims the link's use. Last of all: until the transaction ends everybody else who buys from the link waits. */
  async useLink(tx: Tx): Promise<void> {
    const { link } = this.session;
    if (link === null) return;
    if (!(await this.deps.links.use(tx, link.id, this.deps.now()))) throw await this.linkRefusal(tx);
  }

  private async refusal(tx: Tx): Promise<ApiError> {
    const { checkoutSessions, now } = this.deps;
    const session = await checkoutSessions.get(this.session.companyId, this.sessionId, tx);
    return sessionError(sessionProblem(session, now()) ?? 'session_used');
  }

  private async linkRefusal(tx: Tx): Promise<ApiError> {
    const { checkoutSessions, now } = this.deps;
    const session = await checkoutSessions.get(this.session.companyId, this.sessionId, tx);
    // Its claim stands in this transaction: only the link can be what is in the way.
    return sessionError(sessionProblem({ ...session, status: 'open', tries: 0 }, now()) ?? 'link_exhausted');
  }
}

/** The first charge of what holds a session was declined, and nothing else is under way. */
export function isDeclined({ state, commands }: SubscriptionRecord): boolean {
  return state.status === 'pending' && state.openCharge === null && commands.length === 0;
}

/** A buyer in a public session says who they are and proves nothing: no customer is changed by it. */
export function asBuyer(customer: CustomerChoice): CustomerChoice {
  return customer.kind === 'described' ? { kind: 'buyer', details: customer.details } : customer;
}

/** Why nothing can be bought, as the API tells it. */
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

/** The same before there is a session: a deleted link is not there. */
export function linkError(problem: LinkProblem): ApiError {
  switch (problem) {
    case 'link_deleted':
    case 'link_inactive':
      return notFound();
    case 'link_expired':
      return new ApiError(problem, 'The payment link has expired.');
    case 'link_exhausted':
      return new ApiError(problem, 'The payment link was used as often as it may be.');
    default:
      return assertNever(problem);
  }
}
