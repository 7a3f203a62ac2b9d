import {
  sessionEnd,
  type Buyer,
  type CheckoutSession,
  type CheckoutTerms,
} from '../../domain/checkout/checkout-session';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { Coupon } from '../../domain/subscriptions/coupon';
import { notFound, validationError } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newCheckoutOrderId } from '../../domain/shared/ids';
import {
  defaultMethods,
  linkProblem,
  type CheckoutMethod,
  type PaymentLink,
  type PaymentLinkType,
} from '../../domain/checkout/payment-link';
import { FaultCollector } from '../../domain/shared/validation';
import type { CheckoutSessionRepository } from '../../persistence/checkout/checkout-session-repository';
import type { CompanyConfigRepository } from '../../persistence/companies/company-config-repository';
import type { CouponRepository } from '../../persistence/subscriptions/coupon-repository';
import type { PaymentLinkRepository } from '../../persistence/checkout/payment-link-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { hashRandomToken, newRandomToken } from '../../security/random-tokens';
import { linkError } from './checkout-claim';
import { couponError } from '../subscriptions/create-subscription';
import { readOffer, type OfferDeps } from './offer-request';
import { resolveCustomer, type PartyDeps } from '../payments/resolve-customer-and-card';
import { readCustomer, type PaymentRequest } from '../payments/payment-request';

export interface OpenCheckoutDeps extends OfferDeps, PartyDeps {
  readonly db: Database;
  readonly links: PaymentLinkRepository;
  readonly coupons: CouponRepository;
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly companyConfigs: CompanyConfigRepository;
  readonly now: () => Date;
}

/** What a company asks of a session of its own making. */
export interface CheckoutSessionRequest {
  readonly type: PaymentLinkType;
  readonly amount?: number | null;
  readonly plan_id?: string | null;
  readonly currency?: string | null;
  readonly customer?: PaymentRequest['customer'] | null;
  readonly merchant_order_id?: string | null;
  readonly payment_method?: CheckoutMethod | null;
  readonly gateway_first_try?: GatewaySlug | null;
  readonly coupon_code?: string | null;
  readonly metadata?: Record<string, string> | null;
  readonly success_url?: string | null;
  readonly cancel_url?: string | null;
}

/** What a buyer asks of a link. */
interface LinkSessionRequest {
  readonly buyer: Buyer;
  readonly couponCode: string | null;
  readonly paymentMethod: CheckoutMethod | null;
}

export interface OpenedSession {
  /** It is here and nowhere again: only its hash is kept. */
  readonly token: string;
  readonly session: CheckoutSession;
  /** IANA name. */
  readonly timezone: string;
}

/** Opens sessions, each for one buyer and one purchase. */
export class OpenCheckout {
  constructor(private readonly deps: OpenCheckoutDeps) {}

  /**
   * What somebody can buy at an address.
   *
   * @throws ApiError `not_found`, `link_expired`, `link_exhausted`
   */
  async linkAt(companySlug: string, slug: string): Promise<PaymentLink> {
    const link = await this.deps.links.findAt(companySlug, slug);
    if (link === null) throw notFound();
    const problem = linkProblem(link, this.deps.now());
    if (problem !== null) throw linkError(problem);
    return link;
  }

  /** @throws ApiError `not_found`, `link_expired`, `link_exhausted`; `validation_error`, `coupon_*` */
  async fromLink(link: PaymentLink, request: LinkSessionRequest): Promise<OpenedSession> {
    const { companyId } = link;
    const { timezone } = await this.deps.companyConfigs.load(companyId);
    const paymentMethod = chosenMethod(request.paymentMethod, link.paymentMethods);
    const coupon = await this.checkedCoupon({ id: companyId, timezone }, link.type, request.couponCode);
    const terms: CheckoutTerms = {
      ...offerOf(link),
      merchantOrderId: newCheckoutOrderId(),
      paymentMethod,
      gatewayFirstTry: link.gatewayFirstTry,
      metadata: link.metadata,
      successUrl: link.successUrl,
      cancelUrl: link.cancelUrl,
      buyer: request.buyer,
    };
    return this.deps.db.inTransaction((tx) =>
      this.insert(tx, { id: companyId, timezone }, terms, {
        paymentLinkId: link.id,
        planId: link.plan?.id ?? null,
        couponId: coupon?.id ?? null,
        customerId: null,
      }),
    );
  }

