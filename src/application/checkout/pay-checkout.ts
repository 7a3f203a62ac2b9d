import {
  withoutClaim,
  sessionProblem,
  type Buyer,
  type CheckoutCaller,
  type CheckoutSession,
} from '../../domain/checkout/checkout-session';
import { withoutPunctuation } from '../../domain/customers/document';
import { ApiError, validationError } from '../../domain/shared/errors';
import { sessionKey } from '../../domain/shared/idempotency-scope';
import type { SubscriptionId } from '../../domain/shared/ids';
import type { BillingAddress } from '../../domain/shared/payment-snapshot';
import type { CheckoutMethod } from '../../domain/checkout/payment-link';
import type { CheckoutSessionRepository } from '../../persistence/checkout/checkout-session-repository';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type {
  IdempotencyRecord,
  IdempotencyRepository,
} from '../../persistence/payments/idempotency-repository';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import { CheckoutClaim, isDeclined, sessionError, type CheckoutClaimDeps } from './checkout-claim';
import type { CreatePayment } from '../payments/create-payment';
import type { CreateSubscription } from '../subscriptions/create-subscription';
import type { FindPayment } from '../payments/find-payment';
import { chosenMethod } from './open-checkout';
import type { OperatePayment } from '../payments/operate-payment';
import type { OperateSubscription } from '../subscriptions/operate-subscription';
import type { PaymentAnswer } from '../payments/payment-answer';
import type { CardRequest, PaymentRequest } from '../payments/payment-request';
import type { SubscriptionAnswer } from '../subscriptions/subscription-answer';
import { ask } from '../subscriptions/subscription-command';

export interface PayCheckoutDeps extends CheckoutClaimDeps {
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly customers: CustomerRepository;
  readonly subscriptions: SubscriptionRepository;
  readonly idempotency: IdempotencyRepository;
  readonly findPayment: FindPayment;
  readonly createPayment: CreatePayment;
  readonly operatePayment: OperatePayment;
  readonly createSubscription: CreateSubscription;
  readonly operateSubscription: OperateSubscription;
}

/** The body of a payment at a checkout, as the contract has let it through (decisions, section 8). */
export interface CheckoutPayRequest {
  readonly payment_method?: CheckoutMethod | null;
  readonly card?: CardRequest | null;
  readonly billing_address?: BillingAddress | null;
  readonly installments: number;
  readonly customer?: Buyer | null;
}

export interface PayCheckoutCommand {
  readonly checkout: CheckoutCaller;
  readonly idempotencyKey: string | null;
  readonly request: CheckoutPayRequest;
  readonly receivedAt: Date;
}

export type CheckoutAnswer =
  | { readonly kind: 'payment'; readonly answer: PaymentAnswer }
  | { readonly kind: 'subscription'; readonly answer: SubscriptionAnswer; readonly buyer: Buyer | null };

/** A command with what it is about. */
interface Paying extends PayCheckoutCommand {
  readonly session: CheckoutSession;
  readonly buyer: Buyer | null;
  readonly customer: PaymentRequest['customer'];
  readonly method: CheckoutMethod;
  /** As it is kept: the session's own. */
  readonly key: string | null;
  /** What that key has made already. */
  readonly made: IdempotencyRecord | null;
  readonly claim: CheckoutClaim;
}

/**
 * Buys what a session is for, once, however many tabs ask: the transaction that makes the payment or subscription claims the
 * session, and only a proven failure lets go of it.
 *
 * @throws ApiError `session_*`, `link_*`, `not_found`: nothing can be bought here; `invalid_state` while a pix is not canceled that
 *   is to give way to a card; and what `CreatePayment` and `CreateSubscription` throw
 */
export class PayCheckout {
  constructor(private readonly deps: PayCheckoutDeps) {}

  async execute(command: PayCheckoutCommand): Promise<CheckoutAnswer> {
    const paying = await this.prepare(command);
    const { session, buyer } = paying;
    if (session.type === 'one_time') return { kind: 'payment', answer: await this.pay(paying) };
    return { kind: 'subscription', answer: await this.subscribe(paying), buyer };
  }

  private async prepare(command: PayCheckoutCommand): Promise<Paying> {
    const { checkout, idempotencyKey, request } = command;
    const { sessionId, company } = checkout;
    const session = await this.deps.checkoutSessions.get(company.id, sessionId);
    const key = idempotencyKey === null ? null : sessionKey(sessionId, idempotencyKey);
    const buyer = buyerIn(session, request);
    return {
      ...command,
      session,
      buyer,
      method: chosenMethod(request.payment_method ?? session.paymentMethod, session.paymentMethods),
      customer: await this.customerOf(session, buyer, request),
      key,
      made: key === null ? null : await this.deps.idempotency.find(company.id, key),
      claim: new CheckoutClaim(this.deps, session, request, buyer),
    };
  }

  /** The customer that the company named, or the buyer; only the first has saved cards here. */
  private async customerOf(
    { customerId }: CheckoutSession,
    buyer: Buyer | null,
    { card }: CheckoutPayRequest,
  ): Promise<PaymentRequest['customer']> {
    if (customerId !== null) {
      const [known] = await this.deps.customers.ofIds([customerId]);
      return { token: known?.token ?? null };
    }
    if (card?.token) throw validationError({ 'card.token': ['names no card of this customer'] });
    return buyer ?? {};
  }

  private async pay(paying: Paying): Promise<PaymentAnswer> {
    const { checkout, key, made, claim, receivedAt } = paying;
    const request = paymentRequest(paying);
    if (made === null) await this.replaceOpenPix(paying, request);
    return this.deps.createPayment.execute({
      company: checkout.company,
      path: '/checkout/pay',
      idempotencyKey: key,
      request,
      receivedAt,
      checkout: claim,
    });
  }

