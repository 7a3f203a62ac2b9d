import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { DriverName } from './driver-names';
import type { GatewayAccount } from '../domain/routing/gateway-account';

/** Credentials of the right shape for each vendor. Its fake in the simulator accepts them; the vendor itself does not. */
const SANDBOX_ACCOUNTS: Readonly<Record<DriverName, (slug: GatewaySlug) => GatewayAccount>> = {
  adyen: (slug) => ({
    values: {
      secretKey: `AQEsandbox-api-key-of-${slug}`,
      credentials: { merchant_account: `Sandbox_${slug}`, balance_platform: 'SandboxPlatform' },
    },
    clientId: null,
  }),
  simulator: (slug) => withSecretKey(slug),
  asaas: (slug) => withSecretKey(slug, '$aact_hmlg_'),
  cielo: (slug) => ({
    values: {
      secretKey: `SANDBOXKEYOF${slug.replace('_', '').toUpperCase()}`.padEnd(40, '0'),
      credentials: { boleto_provider: 'Simulado' },
    },
    clientId: `c1e10000-0000-4000-8000-${slug.replace(/\D/g, '').padStart(12, '0')}`,
  }),
  mercadopago: (slug) => withSecretKey(slug, 'TEST-'),
  stripe: (slug) => withSecretKey(slug),
  pagarme: (slug) => withSecretKey(slug),
  'pix-bacen': withCertificate,
};

/** The platform's account there, with what its recipients need. */
export function sandboxPlatformAccount(driver: DriverName, slug: GatewaySlug): GatewayAccount {
  const account = sandboxAccount(driver, slug);
  const { secretKey, credentials } = account.values;
  if (driver === 'adyen') {
    const legal_entity_key = `AQEsandbox-legal-entity-key-of-${slug}`;
    const balance_platform_key = `AQEsandbox-balance-platform-key-of-${slug}`;
    const keys = { legal_entity_key, balance_platform_key };
    return { ...account, values: { secretKey, credentials: { ...credentials, ...keys } } };
  }
  if (driver !== 'mercadopago') return account;
  const client_secret = `sandbox-client-secret-of-${slug}`;
  return {
    values: { secretKey, credentials: { ...credentials, client_secret } },
    clientId: '4934588586838432',
  };
}

export function sandboxAccount(driver: DriverName, slug: GatewaySlug): GatewayAccount {
  return SANDBOX_ACCOUNTS[driver](slug);
}

function withSecretKey(slug: GatewaySlug, prefix = 'sk_test_'): GatewayAccount {
  return { values: { secretKey: `${prefix}sandbox_${slug}`, credentials: {} }, clientId: null };
}

/** The simulator speaks no TLS, so nobody reads the certificate. */
function withCertificate(slug: GatewaySlug): GatewayAccount {
  const pem = (kind: string): string => `-----BEGIN ${kind}-----\nc2FuZGJveA==\n-----END ${kind}-----\n`;
  return {
    values: {
      secretKey: `sandbox_secret_of_${slug}`,
      credentials: {
        certificate: pem('CERTIFICATE'),
        private_key: pem('PRIVATE KEY'),
        pix_key: '51a1b0c5-0000-4000-8000-000000000000',
      },
    },
    clientId: `sandbox_client_of_${slug}`,
  };
}
