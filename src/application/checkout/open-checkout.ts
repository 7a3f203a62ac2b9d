import {
  needsDocument,
  offerAt,
  sessionExpiry,
  type Buyer,
  type CheckoutSession,
  type CheckoutTerms,
} from '../../domain/checkout/checkout-session';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { Coupon } from '../../domain/subscriptions/coupon';
import {
  effectiveTerms,
  NO_OWN_INSTALLMENT_TERMS,
  type OwnInstallmentTerms,
} from '../../domain/companies/installment-terms';
import { installmentOptions } from '../../domain/checkout/installment-options';
import { applyChange } from '../../domain/shared/change';
import { DOCUMENT_RULE, parseDocument } from '../../domain/customers/document';
import { notFound, validationError } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newCheckoutOrderId, newGuestId } from '../../domain/shared/ids';
import {
  defaultMethods,
  installmentErrors,
  linkProblem,
  type CheckoutMethod,
  type Offer,
  type PaymentLink,
  type PaymentLinkType,
} from '../../domain/checkout/payment-link';
import { FieldErrorCollector } from '../../domain/shared/validation';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CheckoutSessionRepository } from '../../persistence/checkout/checkout-session-repository';
import type { CompanyConfigRepository } from '../../persistence/companies/company-config-repository';
import type { CouponRepository } from '../../persistence/subscriptions/coupon-repository';
import type { PaymentLinkRepository } from '../../persistence/checkout/payment-link-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { hashRandomToken, newRandomToken } from '../../security/random-tokens';
import { readInstallmentTerms, type InstallmentTermsRequest } from '../companies/installment-terms-request';
import type { Creation } from '../shared/create-once';
import { linkError } from './checkout-claim';
import type { BuyerRequest } from './checkout-pay-request';
import { readOffer, type OfferDeps } from './offer-request';
import { resolveCustomer, type CustomerAndCardDeps } from '../payments/resolve-customer-and-card';
import { readCustomer, type PaymentRequest } from '../payments/payment-request';
import { couponError } from '../subscriptions/coupon-error';

export interface OpenCheckoutDeps extends OfferDeps, CustomerAndCardDeps {
  readonly db: Database;
  readonly links: PaymentLinkRepository;
  readonly coupons: CouponRepository;
  readonly checkoutSessions: CheckoutSessionRepository;
  readonly companyConfigs: CompanyConfigRepository;
  readonly now: () => Date;
}

/** A company's request to open a session without a link. */
export interface CheckoutSessionRequest extends InstallmentTermsRequest {
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

/** A buyer's request to open a session of a link. */
interface LinkSessionRequest {
  readonly buyer: BuyerRequest;
  readonly couponCode: string | null;
  readonly paymentMethod: CheckoutMethod | null;
}

export interface OpenedSession {
  /** Returned only once: the database stores its hash. */
  readonly token: string;
  readonly session: CheckoutSession;
  /** IANA name. */
  readonly timezone: string;
}

/** Opens checkout sessions. A session is for one buyer and one purchase. */
export class OpenCheckout {
  constructor(private readonly deps: OpenCheckoutDeps) {}

  /**
   * Finds an active link by its address.
   *
   * @throws ApiError `not_found`, `link_expired`, `link_exhausted`
   */
  async findLink(companySlug: string, slug: string): Promise<PaymentLink> {
    const link = await this.deps.links.findBySlugs(companySlug, slug);
    if (link === null) throw notFound();
    const problem = linkProblem(link, this.deps.now());
    if (problem !== null) throw linkError(problem);
    return link;
  }

  /** @throws ApiError `not_found`, `link_expired`, `link_exhausted`; `validation_error`, `coupon_*` */
  async openFromLink(link: PaymentLink, request: LinkSessionRequest): Promise<OpenedSession> {
    const { companyId } = link;
    const buyer = readBuyer(request.buyer, offerOf(link).currency);
    const { timezone, installments } = await this.deps.companyConfigs.get(companyId);
    const paymentMethod = choosePaymentMethod(request.paymentMethod, link.paymentMethods);
    const coupon = await this.findCoupon({ id: companyId, timezone }, link.type, request.couponCode);
    const terms: CheckoutTerms = {
      ...offerOf(link),
      installmentOptions: installmentOptions(offerOf(link), effectiveTerms(link.installments, installments)),
      merchantOrderId: newCheckoutOrderId(),
      paymentMethod,
      gatewayFirstTry: link.gatewayFirstTry,
      metadata: link.metadata,
      successUrl: link.successUrl,
      cancelUrl: link.cancelUrl,
      buyer,
    };
    return this.deps.db.inTransaction((tx) =>
      this.insert(tx, { id: companyId, timezone }, terms, {
        paymentLinkId: link.id,
        plan: link.plan,
        coupon,
        customerId: null,
      }),
    );
  }

