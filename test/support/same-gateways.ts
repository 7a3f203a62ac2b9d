import { GatewayRegistries } from '../../src/gateways/modes/registries';
import type { GatewayRegistry } from '../../src/gateways/registry';

/** The gateways of a deployment that has the same for the data of both modes. */
export function sameGateways(registry: Partial<GatewayRegistry>): GatewayRegistries {
  const gateways = registry as GatewayRegistry;
  return new GatewayRegistries({ ownMode: 'test', own: gateways, other: gateways });
}
