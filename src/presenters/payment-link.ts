import { needsDocument } from '../domain/checkout/checkout-session';
import { logoUrl, type Brand } from '../domain/companies/company-config';
import { checkoutUrl, type PaymentLink, type PaymentLinkDetails } from '../domain/checkout/payment-link';
import type { Plan } from '../domain/subscriptions/plan';
import { presentInstallmentTerms } from './installments';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];
type WireLink = Schemas['PaymentLink'];

export function presentPaymentLink(link: PaymentLink, publicBaseUrl: string): WireLink {
  return {
    token: link.token,
    ...presentPaymentLinkDetails(link),
    uses_count: link.usesCount,
    checkout_url: checkoutUrl(link, publicBaseUrl),
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
  };
}

/** The fields that the company sets. */
export function presentPaymentLinkDetails(
  link: PaymentLinkDetails & { readonly plan: Plan | null },
): Omit<WireLink, 'token' | 'uses_count' | 'checkout_url' | 'created_at' | 'updated_at'> {
  return {
    slug: link.slug,
    name: link.name,
    description: link.description,
    type: link.type,
    amount: link.amountCents,
    plan_id: link.plan?.uuid ?? null,
    currency: link.plan?.currency ?? link.currency,
    payment_methods: [...link.paymentMethods],
    gateway_first_try: link.gatewayFirstTry,
    max_uses: link.maxUses,
    expires_at: link.expiresAt && link.expiresAt.toISOString(),
    success_url: link.successUrl,
    cancel_url: link.cancelUrl,
    metadata: link.metadata && { ...link.metadata },
    ...presentInstallmentTerms(link.installments),
    is_active: link.isActive,
  };
}

/** The public view of a link. `companyName` is shown if the brand has no name. */
export function presentPublicLink(
  link: PaymentLink,
  { name, logo, color }: Brand,
  { companyName, publicBaseUrl }: { readonly companyName: string; readonly publicBaseUrl: string },
): Schemas['PublicPaymentLink'] {
  const { plan } = link;
  return {
    company: { name: name ?? companyName, logo_url: logo && logoUrl(logo, publicBaseUrl), color },
    mode: link.mode,
    name: link.name,
    description: link.description,
    type: link.type,
    amount: plan?.amountCents ?? link.amountCents ?? 0,
    currency: plan?.currency ?? link.currency,
    plan: plan && {
      name: plan.name,
      description: plan.description,
      interval: plan.interval,
      interval_count: plan.intervalCount,
      trial_period_days: plan.trialPeriodDays,
    },
    payment_methods: [...link.paymentMethods],
    accepts_coupons: link.type === 'subscription',
    document_required: needsDocument(plan?.currency ?? link.currency),
  };
}