  /** @throws ApiError `validation_error`, `coupon_*` */
  async openForCompany(
    company: AuthenticatedCompany,
    request: CheckoutSessionRequest,
  ): Promise<Creation<OpenedSession>> {
    const { type, coupon_code: code } = request;
    const customer = readSessionCustomer(request);
    const coupon = await this.findCoupon(company, type, code ?? null);
    return async (tx) => {
      const { plan, ...offer } = await readOffer(this.deps, tx, company.id, {
        type,
        amountCents: request.amount ?? null,
        planId: request.plan_id ?? null,
        currency: request.currency ?? null,
      });
      const paymentMethods = defaultMethods(offer);
      const own = applyChange(NO_OWN_INSTALLMENT_TERMS, readInstallmentTerms(request));
      const owner = customer && (await resolveCustomer(this.deps, tx, company.id, customer));
      const terms: CheckoutTerms = {
        ...offer,
        paymentMethods,
        installmentOptions: await this.optionsFor(tx, company.id, { ...offer, paymentMethods }, own),
        merchantOrderId: request.merchant_order_id ?? newCheckoutOrderId(),
        paymentMethod: choosePaymentMethod(request.payment_method ?? null, paymentMethods),
        gatewayFirstTry: request.gateway_first_try ?? null,
        metadata: request.metadata ?? null,
        successUrl: request.success_url ?? null,
        cancelUrl: request.cancel_url ?? null,
        buyer: null,
      };
      return this.insert(tx, company, terms, {
        paymentLinkId: null,
        plan,
        coupon,
        customerId: owner?.id ?? null,
      });
    };
  }

  /** @throws ApiError `validation_error` on `max_installments`, `interest_rates` */
  private async optionsFor(tx: Tx, companyId: number, offer: Offer, own: OwnInstallmentTerms) {
    const { installments } = await this.deps.companyConfigs.get(companyId, tx);
    const errors = installmentErrors(offer, own, installments);
    if (errors !== null) throw validationError(errors);
    return installmentOptions(offer, effectiveTerms(own, installments));
  }

  private async insert(
    tx: Tx,
    { id: companyId, timezone }: Pick<AuthenticatedCompany, 'id' | 'timezone'>,
    terms: CheckoutTerms,
    {
      coupon,
      ...references
    }: Record<'paymentLinkId' | 'customerId', number | null> & {
      readonly plan: Plan | null;
      readonly coupon: Coupon | null;
    },
  ): Promise<OpenedSession> {
    const now = this.deps.now();
    const token = `cs_${newRandomToken()}`;
    const row = {
      ...terms,
      ...references,
      couponId: coupon?.id ?? null,
      shown: offerAt({ ...terms, plan: references.plan, coupon }, timezone, now),
      companyId,
      tokenHash: hashRandomToken(token),
      expiresAt: sessionExpiry(now),
    };
    return { token, session: await this.deps.checkoutSessions.insert(tx, row, now), timezone };
  }

  /** Checks that the coupon can be redeemed now. It is redeemed with the purchase, and may be exhausted by then. */
  private async findCoupon(
    { id, timezone }: Pick<AuthenticatedCompany, 'id' | 'timezone'>,
    type: PaymentLinkType,
    code: string | null,
  ): Promise<Coupon | null> {
    if (code === null || code === '') return null;
    if (type === 'one_time') throw validationError({ coupon_code: ['is for subscriptions only'] });
    const { coupon, problem } = await this.deps.coupons.check(id, code, this.deps.now(), timezone);
    if (problem !== null) throw couponError(problem);
    return coupon;
  }
}

/** @throws ApiError `validation_error` on `cpf_cnpj` */
function readBuyer({ name, email, document }: BuyerRequest, currency: string): Buyer {
  const given = { name: name.trim(), email };
  if (!document) {
    if (needsDocument(currency)) throw validationError({ cpf_cnpj: ['is required in BRL'] });
    return { ...given, document: null, guestId: newGuestId() };
  }
  const parsed = parseDocument(document);
  if (parsed === null) throw validationError({ cpf_cnpj: [DOCUMENT_RULE] });
  return { ...given, document: parsed.value };
}

function offerOf({ type, amountCents, currency, paymentMethods, plan }: PaymentLink) {
  return { type, amountCents, currency: plan?.currency ?? currency, paymentMethods };
}

/** The request's customer; null if it has none. Validates the return addresses as well. */
function readSessionCustomer({ customer, success_url, cancel_url }: CheckoutSessionRequest) {
  const fieldErrors = new FieldErrorCollector();
  const choice = customer ? readCustomer(customer, fieldErrors) : null;
  for (const [field, url] of Object.entries({ success_url, cancel_url })) {
    if (url && !URL.canParse(url)) fieldErrors.add(field, 'must be an address');
  }
  if (fieldErrors.hasErrors) throw validationError(fieldErrors.errors);
  return choice;
}

/** @throws ApiError `validation_error` on `payment_method` */
export function choosePaymentMethod(
  requested: CheckoutMethod | null,
  offered: readonly CheckoutMethod[],
): CheckoutMethod {
  const method = requested ?? offered[0];
  if (method !== undefined && offered.includes(method)) return method;
  throw validationError({ payment_method: [`must be one of: ${offered.join(', ')}`] });
}
