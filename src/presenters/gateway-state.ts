import { recentFailureCount, isOpen, type Circuit } from '../domain/routing/circuit';
import { assertNever } from '../domain/shared/assert-never';
import type { PixExpiry } from '../domain/routing/expiry-support';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { CredentialField } from '../domain/routing/credential-fields';
import { PAYMENT_METHODS } from '../domain/payments/payment';
import { limitHoldsUntil, type LearnedLimit } from '../domain/routing/learned-limits';
import type { Capabilities } from '../domain/routing/routing';
import { isAnswered, type SubAccountStatus } from '../domain/routing/subaccount';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];

/** A company's state at a gateway. */
export interface PresentableGateway {
  readonly slug: GatewaySlug;
  readonly offered: boolean;
  readonly platform: { readonly usable: boolean } | null;
  readonly capabilities: Capabilities | null;
  /** The processor behind the gateway; null without a driver. */
  readonly vendor: string | null;
  readonly credentialFields: readonly CredentialField[];
  readonly callbackProof: Schemas['GatewayState']['callback_proof'];
  readonly credential: {
    readonly clientId: string | null;
    readonly order: number;
    readonly enabled: boolean;
    readonly subAccountStatus: SubAccountStatus | null;
    readonly hasWebhookSecret: boolean;
    readonly isVerified: boolean;
    readonly earlierSecrets: number;
    readonly createdAt: Date;
    readonly updatedAt: Date;
  } | null;
  readonly circuit: Circuit;
  readonly learnedLimits: readonly LearnedLimit[];
  readonly unrecognized: {
    readonly answers: number;
    readonly callbacks: number;
    readonly lastSeenAt: Date | null;
  };
  readonly lastHour: {
    readonly charges: number;
    readonly approved: number;
    readonly pending: number;
    readonly declined: number;
    readonly errors: number;
    readonly unknown: number;
    readonly p50Ms: number | null;
  };
}

/** A gateway's state, without secrets. */
export function presentGatewayState(gateway: PresentableGateway, now: Date): Schemas['GatewayState'] {
  const { slug, offered, platform, capabilities, credential } = gateway;
  const status = credential?.subAccountStatus ?? null;
  return {
    gateway_slug: slug,
    active: offered,
    platform: platform !== null,
    configured: platform?.usable ?? credential !== null,
    enabled: platform?.usable ?? credential?.enabled ?? false,
    order: credential?.order ?? null,
    client_id: credential?.clientId ?? null,
    use_as_subaccount: status !== null,
    sub_account_status: status === null || isAnswered(status) ? status : 'pending',
    webhook_secret_set: credential?.hasWebhookSecret ?? false,
    callback_proof: gateway.callbackProof,
    verified: credential?.isVerified ?? null,
    earlier_secrets: credential?.earlierSecrets ?? 0,
    vendor: gateway.vendor,
    credential_fields: gateway.credentialFields.map(presentField),
    capabilities: capabilities && presentCapabilities(capabilities),
    learned_limits: gateway.learnedLimits.map(presentLimit),
    unrecognized: presentUnrecognizedCounts(gateway),
    health: presentHealth(gateway, now),
    created_at: credential?.createdAt.toISOString() ?? null,
    updated_at: credential?.updatedAt.toISOString() ?? null,
  };
}

function presentUnrecognizedCounts({
  unrecognized: { answers, callbacks, lastSeenAt },
}: PresentableGateway): Schemas['UnrecognizedCounts'] {
  return { answers, callbacks, last_seen_at: lastSeenAt?.toISOString() ?? null };
}

function presentCapabilities(capabilities: Capabilities): NonNullable<Schemas['GatewayCapabilities']> {
  return {
    methods: [...capabilities.methods],
    authorize_only: capabilities.authorizeOnly,
    verifies_cards: capabilities.verifiesCards,
    charges_without_cvv: capabilities.savedCards !== 'token',
    saved_cards: capabilities.savedCards ?? 'number',
    max_installments: capabilities.maxInstallments ?? null,
    partial_capture: capabilities.partialCapture,
    partial_refund: capabilities.partialRefund,
    refund_methods: [...capabilities.refundMethods],
    splits: capabilities.splits !== 'none',
    split_kind: capabilities.splits,
    max_recipients: capabilities.maxRecipients,
    split_costs: capabilities.splitCosts,
    pix_expiry: presentPixExpiry(capabilities.pixExpiry),
    billet_due_days: capabilities.billetDueDays && { ...capabilities.billetDueDays },
    payable_after_expiry: [...capabilities.payableAfterExpiry],
    required_fields: PAYMENT_METHODS.map((method) => ({
      payment_method: method,
      fields: [...(capabilities.requires?.[method] ?? [])],
    })).filter(({ fields }) => fields.length > 0),
    sub_accounts: capabilities.subAccounts,
    idempotency: capabilities.idempotency,
    dispute_answers: [...(capabilities.disputeAnswers ?? [])],
  };
}

function presentLimit(limit: LearnedLimit): Schemas['GatewayLearnedLimit'] {
  const { feature, since, message } = limit;
  return { feature, since: since.toISOString(), until: limitHoldsUntil(limit).toISOString(), message };
}

function presentPixExpiry(rule: PixExpiry | null): Schemas['GatewayPixExpiry'] | null {
  if (rule === null) return null;
  switch (rule.kind) {
    case 'seconds':
      return { kind: rule.kind, min_seconds: rule.minSeconds, max_seconds: rule.maxSeconds };
    case 'fixed':
      return { kind: rule.kind, min_seconds: rule.seconds, max_seconds: rule.seconds };
    case 'day':
      return { kind: rule.kind, min_seconds: null, max_seconds: null };
    default:
      return assertNever(rule);
  }
}

function presentHealth({ circuit, lastHour }: PresentableGateway, now: Date): Schemas['GatewayHealth'] {
  const open = isOpen(circuit, now);
  const { p50Ms, charges, approved, pending, declined, errors, unknown } = lastHour;
  return {
    circuit: open ? 'open' : 'closed',
    open_until: open ? (circuit.openUntil?.toISOString() ?? null) : null,
    reason: open ? circuit.reason : null,
    recent_failures: recentFailureCount(circuit, now),
    last_hour: { charges, approved, pending, declined, errors, unknown, p50_ms: p50Ms },
  };
}

function presentField(field: CredentialField): Schemas['GatewayCredentialField'] {
  const { name, required, secret, multiline, description, descriptionPt } = field;
  const descriptions = { description, description_pt: descriptionPt };
  return { name, required, secret, multiline: multiline === true, ...descriptions };
}
