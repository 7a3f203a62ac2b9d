import { randomBytes } from 'node:crypto';
import { GATEWAY_SLUGS } from '../../../src/domain/shared/gateway-slug';

const newKey = (): string => randomBytes(32).toString('base64');

/** The keys that sign the gateways' callbacks: for the simulator, and for the API, which verifies them. */
export function webhookSecrets(): Record<string, string> {
  return perGateway('WEBHOOK_SECRET', newKey);
}

/** Own secrets, since production rejects those of the sandbox, and rate limits that no load reaches. */
export function engineSettings(simulatorUrl: string): Record<string, string> {
  return {
    NODE_ENV: 'production',
    API_KEY_PEPPER: newKey(),
    JWT_SECRET: newKey(),
    FINGERPRINT_KEY: newKey(),
    REQUEST_HASH_KEY: newKey(),
    ENCRYPTION_KEYS: `bench:${newKey()}`,
    CODEC_KEYS: `bench:${newKey()}`,
    PLATFORM_GATEWAY_SECRET: newKey(),
    RATE_LIMIT_COMPANY_PER_SECOND: '1000000',
    RATE_LIMIT_CALLBACKS_PER_SECOND: '1000000',
    RATE_LIMIT_PUBLIC_PER_MINUTE: '1000000',
    ...perGateway('DRIVER', () => 'simulator'),
    ...perGateway('URL', (slug) => `${simulatorUrl}/${slug}`),
  };
}

function perGateway(setting: string, value: (slug: string) => string): Record<string, string> {
  return Object.fromEntries(GATEWAY_SLUGS.map((slug) => [`${slug.toUpperCase()}_${setting}`, value(slug)]));
}