  /** A pix that is not paid gives way to a card: it is canceled first, and certainly. Everything else that holds the session stays. */
  private async replaceOpenPix(paying: Paying, request: PaymentRequest): Promise<void> {
    const { checkout, session, method, receivedAt } = paying;
    const { company } = checkout;
    if (session.status !== 'claimed') return refuse(session, this.deps.now());
    const { payment } = await this.deps.findPayment.byId(company.id, session.transactionId ?? '');
    const isOpenPix =
      payment.paymentMethod === 'pix' && (payment.status === 'pending' || payment.status === 'processing');
    if (!isOpenPix || method !== 'card') throw sessionError('session_used');
    // What cannot be paid by card keeps its pix.
    refuse(withoutClaim(session), this.deps.now());
    await this.deps.createPayment.validateOnly({ company, request });
    if (payment.status === 'processing') throw notCanceledYet();
    await this.cancel(payment.transactionId, paying, receivedAt);
  }

  private async cancel(id: string, { checkout }: Paying, receivedAt: Date): Promise<void> {
    const { company } = checkout;
    const asked = {
      company,
      operation: 'cancel',
      id,
      idempotencyKey: null,
      request: {},
      receivedAt,
    } as const;
    try {
      await this.deps.operatePayment.execute(asked);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
    const { payment } = await this.deps.findPayment.byId(company.id, id);
    if (payment.status === 'approved') throw sessionError('session_used');
    if (payment.status === 'pending') throw notCanceledYet();
  }

  private async subscribe(paying: Paying): Promise<SubscriptionAnswer> {
    const { checkout, session, key, made, claim, request, customer, receivedAt } = paying;
    const { company } = checkout;
    const { card } = request;
    if (!card) throw validationError({ card: ['is required for a subscription'] });
    const declined = await this.declinedSubscription(paying);
    if (declined !== null) return this.chargeAnotherCard(paying, declined, card);
    if (made === null) refuse(session, this.deps.now());
    return this.deps.createSubscription.execute({
      company,
      idempotencyKey: key,
      request: {
        plan_id: session.plan?.uuid ?? '',
        customer,
        card,
        billing_address: request.billing_address ?? null,
        coupon_code: session.coupon?.code ?? null,
        gateway_first_try: session.gatewayFirstTry,
        metadata: session.metadata && [{ ...session.metadata }],
      },
      receivedAt,
      checkout: claim,
    });
  }

  /**
   * The session's subscription whose first charge was declined, which another card can make up for; or the one that was given the
   * card of this very key.
   */
  private async declinedSubscription({
    session: { companyId, status, subscriptionId },
    made,
  }: Paying): Promise<SubscriptionRecord | null> {
    if (subscriptionId === null || made?.subscriptionCommandId === null) return null;
    if (made === null && status !== 'claimed') return null;
    const found = await this.deps.subscriptions.find(companyId, subscriptionId as SubscriptionId);
    return found !== null && (made !== null || isDeclined(found)) ? found : null;
  }

  private async chargeAnotherCard(
    { checkout, request, key, claim, session, made, receivedAt }: Paying,
    { row: { uuid } }: SubscriptionRecord,
    card: CardRequest,
  ): Promise<SubscriptionAnswer> {
    if (made === null) refuse(withoutClaim(session), this.deps.now());
    const paid = this.deps.operateSubscription.execute({
      company: checkout.company,
      id: uuid,
      asked: ask.changeCard({ card, billing_address: request.billing_address ?? null }),
      idempotencyKey: key,
      receivedAt,
      alongside: async (tx, record) => {
        if (!isDeclined(record)) throw sessionError('session_used');
        await claim.tryAgain(tx, { subscriptionId: uuid });
      },
    });
    return paid.catch((error: unknown) => {
      // Of a subscription that waits for a card only the card can be what is wrong.
      const isOfCard = error instanceof ApiError && error.code === 'invalid_state';
      throw isOfCard ? validationError({ 'card.number': ['cannot be charged: use another card'] }) : error;
    });
  }
}

/**
 * A link's buyer has said who they are when the session was opened. In a company's own session that names nobody it is said
 * with each try.
 */
function buyerIn(
  { customerId, link, buyer }: CheckoutSession,
  { customer }: CheckoutPayRequest,
): Buyer | null {
  if (customerId !== null) return null;
  if (link !== null || !customer) return buyer;
  const { name, email, document } = customer;
  return { name: name.trim(), email, document: withoutPunctuation(document) };
}

function paymentRequest({ session, request, customer, method }: Paying): PaymentRequest {
  const { amountCents, currency, merchantOrderId, gatewayFirstTry, metadata } = session;
  return {
    merchant_order_id: merchantOrderId,
    amount: amountCents ?? 0,
    currency,
    payment_method: method,
    customer,
    gateway_first_try: gatewayFirstTry,
    capture: true,
    card: method === 'card' ? (request.card ?? null) : null,
    save_card: false,
    billing_address: request.billing_address ?? null,
    installments: request.installments,
    metadata: metadata && { ...metadata },
  };
}

/** What the claim would find anyway, told before anything else is done. */
function refuse(session: CheckoutSession, now: Date): void {
  const problem = sessionProblem(session, now);
  if (problem !== null) throw sessionError(problem);
}

function notCanceledYet(): ApiError {
  return new ApiError('invalid_state', 'The pix is not canceled yet: try again in a moment.');
}
