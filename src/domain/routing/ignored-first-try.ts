import { assertNever } from '../shared/assert-never';
import type { GatewaySlug } from '../shared/gateway-slug';
import { describeCardLimit } from './card-support';
import { describeExpiryLimit } from './expiry-support';
import { describeLackedFeature } from './learned-limits';
import { describeMissingFields, missingFields } from './required-data';
import { describeSplitLimit } from './split-support';
import {
  unsupportedFeature,
  type Capabilities,
  type RoutableGateway,
  type RoutingRequest,
  type RoutingRequirements,
  type UnsupportedFeature,
} from './routing';

/** Why a gateway takes no new payments of a company. */
export type GatewayUnavailability =
  | 'not_offered'
  | 'not_for_company'
  | 'no_credentials'
  | 'disabled'
  | 'sub_account_not_active';

/**
 * Why `gateway_first_try` is not tried first, for the company that asked for it. Null if it is, or if there is none.
 * `gateway`: the gateway that the request names, or why the company cannot use it.
 */
export function ignoredFirstTry(
  request: RoutingRequest,
  gateway: RoutableGateway | GatewayUnavailability,
): string | null {
  const { gatewayFirstTry: slug } = request;
  if (slug === null) return null;
  if (typeof gateway === 'string') return unavailable(slug, gateway);
  const unsupported = unsupportedReason(gateway, request);
  if (unsupported !== null) return `${slug} ${unsupported}`;
  return gateway.circuitOpen ? `${slug} failed repeatedly just now and is tried after the others` : null;
}

/** Why a gateway is not tried first, as a code. `circuit_open`: it failed repeatedly just now. */
export type IgnoredFirstTryReason = GatewayUnavailability | UnsupportedFeature | 'circuit_open';

/** The same as `ignoredFirstTry`, as a code. */
export function ignoredFirstTryReason(
  request: RoutingRequest,
  gateway: RoutableGateway | GatewayUnavailability,
): IgnoredFirstTryReason | null {
  if (request.gatewayFirstTry === null) return null;
  if (typeof gateway === 'string') return gateway;
  return unsupportedFeature(gateway, request) ?? (gateway.circuitOpen ? 'circuit_open' : null);
}

function unavailable(slug: GatewaySlug, reason: GatewayUnavailability): string {
  switch (reason) {
    case 'not_offered':
      return `${slug} is not offered`;
    case 'not_for_company':
      return `${slug} is not available to this company`;
    case 'no_credentials':
      return `${slug} has no credentials of this company`;
    case 'disabled':
      return `${slug} is disabled`;
    case 'sub_account_not_active':
      return `the sub-account at ${slug} is not active`;
    default:
      return assertNever(reason);
  }
}

/**
 * The gateways that are passed over for nothing but what the payment does not have: data, as in `gateway_2 needs payer.ip`, or the card's
 * security code. Null if there are none.
 */
export function describeLackingData(
  gateways: readonly RoutableGateway[],
  request: RoutingRequirements,
): string | null {
  const reasons = gatewaysLackingData(gateways, request).map(
    (gateway) => `${gateway.slug} ${unsupportedReason(gateway, request)}`,
  );
  return reasons.length === 0 ? null : reasons.join(', ');
}

/** The gateways that `describeLackingData` describes. */
export function gatewaysLackingData<G extends RoutableGateway>(
  gateways: readonly G[],
  request: RoutingRequirements,
): G[] {
  return gateways.filter((gateway) => {
    const feature = unsupportedFeature(gateway, request);
    return feature === 'required_data' || feature === 'no_cvv';
  });
}

/** Why none of a company's enabled gateways supports a payment. */
export function describeUnroutable(
  gateways: readonly RoutableGateway[],
  request: RoutingRequirements,
): string {
  const reasons = gateways.map((gateway) => `${gateway.slug} ${unsupportedReason(gateway, request)}`);
  return reasons.length === 0 ? 'no gateway is enabled' : reasons.join('; ');
}

/** Why a gateway does not support a payment, after its name. Null if it does. */
export function unsupportedReason(
  gateway: Parameters<typeof unsupportedFeature>[0],
  request: RoutingRequirements,
): string | null {
  const feature = unsupportedFeature(gateway, request);
  return feature === null ? null : describe(feature, gateway.capabilities, request);
}

function describe(
  feature: UnsupportedFeature,
  capabilities: Capabilities,
  request: RoutingRequirements,
): string {
  switch (feature) {
    case 'method':
      return `does not support ${request.paymentMethod}`;
    case 'authorize_only':
      return 'does not support capture: false';
    case 'currency':
      return `does not support ${request.paymentMethod} in ${request.currency}`;
    case 'recipients':
      return 'does not hold every recipient of the splits';
    case 'required_data':
      return describeMissingFields(missingFields(capabilities, request.paymentMethod, request.given));
    case 'no_cvv':
    case 'installments':
      return describeCardLimit(feature, capabilities);
    case 'pix_expires_in':
    case 'pix_payable_after_expiry':
    case 'billet_due_at':
      return describeExpiryLimit(feature, capabilities);
    case 'account_raw_cards':
      return describeLackedFeature('raw_cards');
    case 'account_pix':
      return describeLackedFeature('pix');
    case 'account_billet':
      return describeLackedFeature('billet');
    case 'account_splits':
      return describeLackedFeature('splits');
    default:
      return describeSplitLimit(feature, capabilities);
  }
}
