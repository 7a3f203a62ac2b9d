import { differing } from '../shared/change';
import type { FieldErrors } from '../shared/errors';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { Plan } from '../subscriptions/plan';
import { FaultCollector } from '../shared/validation';

export type PaymentLinkType = 'one_time' | 'subscription';

/** How a buyer can pay at a checkout. */
export type CheckoutMethod = 'card' | 'pix';

/** What is sold at a checkout: an amount once, or a plan. */
export interface Offer {
  readonly type: PaymentLinkType;
  /** Null for a subscription, which costs what its plan says. */
  readonly amountCents: number | null;
  /** ISO 4217. */
  readonly currency: string;
  /** The one offered first at the head. */
  readonly paymentMethods: readonly CheckoutMethod[];
}

/** What a company says of a link. */
export interface PaymentLinkDetails extends Offer {
  readonly name: string;
  readonly description: string | null;
  /** The last part of its address; one link's of the company that is not deleted. */
  readonly slug: string;
  readonly gatewayFirstTry: GatewaySlug | null;
  /** Null for any number. */
  readonly maxUses: number | null;
  /** From then on nobody can buy from it. */
  readonly expiresAt: Date | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly isActive: boolean;
}

export interface PaymentLink extends PaymentLinkDetails {
  /** Its inner number. */
  readonly id: number;
  readonly companyId: number;
  /** What the API names it by. */
  readonly token: string;
  /** Null unless `type` is subscription. */
  readonly plan: Plan | null;
  /** The first part of its address. */
  readonly companySlug: string;
  /** Purchases that are made or under way. */
  readonly usesCount: number;
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Why nobody can buy from a link; `link_inactive` is told as if it were not there. */
export type LinkProblem = 'link_deleted' | 'link_inactive' | 'link_expired' | 'link_exhausted';

/** What decides whether somebody can buy from a link. */
export type LinkTerms = Pick<
  PaymentLink,
  'deletedAt' | 'isActive' | 'expiresAt' | 'maxUses' | 'usesCount'
> & {
  readonly plan: Pick<Plan, 'isActive'> | null;
};

/** Why nobody can buy from a link at an instant, or null. */
export function linkProblem(link: LinkTerms, at: Date): LinkProblem | null {
  if (link.deletedAt !== null) return 'link_deleted';
  if (!link.isActive || link.plan?.isActive === false) return 'link_inactive';
  if (link.expiresAt !== null && link.expiresAt <= at) return 'link_expired';
  return link.maxUses !== null && link.usesCount >= link.maxUses ? 'link_exhausted' : null;
}

/** A pix is in reais and cannot be charged again by itself. */
export function defaultMethods({ type, currency }: Pick<Offer, 'type' | 'currency'>): CheckoutMethod[] {
  return type === 'one_time' && currency === 'BRL' ? ['card', 'pix'] : ['card'];
}

/** What is wrong with an offer although each of its fields is well formed, by the API's names. */
export function addOfferFaults({ type, currency, paymentMethods }: Offer, faults: FaultCollector): void {
  if (!paymentMethods.includes('pix')) return;
  if (type === 'subscription') faults.add('payment_methods', 'must be card alone for a subscription');
  else if (currency !== 'BRL') faults.add('payment_methods', 'must be card alone unless currency is BRL');
}

/** What is wrong with a link although each of its fields is well formed; null when nothing is. */
export function linkFaults(link: PaymentLinkDetails): FieldErrors | null {
  const faults = new FaultCollector();
  addOfferFaults(link, faults);
  for (const [field, url] of [
    ['success_url', link.successUrl],
    ['cancel_url', link.cancelUrl],
  ] as const) {
    if (url !== null && !URL.canParse(url)) faults.add(field, 'must be an address');
  }
  return faults.found ? faults.errors : null;
}

const KIND = { type: 'type', currency: 'currency' } as const satisfies Record<
  string,
  keyof PaymentLinkDetails
>;

/** What a change makes of a link that only another link can be, by the API's names; null when nothing. */
export function otherLinkFaults(before: PaymentLinkDetails, after: PaymentLinkDetails): FieldErrors | null {
  const names = differing<PaymentLinkDetails>(KIND, before, after);
  if (names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, ['never changes: make another link']]));
}

/** Where its page is. */
export function checkoutUrl(
  { companySlug, slug }: Pick<PaymentLink, 'companySlug' | 'slug'>,
  publicBaseUrl: string,
): string {
  return `${publicBaseUrl}/checkout/${companySlug}/${slug}`;
}
