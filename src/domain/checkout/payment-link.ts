import {
  addInstallmentTermErrors,
  effectiveTerms,
  type InstallmentTerms,
  type OwnInstallmentTerms,
} from '../companies/installment-terms';
import { changedFieldNames } from '../shared/change';
import type { FieldErrors } from '../shared/errors';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { Mode } from '../shared/mode';
import type { Plan } from '../subscriptions/plan';
import { FieldErrorCollector } from '../shared/validation';

export type PaymentLinkType = 'one_time' | 'subscription';

/** The payment methods of a checkout. */
export type CheckoutMethod = 'card' | 'pix';

/** What a checkout sells: a one-time amount or a plan. */
export interface Offer {
  readonly type: PaymentLinkType;
  /** Null for a subscription: the plan has the amount. */
  readonly amountCents: number | null;
  /** ISO 4217. */
  readonly currency: string;
  /** In display order. */
  readonly paymentMethods: readonly CheckoutMethod[];
}

/** The data of a link that the company sets. */
export interface PaymentLinkDetails extends Offer {
  readonly name: string;
  readonly description: string | null;
  /** The last part of the URL. Unique among the company's links that are not deleted. */
  readonly slug: string;
  readonly gatewayFirstTry: GatewaySlug | null;
  /** Null for unlimited uses. */
  readonly maxUses: number | null;
  /** The link cannot be used from this time on. */
  readonly expiresAt: Date | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly installments: OwnInstallmentTerms;
  readonly isActive: boolean;
}

export interface PaymentLink extends PaymentLinkDetails {
  /** The internal id. */
  readonly id: number;
  readonly companyId: number;
  readonly mode: Mode;
  /** The public id. */
  readonly token: string;
  /** Null unless `type` is subscription. */
  readonly plan: Plan | null;
  /** The first part of the URL path. */
  readonly companySlug: string;
  /** Completed and pending purchases. */
  readonly usesCount: number;
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Why a link cannot be used. The API answers `link_inactive` like a link that does not exist. */
export type LinkProblem = 'link_deleted' | 'link_inactive' | 'link_expired' | 'link_exhausted';

/** The fields that decide whether a link can be used. */
export type LinkTerms = Pick<
  PaymentLink,
  'deletedAt' | 'isActive' | 'expiresAt' | 'maxUses' | 'usesCount'
> & {
  readonly plan: Pick<Plan, 'isActive'> | null;
};

/** Why a link cannot be used at an instant, or null. */
export function linkProblem(link: LinkTerms, at: Date): LinkProblem | null {
  if (link.deletedAt !== null) return 'link_deleted';
  if (!link.isActive || link.plan?.isActive === false) return 'link_inactive';
  if (link.expiresAt !== null && link.expiresAt <= at) return 'link_expired';
  return link.maxUses !== null && link.usesCount >= link.maxUses ? 'link_exhausted' : null;
}

/** Pix supports only BRL and one-time payments. */
export function defaultMethods({ type, currency }: Pick<Offer, 'type' | 'currency'>): CheckoutMethod[] {
  return type === 'one_time' && currency === 'BRL' ? ['card', 'pix'] : ['card'];
}

/** Validates the fields of an offer against each other. Error names are the API's. */
export function addOfferErrors({ type, currency, paymentMethods }: Offer, errors: FieldErrorCollector): void {
  if (!paymentMethods.includes('pix')) return;
  if (type === 'subscription') errors.add('payment_methods', 'must be card only for a subscription');
  else if (currency !== 'BRL') errors.add('payment_methods', 'must be card only unless currency is BRL');
}

/** Validates the installment terms that an offer sets itself; null if they are valid. Error names are the API's. */
export function installmentErrors(
  { type, currency }: Pick<Offer, 'type' | 'currency'>,
  own: OwnInstallmentTerms,
  company: InstallmentTerms,
): FieldErrors | null {
  const errors = new FieldErrorCollector();
  const onlyOne = type === 'subscription' || currency !== 'BRL';
  if (onlyOne && (own.maxInstallments ?? 1) > 1) {
    const reason = type === 'subscription' ? 'for a subscription' : 'unless currency is BRL';
    errors.add('max_installments', `must be 1 ${reason}`);
  }
  addInstallmentTermErrors(effectiveTerms(own, company), errors);
  return errors.hasErrors ? errors.errors : null;
}

/** Validates the fields of a link against each other; null if they are valid. */
export function linkErrors(link: PaymentLinkDetails): FieldErrors | null {
  const collector = new FieldErrorCollector();
  addOfferErrors(link, collector);
  for (const [field, url] of [
    ['success_url', link.successUrl],
    ['cancel_url', link.cancelUrl],
  ] as const) {
    if (url !== null && !URL.canParse(url)) collector.add(field, 'must be an address');
  }
  return collector.hasErrors ? collector.errors : null;
}

const IMMUTABLE_FIELDS = { type: 'type', currency: 'currency' } as const satisfies Record<
  string,
  keyof PaymentLinkDetails
>;

/** Errors for immutable fields that a change would alter, by API field name; null if there are none. */
export function immutableFieldErrors(
  before: PaymentLinkDetails,
  after: PaymentLinkDetails,
): FieldErrors | null {
  const names = changedFieldNames<PaymentLinkDetails>(IMMUTABLE_FIELDS, before, after);
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, ['never changes: make another link']]));
}

/** The public URL of the link's checkout page. */
export function checkoutUrl(
  { companySlug, slug }: Pick<PaymentLink, 'companySlug' | 'slug'>,
  publicBaseUrl: string,
): string {
  return `${publicBaseUrl}/checkout/${companySlug}/${slug}`;
}
