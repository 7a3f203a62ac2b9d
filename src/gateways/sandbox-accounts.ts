import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { DriverName } from './driver-names';
import type { GatewayAccount } from '../domain/routing/gateway-account';

/** Credentials of the right shape for each vendor. Its imitation in the simulator accepts them; the vendor itself does not. */
const SANDBOX_ACCOUNTS: Readonly<Record<DriverName, (slug: GatewaySlug) => GatewayAccount>> = {
  simulator: withSecretKey,
  stripe: withSecretKey,
};

export function sandboxAccount(driver: DriverName, slug: GatewaySlug): GatewayAccount {
  return SANDBOX_ACCOUNTS[driver](slug);
}

function withSecretKey(slug: GatewaySlug): GatewayAccount {
  return { values: { secretKey: `sk_test_sandbox_${slug}`, credentials: {} }, clientId: null };
}
