import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { DriverName } from '../gateways/driver-names';
import type { GatewayDriver } from '../gateways/gateway';
import { SimulatorDriver } from '../gateways/simulator/driver';
import { StripeDriver } from '../gateways/stripe/driver';

const DRIVERS: Readonly<Record<DriverName, () => GatewayDriver>> = {
  simulator: () => new SimulatorDriver(),
  stripe: () => new StripeDriver(),
};

/** The driver of each gateway, by the names that the settings give. */
export function createDrivers(
  names: ReadonlyMap<GatewaySlug, DriverName>,
): ReadonlyMap<GatewaySlug, GatewayDriver> {
  return new Map([...names].map(([slug, name]) => [slug, DRIVERS[name]()]));
}
