import type { GatewayAccount } from '../../domain/routing/gateway-account';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type { GatewayAccess } from '../../gateways/registry';
import type { GatewaySecretCipher } from '../../security/gateway-secret-cipher';

interface OpenAccountDeps {
  readonly registries: GatewayRegistries;
  readonly secretCipher: GatewaySecretCipher;
}

/** Decrypts the credentials of a company, or takes the platform's. */
export async function openGatewayAccount(
  { registries, secretCipher }: OpenAccountDeps,
  companyId: number,
  { slug, secret, clientId }: GatewayAccess,
): Promise<GatewayAccount> {
  if (secret !== null) return { values: await secretCipher.open({ companyId, slug }, secret), clientId };
  const platform = registries.of(companyId).platformAccount(slug);
  return { values: platform.values, clientId: platform.clientId ?? clientId };
}
