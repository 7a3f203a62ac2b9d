import {
  MAX_TRIES,
  purchaseChargesOf,
  sessionProblem,
  type PurchaseCharges,
  type CheckoutCaller,
  type CheckoutSession,
} from '../../domain/checkout/checkout-session';
import type { SavedCard } from '../../domain/customers/customer';
import type { SubscriptionId } from '../../domain/shared/ids';
import type { CheckoutSessionRepository } from '../../persistence/checkout/checkout-session-repository';
import type { CustomerCardRepository } from '../../persistence/customers/customer-card-repository';
import type { PaymentRepository } from '../../persistence/payments/payment-repository';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import { isFirstChargeDeclined, sessionError } from './checkout-claim';
import { holdsOpenPix, isPixCancelable } from './open-pix';
import type { FindPayment, FoundPayment } from '../payments/find-payment';
import type { OpenedSession } from './open-checkout';

export interface ShowCheckoutDeps {
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly customerCards: CustomerCardRepository;
  readonly payments: PaymentRepository;
  readonly subscriptions: SubscriptionRepository;
  readonly findPayment: FindPayment;
  readonly registries: GatewayRegistries;
  readonly now: () => Date;
}

/** A session as its buyer sees it. */
export interface ShownSession {
  readonly token: string;
  readonly session: CheckoutSession;
  readonly charges: PurchaseCharges;
  readonly savedCards: readonly SavedCard[];
  /** The session's newest payment. */
  readonly payment: FoundPayment | null;
  readonly subscription: SubscriptionRecord | null;
  /** Whether a card can pay instead of the open pix: its gateway cancels the pix. False without an open pix. */
  readonly canChangeToCard: boolean;
}

/** The checkout shows at most this many saved cards. */
const MAX_SAVED_CARDS = 100;

export class ShowCheckout {
  constructor(private readonly deps: ShowCheckoutDeps) {}

  /**
   * A completed session can always be read; any other session only while it can still be paid.
   *
   * @throws ApiError `session_*`, `link_*`, `not_found`
   */
  async find({ token, sessionId, company }: CheckoutCaller): Promise<ShownSession> {
    const { checkoutSessions, now } = this.deps;
    const session = await checkoutSessions.get(company.id, sessionId);
    const problem = session.status === 'claimed' ? null : sessionProblem(session, now());
    if (problem !== null) throw sessionError(problem);
    const shown = await this.show({ token, session, timezone: company.timezone });
    const { subscription } = shown;
    if (session.tries >= MAX_TRIES && subscription !== null && isFirstChargeDeclined(subscription)) {
      throw sessionError('session_used');
    }
    return shown;
  }

  async show({ token, session, timezone }: OpenedSession): Promise<ShownSession> {
    const [savedCards, subscription] = await Promise.all([
      this.cardsOf(session),
      this.subscriptionOf(session),
    ]);
    const payment = await this.paymentOf(session);
    const charges = { ...purchaseChargesOf(session, timezone, this.deps.now()), ...session.shown };
    const canChangeToCard =
      session.paymentMethods.includes('card') &&
      payment !== null &&
      holdsOpenPix(payment) &&
      isPixCancelable(this.deps.registries, payment);
    return { token, session, charges, savedCards, payment, subscription, canChangeToCard };
  }

  /** Saved cards are shown only if the company named the customer: a buyer at a public page is not authenticated. */
  private async cardsOf({ companyId, customerId }: CheckoutSession): Promise<readonly SavedCard[]> {
    if (customerId === null) return [];
    const page = await this.deps.customerCards.list(companyId, customerId, {
      number: 1,
      size: MAX_SAVED_CARDS,
    });
    return page.rows;
  }

  private async subscriptionOf({
    companyId,
    subscriptionId,
  }: CheckoutSession): Promise<SubscriptionRecord | null> {
    if (subscriptionId === null) return null;
    return this.deps.subscriptions.find(companyId, subscriptionId as SubscriptionId);
  }

  private async paymentOf(session: CheckoutSession): Promise<FoundPayment | null> {
    const { companyId, transactionId, subscriptionId } = session;
    const { payments, findPayment } = this.deps;
    if (transactionId !== null) return findPayment.byId(companyId, transactionId);
    if (subscriptionId === null) return null;
    const newest = await payments.findNewestBySubscription(companyId, subscriptionId);
    return newest === null ? null : findPayment.byId(companyId, newest);
  }
}
