import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../../src/config';
import type { GatewaySlug } from '../../../src/domain/gateway-slug';

const secret = () => randomBytes(32).toString('hex');
const key = () => `k1:${randomBytes(32).toString('base64')}`;
const PRODUCTION = {
  NODE_ENV: 'production',
  API_KEY_PEPPER: secret(),
  JWT_SECRET: secret(),
  FINGERPRINT_KEY: secret(),
  REQUEST_HASH_KEY: secret(),
  PLATFORM_GATEWAY_SECRET: secret(),
  ENCRYPTION_KEYS: key(),
  CODEC_KEYS: key(),
};

const secretsOf = (slug: GatewaySlug, env: Record<string, string>) =>
  loadConfig(env).gateways.webhookSecrets.get(slug);

describe('the secrets that gateways sign their callbacks with', () => {
  it('are the simulator’s in the sandbox', () => {
    expect(secretsOf('gateway_3', {})).toEqual(['whsec_sandbox_gateway_3']);
  });

  it('are none in production unless they are set', () => {
    expect(secretsOf('gateway_3', PRODUCTION)).toEqual([]);
    expect(secretsOf('gateway_3', { ...PRODUCTION, GATEWAY_3_WEBHOOK_SECRET: '' })).toEqual([]);
  });

  it('are two while one replaces the other', () => {
    const [next, last] = [secret(), secret()];
    const env = { ...PRODUCTION, GATEWAY_3_WEBHOOK_SECRET: `${next}, ${last}` };
    expect(secretsOf('gateway_3', env)).toEqual([next, last]);
    expect(secretsOf('gateway_2', env)).toEqual([]);
  });

  it.each([
    ['the sandbox’s', 'whsec_sandbox_gateway_3'],
    ['the sandbox’s of another gateway', 'whsec_sandbox_gateway_1'],
    ['the sandbox’s beside another', `${secret()},whsec_sandbox_gateway_3`],
    ['one that could be guessed', 'secret'],
  ])('keep production from starting when one is %s, without telling it', (_, value) => {
    const start = () => loadConfig({ ...PRODUCTION, GATEWAY_3_WEBHOOK_SECRET: value });
    expect(start).toThrow(/GATEWAY_3_WEBHOOK_SECRET/);
    expect(start).not.toThrow(value);
  });
});
