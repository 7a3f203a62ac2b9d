import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SimulatorCore, WireAdapter } from './adapter';
import { AdyenAdapter } from './adyen/adapter';
import { AsaasAdapter } from './asaas/adapter';
import { CieloAdapter } from './cielo/adapter';
import { MercadoPagoAdapter } from './mercadopago/adapter';
import { PagarmeAdapter } from './pagarme/adapter';
import { PixBacenAdapter } from './pix-bacen/adapter';
import { SimulatorAdapter } from './simulator/adapter';
import { StripeAdapter } from './stripe/adapter';

/** The protocols that a slug can speak. */
const SIMULATED_VENDORS = [
  'simulator',
  'stripe',
  'pagarme',
  'adyen',
  'asaas',
  'mercadopago',
  'pix-bacen',
  'cielo',
] as const;
export type SimulatedVendor = (typeof SIMULATED_VENDORS)[number];

export interface VendorOptions {
  /** The protocol of each slug; the simulator's own if it is not listed. */
  readonly vendors?: ReadonlyMap<GatewaySlug, SimulatedVendor>;
  /** How long a vendor's search does not know a new payment, in ms; default 0. */
  readonly searchLagMs?: number;
}

/**
 * `names` are the vendors that settings ask for; a slug without one plays the vendor of its driver, if it is simulated. Throws
 * an error that names the setting if a vendor is not simulated.
 */
export function simulatedVendorsOf(
  names: ReadonlyMap<GatewaySlug, string>,
  drivers: ReadonlyMap<GatewaySlug, string>,
): ReadonlyMap<GatewaySlug, SimulatedVendor> {
  const known: readonly string[] = SIMULATED_VENDORS;
  const isKnown = (entry: readonly [GatewaySlug, string]): entry is [GatewaySlug, SimulatedVendor] =>
    known.includes(entry[1]);
  const entries = [...names];
  const unknown = entries.find((entry) => !isKnown(entry));
  if (unknown !== undefined) {
    throw new Error(
      `wrong settings: SIMULATOR_${unknown[0].toUpperCase()} must be one of ${known.join(', ')}`,
    );
  }
  return new Map([...[...drivers].filter(isKnown), ...entries.filter(isKnown)]);
}

/** One adapter per slug: what an adapter keeps in memory belongs to one gateway. */
export function adaptersFor(
  { vendors = new Map(), searchLagMs = 0 }: VendorOptions,
  core: SimulatorCore,
): (gateway: GatewaySlug) => WireAdapter {
  const own = new SimulatorAdapter(core);
  const create: Readonly<Record<SimulatedVendor, () => WireAdapter>> = {
    simulator: () => own,
    adyen: () => new AdyenAdapter(core),
    asaas: () => new AsaasAdapter(core, { searchLagMs }),
    cielo: () => new CieloAdapter(core, { searchLagMs }),
    mercadopago: () => new MercadoPagoAdapter(core, { searchLagMs }),
    pagarme: () => new PagarmeAdapter(core, { searchLagMs }),
    'pix-bacen': () => new PixBacenAdapter(core, { searchLagMs }),
    stripe: () => new StripeAdapter(core, { searchLagMs }),
  };
  const adapters = new Map([...vendors].map(([gateway, vendor]) => [gateway, create[vendor]()]));
  return (gateway) => adapters.get(gateway) ?? own;
}
