import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { DriverName } from './driver-names';
import type { GatewayAccount } from '../domain/routing/gateway-account';

/** Credentials of the right shape for each vendor. Its imitation in the simulator accepts them; the vendor itself does not. */
const SANDBOX_ACCOUNTS: Readonly<Record<DriverName, (slug: GatewaySlug) => GatewayAccount>> = {
  adyen: (slug) => ({
    values: {
      secretKey: `AQEsandbox-api-key-of-${slug}`,
      credentials: { merchant_account: `Sandbox_${slug}` },
    },
    clientId: null,
  }),
  simulator: (slug) => withSecretKey(slug),
  asaas: (slug) => withSecretKey(slug, '$aact_hmlg_'),
  mercadopago: (slug) => withSecretKey(slug, 'TEST-'),
  stripe: (slug) => withSecretKey(slug),
  pagarme: (slug) => withSecretKey(slug),
};

export function sandboxAccount(driver: DriverName, slug: GatewaySlug): GatewayAccount {
  return SANDBOX_ACCOUNTS[driver](slug);
}

function withSecretKey(slug: GatewaySlug, prefix = 'sk_test_'): GatewayAccount {
  return { values: { secretKey: `${prefix}sandbox_${slug}`, credentials: {} }, clientId: null };
}