  /** @throws ApiError `validation_error`, `coupon_*` */
  async ofCompany(company: AuthenticatedCompany, request: CheckoutSessionRequest): Promise<OpenedSession> {
    const { type, coupon_code: code } = request;
    const customer = namedCustomer(request);
    const coupon = await this.checkedCoupon(company, type, code ?? null);
    return this.deps.db.inTransaction(async (tx) => {
      const { plan, ...offer } = await readOffer(this.deps, tx, company.id, {
        type,
        amountCents: request.amount ?? null,
        planId: request.plan_id ?? null,
        currency: request.currency ?? null,
      });
      const paymentMethods = defaultMethods(offer);
      const owner = customer && (await resolveCustomer(this.deps, tx, company.id, customer));
      const terms: CheckoutTerms = {
        ...offer,
        paymentMethods,
        merchantOrderId: request.merchant_order_id ?? newCheckoutOrderId(),
        paymentMethod: chosenMethod(request.payment_method ?? null, paymentMethods),
        gatewayFirstTry: request.gateway_first_try ?? null,
        metadata: request.metadata ?? null,
        successUrl: request.success_url ?? null,
        cancelUrl: request.cancel_url ?? null,
        buyer: null,
      };
      return this.insert(tx, company, terms, {
        paymentLinkId: null,
        planId: plan?.id ?? null,
        couponId: coupon?.id ?? null,
        customerId: owner?.id ?? null,
      });
    });
  }

  private async insert(
    tx: Tx,
    { id: companyId, timezone }: Pick<AuthenticatedCompany, 'id' | 'timezone'>,
    terms: CheckoutTerms,
    named: Record<'paymentLinkId' | 'planId' | 'couponId' | 'customerId', number | null>,
  ): Promise<OpenedSession> {
    const now = this.deps.now();
    const token = `cs_${newRandomToken()}`;
    const row = {
      ...terms,
      ...named,
      companyId,
      tokenHash: hashRandomToken(token),
      expiresAt: sessionEnd(now),
    };
    return { token, session: await this.deps.checkoutSessions.insert(tx, row, now), timezone };
  }

  /** The coupon that will be redeemed when the subscription is made: no promise, others may be quicker. */
  private async checkedCoupon(
    { id, timezone }: Pick<AuthenticatedCompany, 'id' | 'timezone'>,
    type: PaymentLinkType,
    code: string | null,
  ): Promise<Coupon | null> {
    if (code === null || code === '') return null;
    if (type === 'one_time') throw validationError({ coupon_code: ['is for subscriptions only'] });
    const checked = await this.deps.coupons.check(id, code, this.deps.now(), timezone);
    if (checked.problem !== null) throw couponError(checked.problem);
    return checked.coupon;
  }
}

function offerOf({ type, amountCents, currency, paymentMethods, plan }: PaymentLink) {
  return { type, amountCents, currency: plan?.currency ?? currency, paymentMethods };
}

/** The customer that a company names; null when it names none. */
function namedCustomer({ customer, success_url, cancel_url }: CheckoutSessionRequest) {
  const faults = new FaultCollector();
  const choice = customer ? readCustomer(customer, faults) : null;
  for (const [field, url] of Object.entries({ success_url, cancel_url })) {
    if (url && !URL.canParse(url)) faults.add(field, 'must be an address');
  }
  if (faults.found) throw validationError(faults.errors);
  return choice;
}

/** @throws ApiError `validation_error` on `payment_method` */
export function chosenMethod(
  asked: CheckoutMethod | null,
  offered: readonly CheckoutMethod[],
): CheckoutMethod {
  const method = asked ?? offered[0];
  if (method !== undefined && offered.includes(method)) return method;
  throw validationError({ payment_method: [`must be one of: ${offered.join(', ')}`] });
}
