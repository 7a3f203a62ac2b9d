import {
  withoutClaim,
  type Buyer,
  type CheckoutCaller,
  type CheckoutSession,
} from '../../domain/checkout/checkout-session';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { describeNumber } from '../../domain/customers/card';
import { assertNever } from '../../domain/shared/assert-never';
import { ApiError, validationError } from '../../domain/shared/errors';
import { sessionScopedKey } from '../../domain/shared/idempotency-scope';
import type { Language } from '../../domain/users/language';
import type { SubscriptionId } from '../../domain/shared/ids';
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
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type { CardFingerprints } from '../../security/card-fingerprints';
import type { CardTestingGuard, CardTry } from './card-testing-guard';
import { tryOutcomeOf, type CheckoutAnswer } from './checkout-answer';
import {
  CheckoutClaim,
  isFirstChargeDeclined,
  assertPayable,
  sessionError,
  throwInPublicWords,
  type CheckoutClaimDeps,
} from './checkout-claim';
import type { CreatePayment } from '../payments/create-payment';
import type { CreateSubscription } from '../subscriptions/create-subscription';
import type { FindPayment } from '../payments/find-payment';
import {
  buyerIn,
  payerOf,
  chooseOption,
  paymentRequest,
  type CheckoutPayRequest,
  type CheckoutPurchase,
} from './checkout-pay-request';
import { choosePaymentMethod } from './open-checkout';
import { assertPixCancelable, holdsOpenPix, notCanceledYet } from './open-pix';
import type { OperatePayment } from '../payments/operate-payment';
import type { OperateSubscription } from '../subscriptions/operate-subscription';
import type { PaymentAnswer } from '../payments/payment-answer';
import type { CardRequest, PaymentRequest } from '../payments/payment-request';
import type { SubscriptionAnswer } from '../subscriptions/subscription-answer';
import { commandRequest } from '../subscriptions/subscription-command';

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
  readonly cardTesting: CardTestingGuard;
  readonly registries: GatewayRegistries;
  readonly cardFingerprints: Pick<CardFingerprints, 'inThisProcess'>;
}

export interface PayCheckoutCommand {
  readonly checkout: CheckoutCaller;
  readonly idempotencyKey: string | null;
  readonly request: CheckoutPayRequest;
  readonly receivedAt: Date;
  /** The network address of the buyer, as limits count it. */
  readonly address: string;
  readonly ip: string | null;
  /** Of the buyer's browser. */
  readonly language: Language;
}

/** A command with everything that a purchase needs. */
interface Purchase extends PayCheckoutCommand, CheckoutPurchase {
  readonly buyer: Buyer | null;
  /** The idempotency key in the session's scope. */
  readonly key: string | null;
  /** The record of an earlier request with this key. */
  readonly record: IdempotencyRecord | null;
  readonly claim: CheckoutClaim;
}

/**
 * Pays a session once, even if several tabs pay at the same time: the transaction that inserts the payment or subscription
 * claims the session, and only a proven failure releases it (docs/decisions/checkout.md).
 *
 * @throws ApiError `session_*`, `link_*`, `not_found`: the session cannot be paid; `offer_changed`: it costs something else
 *   now; `invalid_state` while an open pix that the card replaces is not canceled; `rate_limited` after too many declined
 *   cards; the errors of `CreatePayment` and `CreateSubscription`
 */
export class PayCheckout {
  constructor(private readonly deps: PayCheckoutDeps) {}

  async execute(command: PayCheckoutCommand): Promise<CheckoutAnswer> {
    const purchase = await this.prepare(command);
    try {
      return await this.attempt(purchase);
    } catch (error) {
      if (!(await this.isUsedBySameRequest(purchase, error))) throw error;
      return this.execute(command);
    }
  }

  /** Whether the request that used the session claimed this request's key after it was read. */
  private async isUsedBySameRequest({ checkout, key, record }: Purchase, error: unknown): Promise<boolean> {
    if (!(error instanceof ApiError) || error.code !== 'session_used') return false;
    if (key === null || record !== null) return false;
    return (await this.deps.idempotency.find(checkout.company.id, key)) !== null;
  }

  private async attempt(purchase: Purchase): Promise<CheckoutAnswer> {
    const cardTry = this.cardTryOf(purchase);
    if (cardTry === null) return this.purchase(purchase);
    return this.deps.cardTesting.run(cardTry, () => this.purchase(purchase), tryOutcomeOf);
  }

  private async purchase(purchase: Purchase): Promise<CheckoutAnswer> {
    const { session, buyer } = purchase;
    const party = { customerId: session.customerId, buyer };
    switch (session.type) {
      case 'one_time':
        return { kind: 'payment', answer: await this.pay(purchase), party };
      case 'subscription':
        return { kind: 'subscription', answer: await this.subscribe(purchase), party };
      default:
        return assertNever(session.type);
    }
  }

  /** Null if no card is entered, the company named the customer, or an earlier request with this key is answered. */
  private cardTryOf({ session, method, record, request, address }: Purchase): CardTry | null {
    const number = request.card?.number;
    const { companyId, customerId, link } = session;
    if (customerId !== null || method !== 'card' || record !== null || !number) return null;
    const fingerprint = this.deps.cardFingerprints.inThisProcess(companyId, number);
    const { first6Digits: bin } = describeNumber(number);
    return { companyId, linkId: link?.id ?? null, address, fingerprint, bin };
  }

