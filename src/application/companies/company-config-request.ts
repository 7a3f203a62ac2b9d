import type { Brand, CompanyConfig } from '../../domain/companies/company-config';
import type { OwnInstallmentTerms } from '../../domain/companies/installment-terms';
import type { PauseSubscription } from '../../domain/shared/pause-subscription';
import type { Change } from '../../domain/shared/change';
import { frameOriginProblem } from '../../domain/companies/frame-origin';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { isPaidLater, type PaymentMethod } from '../../domain/payments/payment';
import type { RoutingRule, RuleConditions, RuleTarget, SplitShare } from '../../domain/routing/routing-rules';
import { isTimezone } from '../../domain/time/timezone';
import { validationError } from '../../domain/shared/errors';
import { FieldErrorCollector, type Validated } from '../../domain/shared/validation';
import { readInstallmentTerms, type InstallmentTermsRequest } from './installment-terms-request';

/** The body of a config change, already validated against openapi.yaml. Missing fields stay unchanged. */
export interface CompanyConfigRequest extends InstallmentTermsRequest {
  readonly timezone?: string | undefined;
  readonly dunning_days?: readonly number[] | undefined;
  readonly routing_rules?: readonly RoutingRuleRequest[] | undefined;
  readonly pix_expires_in?: number | undefined;
  readonly billet_due_days?: number | undefined;
  readonly brand?:
    | {
        readonly name?: string | null | undefined;
        readonly logo_url?: string | null | undefined;
        readonly color?: string | null | undefined;
      }
    | undefined;
  readonly checkout_frame_origins?: readonly string[] | undefined;
  readonly send_receipts?: boolean | undefined;
  readonly disputes?: { readonly pause_subscription?: PauseSubscription | undefined } | undefined;
}

export interface RoutingRuleRequest {
  readonly name: string;
  readonly when?:
    | {
        readonly payment_method?: PaymentMethod | undefined;
        readonly amount_from?: number | undefined;
        readonly amount_to?: number | undefined;
        readonly currency?: string | undefined;
        readonly card_brand?: string | undefined;
        readonly bin_prefix?: string | undefined;
        readonly installments_from?: number | undefined;
      }
    | undefined;
  readonly gateways?: readonly GatewaySlug[] | undefined;
  readonly split?: readonly SplitShare[] | undefined;
}

/** A validated change; undefined fields stay unchanged. The logo is not fetched yet. */
export type CompanyConfigChange = {
  readonly [Field in Exclude<keyof CompanyConfig, 'brand' | 'installments'>]?:
    | CompanyConfig[Field]
    | undefined;
} & {
  readonly installments: Change<OwnInstallmentTerms>;
  readonly brand: {
    readonly name?: Brand['name'] | undefined;
    readonly color?: Brand['color'] | undefined;
    readonly logoUrl?: string | null | undefined;
  };
};

/**
 * Checks the rules that the contract cannot express, and reports every error. With `sandbox`, pages on localhost may frame
 * the checkout.
 */
export function readCompanyConfigRequest(
  request: CompanyConfigRequest,
  { sandbox }: { readonly sandbox: boolean },
): Validated<CompanyConfigChange> {
  const fieldErrors = new FieldErrorCollector();
  const { timezone, dunning_days: dunningDays, routing_rules: rules, brand = {} } = request;
  const { checkout_frame_origins: origins } = request;
  if (timezone !== undefined && !isTimezone(timezone)) fieldErrors.add('timezone', TIMEZONE_RULE);
  dunningDays?.forEach((day, index) => {
    if (index > 0 && day <= (dunningDays[index - 1] ?? 0)) {
      fieldErrors.add(`dunning_days.${index}`, 'must be later than the day before it in the list');
    }
  });
  origins?.forEach((origin, index) => {
    const problem = frameOriginProblem(origin, { allowLocalhost: sandbox });
    if (problem !== null) fieldErrors.add(`checkout_frame_origins.${index}`, problem);
  });
  const routingRules = rules?.map((rule, index) => readRule(rule, `routing_rules.${index}`, fieldErrors));
  if (fieldErrors.hasErrors) return { valid: false, errors: fieldErrors.errors };
  return {
    valid: true,
    value: {
      timezone,
      dunningDays,
      routingRules,
      pixExpiresInSeconds: request.pix_expires_in,
      billetDueDays: request.billet_due_days,
      brand: { name: brand.name, color: brand.color?.toLowerCase() ?? brand.color, logoUrl: brand.logo_url },
      checkoutFrameOrigins: origins && [...new Set(origins)],
      installments: readInstallmentTerms(request),
      pauseSubscription: request.disputes?.pause_subscription,
      sendsReceipts: request.send_receipts,
    },
  };
}

