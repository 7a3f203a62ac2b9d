import type { GatewaySlug } from './gateway-slug';
import type { PaymentMethod } from './payment';

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
export interface RoutingRequest {
  readonly paymentMethod: PaymentMethod;
  readonly authorizeOnly: boolean;
  readonly currency: string;
  readonly recipientIds: readonly string[];
  readonly gatewayFirstTry: GatewaySlug | null;
}

/** One enabled gateway of a company. */
export interface RoutableGateway {
  readonly slug: GatewaySlug;
  readonly order: number;
  readonly credentialId: number | null;
  readonly capabilities: Capabilities;
  readonly circuitOpen: boolean;
  /** Active recipients the company holds there. */
  readonly recipientIds: readonly string[];
}

function canCarry(gateway: RoutableGateway, request: RoutingRequest): boolean {
  const { capabilities } = gateway;
  if (!capabilities.methods.includes(request.paymentMethod)) return false;
  if (request.authorizeOnly && !capabilities.authorizeOnly) return false;
  if (request.paymentMethod !== 'card' && request.currency !== 'BRL') return false;
  if (request.recipientIds.length === 0) return true;
  return capabilities.splits && request.recipientIds.every((id) => gateway.recipientIds.includes(id));
}

/**
 * The gateways that can carry the payment, in the order to try them: `gateway_first_try`, then by `order`
 * (equal orders by credential), and those whose circuit is open last (decisions, section 6).
 */
export function routeGateways<G extends RoutableGateway>(
  request: RoutingRequest,
  gateways: readonly G[],
): G[] {
  const rank = (gateway: G): number => (gateway.slug === request.gatewayFirstTry ? 0 : 1);
  return gateways
    .filter((gateway) => canCarry(gateway, request))
    .sort(
      (a, b) =>
        Number(a.circuitOpen) - Number(b.circuitOpen) ||
        rank(a) - rank(b) ||
        a.order - b.order ||
        (a.credentialId ?? Infinity) - (b.credentialId ?? Infinity) ||
        a.slug.localeCompare(b.slug),
    );
}

/**
 * The next gateway to try. Gateways already tried are left out, except those proven never to have received the charge:
 * they may be tried again after all others.
 */
export function nextGateway<G extends RoutableGateway>(
  routed: readonly G[],
  tried: ReadonlyArray<{ readonly gateway: GatewaySlug; readonly provenAbsent: boolean }>,
): G | null {
  const conclusive = new Set(tried.filter((t) => !t.provenAbsent).map((t) => t.gateway));
  const absent = new Set(tried.filter((t) => t.provenAbsent).map((t) => t.gateway));
  const open = routed.filter((gateway) => !conclusive.has(gateway.slug));
  return open.find((gateway) => !absent.has(gateway.slug)) ?? open[0] ?? null;
}