  private async prepare(command: PayCheckoutCommand): Promise<Purchase> {
    const { checkout, idempotencyKey, request } = command;
    const { sessionId, company } = checkout;
    const session = await this.deps.checkoutSessions.get(company.id, sessionId);
    const key = idempotencyKey === null ? null : sessionScopedKey(sessionId, idempotencyKey);
    const record = key === null ? null : await this.deps.idempotency.find(company.id, key);
    const buyer = buyerIn(session, request);
    const method = choosePaymentMethod(
      request.payment_method ?? session.paymentMethod,
      session.paymentMethods,
    );
    return {
      ...command,
      session,
      buyer,
      method,
      option: method === 'card' ? chooseOption(session, request, record !== null) : null,
      customer: await this.customerOf(session, buyer, request),
      key,
      record,
      claim: new CheckoutClaim(this.deps, session, request, buyer, command.language),
    };
  }

  /** The customer that the company named, or else the buyer. Only a named customer can use saved cards. */
  private async customerOf(
    { customerId }: CheckoutSession,
    buyer: Buyer | null,
    { card }: CheckoutPayRequest,
  ): Promise<PaymentRequest['customer']> {
    if (customerId !== null) {
      const [known] = await this.deps.customers.listByIds([customerId]);
      return { token: known?.token ?? null };
    }
    if (card?.token) throw validationError({ 'card.token': ['names no card of this customer'] });
    return buyer ?? {};
  }

  private async pay(purchase: Purchase): Promise<PaymentAnswer> {
    const { checkout, key, record, claim, receivedAt } = purchase;
    const request = paymentRequest(purchase);
    if (record === null) await this.replaceOpenPix(purchase, request);
    return this.deps.createPayment.execute({
      company: checkout.company,
      path: '/checkout/pay',
      idempotencyKey: key,
      request,
      receivedAt,
      checkout: claim,
      interestCents: purchase.option?.interestCents ?? 0,
    });
  }

  /**
   * If an unpaid pix holds the session and the buyer pays by card, cancels the pix first: the card is charged only once the pix
   * is certainly canceled. Any other payment keeps the session.
   */
  private async replaceOpenPix(purchase: Purchase, request: PaymentRequest): Promise<void> {
    const { checkout, session, method, receivedAt } = purchase;
    const { company } = checkout;
    if (session.status !== 'claimed') return assertPayable(session, this.deps.now());
    const found = await this.deps.findPayment.byId(company.id, session.transactionId ?? '');
    const { payment } = found;
    if (!holdsOpenPix(found) || method !== 'card') throw sessionError('session_used');
    // Validate the card payment before canceling: an invalid card payment must not cost the buyer the pix.
    assertPayable(withoutClaim(session), this.deps.now());
    await this.deps.createPayment.validateOnly({ company, request, checkout: purchase.claim });
    assertPixCancelable(this.deps.registries, found);
    await this.cancel(payment.transactionId, company, receivedAt);
  }

  private async cancel(id: string, company: AuthenticatedCompany, receivedAt: Date): Promise<void> {
    const cancel = { company, operation: 'cancel', id, idempotencyKey: null, request: {} } as const;
    try {
      await this.deps.operatePayment.execute({ ...cancel, receivedAt });
    } catch (error) {
      // The payment's status below decides, also after a refusal.
      if (!(error instanceof ApiError)) throw error;
    }
    const { payment } = await this.deps.findPayment.byId(company.id, id);
    if (payment.status === 'approved') throw sessionError('session_used');
    if (payment.status === 'pending') throw notCanceledYet();
  }

  private async subscribe(purchase: Purchase): Promise<SubscriptionAnswer> {
    const { checkout, session, key, record, claim, request, customer, receivedAt } = purchase;
    const { company } = checkout;
    const { card } = request;
    if (!card) throw validationError({ card: ['is required for a subscription'] });
    const declined = await this.declinedSubscription(purchase);
    if (declined !== null) return this.chargeAnotherCard(purchase, declined, card);
    if (record === null) assertPayable(session, this.deps.now());
    const answer = this.deps.createSubscription.execute({
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
        payer: payerOf(purchase),
      },
      receivedAt,
      checkout: claim,
    });
    return answer.catch((error: unknown) => claim.rethrow(error, company.timezone)).catch(throwInPublicWords);
  }

  /**
   * The session's subscription if its first charge was declined, so that another card can be charged; also the subscription
   * for which an earlier request with this key submitted another card.
   */
  private async declinedSubscription({
    session: { companyId, status, subscriptionId },
    record,
  }: Purchase): Promise<SubscriptionRecord | null> {
    if (subscriptionId === null || record?.subscriptionCommandId === null) return null;
    if (record === null && status !== 'claimed') return null;
    const found = await this.deps.subscriptions.find(companyId, subscriptionId as SubscriptionId);
    return found !== null && (record !== null || isFirstChargeDeclined(found)) ? found : null;
  }

  private async chargeAnotherCard(
    { checkout, request, ip, key, claim, session, record, receivedAt }: Purchase,
    { row: { uuid } }: SubscriptionRecord,
    card: CardRequest,
  ): Promise<SubscriptionAnswer> {
    if (record === null) assertPayable(withoutClaim(session), this.deps.now());
    const answer = this.deps.operateSubscription.execute({
      company: checkout.company,
      id: uuid,
      requested: commandRequest.changeCard({
        card,
        billing_address: request.billing_address ?? null,
        payer: payerOf({ request, ip }),
      }),
      idempotencyKey: key,
      receivedAt,
      withinTransaction: async (tx, record) => {
        if (!isFirstChargeDeclined(record)) throw sessionError('session_used');
        claim.assertSeenOffer();
        await claim.claimRetry(tx, { subscriptionId: uuid });
      },
    });
    return answer.catch(throwInPublicWords);
  }
}