export const TIMEZONE_RULE = 'must be the name of a time zone, as America/Sao_Paulo';

function readRule(rule: RoutingRuleRequest, path: string, fieldErrors: FieldErrorCollector): RoutingRule {
  return {
    name: rule.name,
    when: readConditions(rule.when ?? {}, `${path}.when`, fieldErrors),
    target: readTarget(rule, path, fieldErrors),
  };
}

/** @throws ApiError `validation_error` by the fields of `routing_rules` */
export function readRoutingRules(rules: readonly RoutingRuleRequest[]): readonly RoutingRule[] {
  const fieldErrors = new FieldErrorCollector();
  const read = rules.map((rule, index) => readRule(rule, `routing_rules.${index}`, fieldErrors));
  if (fieldErrors.hasErrors) throw validationError(fieldErrors.errors);
  return read;
}

const CARD_CONDITIONS = ['card_brand', 'bin_prefix'] as const;

/** Rejects conditions that contradict each other. */
function readConditions(
  when: NonNullable<RoutingRuleRequest['when']>,
  path: string,
  fieldErrors: FieldErrorCollector,
): RuleConditions {
  const { payment_method: paymentMethod, amount_from: amountFrom, amount_to: amountTo } = when;
  if (amountFrom !== undefined && amountTo !== undefined && amountFrom > amountTo) {
    fieldErrors.add(`${path}.amount_to`, 'must not be less than amount_from');
  }
  if (paymentMethod !== undefined && isPaidLater(paymentMethod)) {
    for (const field of CARD_CONDITIONS) {
      if (when[field] !== undefined) fieldErrors.add(`${path}.${field}`, 'is for payment_method card only');
    }
  }
  return {
    paymentMethod,
    amountFromCents: amountFrom,
    amountToCents: amountTo,
    currency: when.currency,
    cardBrand: when.card_brand,
    binPrefix: when.bin_prefix,
    installmentsFrom: when.installments_from,
  };
}

function readTarget(
  { gateways, split }: RoutingRuleRequest,
  path: string,
  fieldErrors: FieldErrorCollector,
): RuleTarget {
  if (gateways !== undefined && split !== undefined) {
    fieldErrors.add(`${path}.split`, 'cannot be combined with gateways');
  }
  if (split !== undefined) {
    rejectDuplicates(
      split.map(({ gateway }) => gateway),
      (index) => `${path}.split.${index}.gateway`,
      fieldErrors,
    );
    const total = split.reduce((sum, { percent }) => sum + percent, 0);
    if (total !== 100) fieldErrors.add(`${path}.split`, `must add up to 100 percent, not ${total}`);
    return { kind: 'split', shares: split.map(({ gateway, percent }) => ({ gateway, percent })) };
  }
  if (gateways === undefined) fieldErrors.add(`${path}.gateways`, 'is required without split');
  rejectDuplicates(gateways ?? [], (index) => `${path}.gateways.${index}`, fieldErrors);
  return { kind: 'list', gateways: gateways ?? [] };
}

function rejectDuplicates(
  slugs: readonly GatewaySlug[],
  pathOf: (index: number) => string,
  fieldErrors: FieldErrorCollector,
): void {
  slugs.forEach((slug, index) => {
    if (slugs.indexOf(slug) < index) fieldErrors.add(pathOf(index), 'is named twice');
  });
}
