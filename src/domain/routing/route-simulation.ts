import type { PaymentMethod } from '../payments/payment';
import type { GatewaySlug } from '../shared/gateway-slug';
import { REQUIRABLE_FIELDS } from './required-data';
import {
  routeGateways,
  unsupportedFeature,
  type GatewayRoute,
  type RoutableGateway,
  type RoutingRequest,
  type UnsupportedFeature,
} from './routing';
import { matchRule, type MatchedRule, type RoutingRule } from './routing-rules';

/** A payment as far as routing depends on it. */
export interface DescribedPayment {
  readonly paymentMethod: PaymentMethod;
  readonly amountCents: number;
  readonly currency: string;
  /** 1 unless paid by card. */
  readonly installments: number;
  /** Whether the money is captured at once. */
  readonly capture: boolean;
  /** Null unless paid by card. `first6Digits` may be fewer digits, or none. */
  readonly card: { readonly brand: string; readonly first6Digits: string } | null;
}

/** Why a gateway has its place. `percent`: of the payments like this one, those that a split sends there first. */
type SimulatedReason =
  | { readonly kind: 'rule' }
  | { readonly kind: 'share'; readonly percent: number }
  | { readonly kind: 'order'; readonly order: number }
  | { readonly kind: 'platform' };

export interface SimulatedRoute {
  readonly gateway: GatewaySlug;
  readonly reason: SimulatedReason;
  /** It failed repeatedly just now, so it is tried after the others. */
  readonly circuitOpen: boolean;
}

export interface RoutingSimulation {
  /** The first rule that matches; null for the default order. */
  readonly rule: MatchedRule | null;
  /** In the order to try them; of a split, the largest share first. */
  readonly routes: readonly SimulatedRoute[];
  readonly passedOver: ReadonlyArray<{
    readonly gateway: GatewaySlug;
    readonly feature: UnsupportedFeature;
  }>;
}

/** A split draws one share for each payment by its id. Without one, the shares are shown as shares. */
const NO_TRANSACTION = '00000000-0000-4000-8000-000000000000';

/**
 * Which gateways would take a payment like this one, by the same rules as a real one. The payment is taken to have all data
 * that a gateway may insist on, and a card with its security code.
 */
export function simulateRouting(
  payment: DescribedPayment,
  rules: readonly RoutingRule[],
  gateways: readonly RoutableGateway[],
): RoutingSimulation {
  const request: RoutingRequest = {
    ...payment,
    transactionId: NO_TRANSACTION,
    authorizeOnly: !payment.capture,
    hasCvv: true,
    splits: [],
    expiry: null,
    given: REQUIRABLE_FIELDS,
    gatewayFirstTry: null,
  };
  const routed = routeGateways(request, rules, gateways).sort(byCircuitAndShare);
  const shared = routed.reduce((sum, { placement }) => sum + shareOf(placement), 0);
  return {
    rule: matchRule(rules, request),
    routes: routed.map(({ gateway, placement }) => ({
      gateway: gateway.slug,
      reason: reasonOf(gateway, placement, shared),
      circuitOpen: gateway.circuitOpen,
    })),
    passedOver: gateways.flatMap((gateway) => {
      const feature = unsupportedFeature(gateway, request);
      return feature === null ? [] : [{ gateway: gateway.slug, feature }];
    }),
  };
}

function byCircuitAndShare(a: GatewayRoute, b: GatewayRoute): number {
  if (a.gateway.circuitOpen !== b.gateway.circuitOpen) return Number(a.gateway.circuitOpen) - 1;
  return shareOf(b.placement) - shareOf(a.placement);
}

function shareOf(placement: GatewayRoute['placement']): number {
  return placement.kind === 'share' ? placement.percent : 0;
}

/** A gateway of a split that does not support the payment leaves its share to the others. */
function reasonOf(
  { credentialId, order }: RoutableGateway,
  placement: GatewayRoute['placement'],
  shared: number,
): SimulatedReason {
  switch (placement.kind) {
    case 'listed':
    case 'first_try':
      return { kind: 'rule' };
    case 'share':
      return { kind: 'share', percent: Math.round((placement.percent / shared) * 100) };
    case 'order':
      return credentialId === null ? { kind: 'platform' } : { kind: 'order', order };
  }
}
