import { randomBytes } from 'node:crypto';

/** A secret that production takes. */
export const productionSecret = () => randomBytes(32).toString('hex');

const key = () => `k1:${randomBytes(32).toString('base64')}`;

/** The settings that production does not start without. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  API_KEY_PEPPER: productionSecret(),
  JWT_SECRET: productionSecret(),
  FINGERPRINT_KEY: productionSecret(),
  REQUEST_HASH_KEY: productionSecret(),
  PLATFORM_GATEWAY_SECRET: productionSecret(),
  ENCRYPTION_KEYS: key(),
  CODEC_KEYS: key(),
};
