import { GATEWAY_SLUGS } from './domain/shared/gateway-slug';
import type { GatewaySettings } from './gateway-settings';
import { findWeakness } from './security/weak-secrets';

/** What `TEST_GATEWAY_URL` and `TEST_GATEWAY_WEBHOOK_SECRET` are. */
interface TestGateway {
  readonly url: string | undefined;
  readonly webhookSecrets: readonly string[];
}

const MIN_SECRET_LENGTH = 32;
/** The simulator has an account for each secret, and this one opens nothing else. */
export const TEST_PLATFORM_SECRET = 'sk_test_platform';

/**
 * The gateways of test data in production: the simulator at every slug. Null if the deployment has no simulator, and so takes no
 * test data.
 *
 * @throws an error that names the wrong setting
 */
export function readTestGatewaySettings(
  { url, webhookSecrets }: TestGateway,
  live: GatewaySettings,
): GatewaySettings | null {
  if (url === undefined) {
    if (webhookSecrets.length === 0) return null;
    throw new Error('wrong settings: TEST_GATEWAY_WEBHOOK_SECRET needs TEST_GATEWAY_URL');
  }
  rejectWeakSecrets(webhookSecrets);
  rejectLiveGateway(url, webhookSecrets, live);
  const address = url.replace(/\/$/, '');
  return {
    driverNames: new Map(GATEWAY_SLUGS.map((slug) => [slug, 'simulator'])),
    endpoints: new Map(GATEWAY_SLUGS.map((slug) => [slug, { api: `${address}/${slug}` }])),
    webhookSecrets: new Map(GATEWAY_SLUGS.map((slug) => [slug, webhookSecrets])),
    platformAccounts: new Map(),
  };
}

function rejectWeakSecrets(secrets: readonly string[]): void {
  if (secrets.length === 0 || secrets.some((text) => text.length < MIN_SECRET_LENGTH))
    throw new Error(
      `wrong settings: TEST_GATEWAY_URL needs TEST_GATEWAY_WEBHOOK_SECRET, of at least ${MIN_SECRET_LENGTH} characters`,
    );
  if (secrets.some((text) => findWeakness(Buffer.from(text)) !== null))
    throw new Error('refusing to start with a secret that can be guessed: TEST_GATEWAY_WEBHOOK_SECRET');
}

/** Test data must neither be charged at a live gateway, nor be reported by one. */
function rejectLiveGateway(url: string, secrets: readonly string[], live: GatewaySettings): void {
  const { origin } = new URL(url);
  for (const [slug, endpoints] of live.endpoints) {
    if (Object.values(endpoints).some((endpoint) => new URL(endpoint).origin === origin))
      throw new Error(
        `wrong settings: TEST_GATEWAY_URL is also an address of ${slug}, which is for live data`,
      );
  }
  for (const [slug, known] of live.webhookSecrets) {
    if (known.some((secret) => secrets.includes(secret)))
      throw new Error(
        `wrong settings: TEST_GATEWAY_WEBHOOK_SECRET and ${slug.toUpperCase()}_WEBHOOK_SECRET share a secret; each needs its own`,
      );
  }
}
