import { logoUrl, type CompanyConfig } from '../domain/companies/company-config';
import { presentInstallmentTerms } from './installments';
import type { RoutingRule, RuleConditions } from '../domain/routing/routing-rules';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];

export function presentCompanyConfig(config: CompanyConfig, publicBaseUrl: string): Schemas['CompanyConfig'] {
  const { name, logo, color } = config.brand;
  return {
    timezone: config.timezone,
    dunning_days: [...config.dunningDays],
    routing_rules: config.routingRules.map(presentRule),
    pix_expires_in: config.pixExpiresInSeconds,
    billet_due_days: config.billetDueDays,
    brand: {
      name,
      logo_url: logo && logoUrl(logo, publicBaseUrl),
      logo_source_url: logo && logo.sourceUrl,
      color,
    },
    checkout_frame_origins: [...config.checkoutFrameOrigins],
    ...presentInstallmentTerms(config.installments),
    send_receipts: config.sendsReceipts,
    disputes: { pause_subscription: config.pauseSubscription },
  };
}

function presentRule({ name, when, target }: RoutingRule): Schemas['RoutingRule'] {
  const rule = { name, when: presentConditions(when) };
  return target.kind === 'list'
    ? { ...rule, gateways: [...target.gateways] }
    : { ...rule, split: target.shares.map((share) => ({ ...share })) };
}

/** Only the conditions that are set. */
function presentConditions(when: RuleConditions): Schemas['RoutingRuleConditions'] {
  const conditions = {
    payment_method: when.paymentMethod,
    amount_from: when.amountFromCents,
    amount_to: when.amountToCents,
    currency: when.currency,
    card_brand: when.cardBrand,
    bin_prefix: when.binPrefix,
    installments_from: when.installmentsFrom,
  };
  const present = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present);
}
