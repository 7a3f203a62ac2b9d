import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { ChargeAttempt } from '../../../src/domain/payments/payment';
import { paymentExpiry } from '../../../src/domain/routing/expiry-support';
import {
  describeLackingData,
  gatewaysLackingData,
  ignoredFirstTry,
  ignoredFirstTryReason,
  type GatewayUnavailability,
} from '../../../src/domain/routing/ignored-first-try';
import { givenFields } from '../../../src/domain/routing/required-data';
import { nextRoute, routeGateways, type RoutingRequest } from '../../../src/domain/routing/routing';
import {
  explainRoute,
  matchedRule,
  routingReasons,
  type PassedOverReason,
  type RoutingReason,
} from '../../../src/domain/routing/routing-reason';
import { isPlatformSlug, type CompanyGateway } from '../../../src/gateways/registry';
import { routedCard } from '../../../src/persistence/gateways/gateway-repository';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';
import type { Tx } from '../../../src/persistence/sql/transaction';
import type { PaymentDeps } from '../payment-deps';

/** The chosen gateway and the reason for it. */
export interface GatewayChoice {
  readonly gateway: CompanyGateway;
  readonly reason: string;
  /** The same as codes. */
  readonly reasons: readonly RoutingReason[];
  /** The name of the routing rule that matched; null if none did. */
  readonly rule: string | null;
  /** Why the payment's `gateway_first_try` is not tried first; null if it is, and for later attempts. */
  readonly ignoredFirstTry: string | null;
}

interface RoutingContext {
  /** The charge attempts so far. */
  readonly attempted: readonly ChargeAttempt[];
  readonly platformSlugs: readonly GatewaySlug[];
  readonly now: Date;
}

/** The next gateway to charge; null if none is left. */
export async function routePayment(
  deps: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord,
  { attempted, platformSlugs, now }: RoutingContext,
): Promise<GatewayChoice | null> {
  const { companyId } = payment;
  const found = await deps.gateways.findRouting(companyId, platformSlugs, tx, routedCard(payment));
  const { gateways, rules, hasCvv } = found;
  const request = routingRequest(payment, hasCvv);
  const routable = deps.registries.of(companyId).routable(gateways, now);
  const routed = routeGateways(request, rules, routable);
  const next = nextRoute(routed, attempted);
  if (next === null) return null;
  const isIgnored = attempted.length === 0 && next.gateway.slug !== payment.gatewayFirstTry;
  const ignored = isIgnored ? await findIgnored(deps, tx, payment, request, routable) : null;
  const lacking = describeLackingData(routable, request);
  const ignoredText = ignored?.text ?? null;
  return {
    gateway: next.gateway,
    reason: explainRoute(next, routed, attempted, ignoredText, lacking),
    reasons: [
      ...routingReasons(next, routed, attempted),
      ...(ignored === null ? [] : [ignored.reason]),
      ...lackingData(routable, request),
    ],
    rule: matchedRule(next)?.name ?? null,
    ignoredFirstTry: ignoredText,
  };
}

function lackingData(routable: readonly CompanyGateway[], request: RoutingRequest): PassedOverReason[] {
  const gateways = gatewaysLackingData(routable, request).map(({ slug }) => slug);
  return gateways.length === 0 ? [] : [{ code: 'lacking_data', gateways }];
}

/** Why the requested gateway is not tried first, as a text and as a code. Null if it is. */
async function findIgnored(
  deps: PaymentDeps,
  tx: Tx,
  { companyId }: PaymentRecord,
  request: RoutingRequest,
  routable: readonly CompanyGateway[],
): Promise<{ readonly text: string; readonly reason: PassedOverReason } | null> {
  const { gatewayFirstTry: slug } = request;
  if (slug === null) return null;
  const gateway =
    routable.find((other) => other.slug === slug) ?? (await findUnavailability(deps, tx, companyId, slug));
  const text = ignoredFirstTry(request, gateway);
  const reason = ignoredFirstTryReason(request, gateway);
  return text === null || reason === null
    ? null
    : { text, reason: { code: 'first_try_ignored', gateway: slug, reason } };
}

async function findUnavailability(
  deps: PaymentDeps,
  tx: Tx,
  companyId: number,
  slug: GatewaySlug,
): Promise<GatewayUnavailability> {
  if (!deps.registries.of(companyId).isOffered(slug)) return 'not_offered';
  if (isPlatformSlug(slug)) return 'not_for_company';
  return (await deps.gateways.findUnavailability(companyId, slug, tx)) ?? 'disabled';
}

function routingRequest(payment: PaymentRecord, hasCvv: boolean): RoutingRequest {
  const { transactionId, paymentMethod, amountCents, currency, installments, card } = payment;
  return {
    ...{ transactionId, paymentMethod, amountCents, currency, installments, card },
    hasCvv,
    authorizeOnly: !payment.capture,
    splits: payment.splits ?? [],
    expiry: paymentExpiry(payment),
    given: givenFields({ ...payment, initiator: payment.initiation.initiator }),
    gatewayFirstTry: payment.gatewayFirstTry,
  };
}
