import type { GatewaySlug } from '../shared/gateway-slug';
import type { PaymentMethod, TriedAttempt } from '../payments/payment';
import {
  drawShares,
  matchRule,
  type MatchedRule,
  type RoutedPayment,
  type RoutingRule,
} from './routing-rules';

/**
 * How a gateway helps to learn the outcome of a call that gave none:
 * `replay` answers a repeated idempotency key with the first result, `lookup` finds a charge by our reference.
 */
export type IdempotencySupport = 'both' | 'lookup' | 'replay' | 'none';

export interface Capabilities {
  readonly methods: readonly PaymentMethod[];
  readonly authorizeOnly: boolean;
  readonly partialCapture: boolean;
  readonly partialRefund: boolean;
  /** The methods whose money can be given back through the gateway. */
  readonly refundMethods: readonly PaymentMethod[];
  readonly splits: boolean;
  readonly subAccounts: boolean;
  readonly idempotency: IdempotencySupport;
  /** How long a repeated key is answered with the first result, in ms; 0 where keys are not replayed. */
  readonly replayWindowMs: number;
}

/** What a payment asks of a gateway. */
export interface RoutingRequirements {
  readonly paymentMethod: PaymentMethod;
  readonly authorizeOnly: boolean;
  readonly currency: string;
  readonly recipientIds: readonly string[];
}

export interface RoutingRequest extends RoutingRequirements, RoutedPayment {
  readonly gatewayFirstTry: GatewaySlug | null;
}

/** One enabled gateway of a company. */
export interface RoutableGateway {
  readonly slug: GatewaySlug;
  readonly order: number;
  /** Null for the platform's own gateways. */
  readonly credentialId: number | null;
  readonly capabilities: Capabilities;
  readonly circuitOpen: boolean;
  /** Active recipients the company holds there. */
  readonly recipientIds: readonly string[];
}

/** Why a gateway has its place among the others. */
export type Place =
  | { readonly kind: 'first_try' }
  | { readonly kind: 'listed'; readonly rule: MatchedRule }
  | {
      readonly kind: 'share';
      readonly rule: MatchedRule;
      readonly percent: number;
      readonly drawn: boolean;
    }
  /** The rule, if one matched, names others. */
  | { readonly kind: 'order'; readonly rule: MatchedRule | null };

/** A gateway that can carry the payment. */
export interface Route<G extends RoutableGateway = RoutableGateway> {
  readonly gateway: G;
  readonly place: Place;
  /** Its place, from 0, if no circuit were open. */
  readonly preference: number;
}

/** A charge that was tried. `abandoned`: the gateway certainly never received it. */
export type TriedGateway = Pick<TriedAttempt, 'gateway' | 'status'>;

function canCarry(gateway: RoutableGateway, request: RoutingRequirements): boolean {
  const { capabilities } = gateway;
  if (!capabilities.methods.includes(request.paymentMethod)) return false;
  if (request.authorizeOnly && !capabilities.authorizeOnly) return false;
  if (request.paymentMethod !== 'card' && request.currency !== 'BRL') return false;
  if (request.recipientIds.length === 0) return true;
  return capabilities.splits && request.recipientIds.every((id) => gateway.recipientIds.includes(id));
}

/** The gateways that can carry the payment, in no order of preference. */
export function candidatesFor<G extends RoutableGateway>(
  request: RoutingRequirements,
  gateways: readonly G[],
): G[] {
  return gateways.filter((gateway) => canCarry(gateway, request));
}

/**
 * The gateways that can carry the payment, each once, in the order to try them: `gateway_first_try`, then as the first
 * matching rule says, then by `order`; those whose circuit is open last (decisions, section 6).
 */
export function routeGateways<G extends RoutableGateway>(
  request: RoutingRequest,
  rules: readonly RoutingRule[],
  gateways: readonly G[],
): Route<G>[] {
  const candidates = candidatesFor(request, gateways).sort(byOrder);
  const bySlug = new Map(candidates.map((gateway) => [gateway.slug, gateway]));
  const places = new Map<GatewaySlug, Place>();
  for (const [slug, place] of wishes(request, rules, candidates)) {
    if (!places.has(slug)) places.set(slug, place);
  }
  const routes = [...places].flatMap(([slug, place]) => {
    const gateway = bySlug.get(slug);
    return gateway === undefined ? [] : [{ gateway, place }];
  });
  return routes
    .map((route, preference) => ({ ...route, preference }))
    .sort((a, b) => Number(a.gateway.circuitOpen) - Number(b.gateway.circuitOpen));
}

/** Everything that speaks for a gateway, the strongest first. */
function wishes(
  request: RoutingRequest,
  rules: readonly RoutingRule[],
  candidates: readonly RoutableGateway[],
): Array<readonly [GatewaySlug, Place]> {
  const { gatewayFirstTry: first } = request;
  const rule = matchRule(rules, request);
  const slugs = candidates.map(({ slug }) => slug);
  return [
    ...(first === null ? [] : [[first, { kind: 'first_try' }] as const]),
    ...(rule === null ? [] : ruleWishes(rule, request, slugs)),
    ...slugs.map((slug) => [slug, { kind: 'order', rule }] as const),
  ];
}

function ruleWishes(
  rule: MatchedRule,
  { transactionId }: RoutingRequest,
  candidates: readonly GatewaySlug[],
): Array<readonly [GatewaySlug, Place]> {
  const { target } = rule;
  if (target.kind === 'list') return target.gateways.map((slug) => [slug, { kind: 'listed', rule }] as const);
  const carrying = target.shares.filter(({ gateway }) => candidates.includes(gateway));
  return drawShares(carrying, transactionId).map(
    ({ gateway, percent, drawn }) => [gateway, { kind: 'share', rule, percent, drawn }] as const,
  );
}

/** Equal orders by credential, the platform's gateways last. */
function byOrder(a: RoutableGateway, b: RoutableGateway): number {
  return (
    a.order - b.order ||
    (a.credentialId ?? Infinity) - (b.credentialId ?? Infinity) ||
    a.slug.localeCompare(b.slug)
  );
}

/**
 * Where to try next. Gateways already tried are left out, except those proven never to have received the charge: they
 * may be tried again after all others.
 */
export function nextRoute<R extends Route>(routed: readonly R[], tried: readonly TriedGateway[]): R | null {
  const [absent, conclusive] = [new Set<GatewaySlug>(), new Set<GatewaySlug>()];
  for (const { gateway, status } of tried) (status === 'abandoned' ? absent : conclusive).add(gateway);
  const open = routed.filter(({ gateway }) => !conclusive.has(gateway.slug));
  return open.find(({ gateway }) => !absent.has(gateway.slug)) ?? open[0] ?? null;
}
