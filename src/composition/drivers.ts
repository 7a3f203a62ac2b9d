import { GATEWAY_SLUGS, type GatewaySlug } from '../domain/shared/gateway-slug';
import type { Mode } from '../domain/shared/mode';
import type { DriverName } from '../gateways/driver-names';
import type { GatewayDriver } from '../gateways/gateway';
import { measuredDriver, type ObserveCall } from '../gateways/measured/measured-driver';
import type { Spans } from '../tracing/spans';
import { accountProblems } from '../domain/routing/gateway-account';
import { isPlatformSlug, GatewayRegistry, type GatewayRegistryOptions } from '../gateways/registry';
import { GatewayRegistries } from '../gateways/modes/registries';
import { AdyenDriver } from '../gateways/adyen/driver';
import { AsaasDriver } from '../gateways/asaas/driver';
import { CieloDriver } from '../gateways/cielo/driver';
import { PagarmeDriver } from '../gateways/pagarme/driver';
import { MercadoPagoDriver } from '../gateways/mercadopago/driver';
import { PixBacenDriver } from '../gateways/pix-bacen/driver';
import { SimulatorDriver } from '../gateways/simulator/driver';
import { StripeDriver } from '../gateways/stripe/driver';

export const DRIVERS: Readonly<Record<DriverName, () => GatewayDriver>> = {
  pagarme: () => new PagarmeDriver(),
  simulator: () => new SimulatorDriver(),
  adyen: () => new AdyenDriver(),
  asaas: () => new AsaasDriver(),
  cielo: () => new CieloDriver(),
  mercadopago: () => new MercadoPagoDriver(),
  'pix-bacen': () => new PixBacenDriver(),
  stripe: () => new StripeDriver(),
};

/** The driver of each gateway, by the names that the settings give. */
export function createDrivers(
  names: ReadonlyMap<GatewaySlug, DriverName>,
): ReadonlyMap<GatewaySlug, GatewayDriver> {
  return new Map([...names].map(([slug, name]) => [slug, DRIVERS[name]()]));
}

type GatewaySettings = Omit<GatewayRegistryOptions, 'drivers'> & {
  readonly driverNames: ReadonlyMap<GatewaySlug, DriverName>;
};

/**
 * The gateways of a deployment.
 *
 * @throws an error that names the setting if the platform's account at a gateway is not what its driver needs
 */
export function createRegistry(
  settings: GatewaySettings,
  observe?: ObserveCall,
  spans?: Spans,
): GatewayRegistry {
  const created = createDrivers(settings.driverNames);
  const drivers =
    observe === undefined
      ? created
      : new Map([...created].map(([slug, driver]) => [slug, measuredDriver(driver, observe, spans)]));
  const registry = new GatewayRegistry({ ...settings, drivers });
  for (const slug of GATEWAY_SLUGS) {
    const isUsed = isPlatformSlug(slug) || settings.platformAccounts?.has(slug) === true;
    if (!isUsed || !registry.isConfigured(slug)) continue;
    const problems = accountProblems(registry.platformAccount(slug), registry.platformFields(slug));
    if (problems.length === 0) continue;
    throw new Error(
      `wrong settings: ${slug.toUpperCase()}_PLATFORM_CREDENTIALS for ${settings.driverNames.get(slug)}: ${problems.join('; ')}`,
    );
  }
  return registry;
}

interface ModeSettings {
  readonly mode: Mode;
  readonly gateways: GatewaySettings;
  readonly otherGateways: GatewaySettings | null;
}

/** The gateways of each mode, which are the same objects if their settings are. */
export function createRegistries(
  { mode, gateways, otherGateways }: ModeSettings,
  observe?: ObserveCall,
  spans?: Spans,
): GatewayRegistries {
  const own = createRegistry(gateways, observe, spans);
  if (otherGateways === gateways) return new GatewayRegistries({ ownMode: mode, own, other: own });
  const other = otherGateways && createRegistry(otherGateways, observe, spans);
  return new GatewayRegistries({ ownMode: mode, own, other });
}
