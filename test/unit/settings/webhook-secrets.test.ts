import { loadConfig } from '../../../src/config';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { PRODUCTION, productionSecret } from '../../support/fixtures/production';

const secretsOf = (slug: GatewaySlug, env: Record<string, string>) =>
  loadConfig(env).gateways.webhookSecrets.get(slug);

describe('the secrets that verify gateways’ callbacks', () => {
  it('are the simulator’s in the sandbox', () => {
    expect(secretsOf('gateway_3', { SANDBOX: 'true' })).toEqual(['whsec_sandbox_gateway_3']);
  });

  it('are empty in production by default', () => {
    expect(secretsOf('gateway_3', PRODUCTION)).toEqual([]);
    expect(secretsOf('gateway_3', { ...PRODUCTION, GATEWAY_3_WEBHOOK_SECRET: '' })).toEqual([]);
  });

  it('can be two during a rotation', () => {
    const [next, last] = [productionSecret(), productionSecret()];
    const env = { ...PRODUCTION, GATEWAY_3_WEBHOOK_SECRET: `${next}, ${last}` };
    expect(secretsOf('gateway_3', env)).toEqual([next, last]);
    expect(secretsOf('gateway_2', env)).toEqual([]);
  });

  it.each([
    ['the sandbox’s', 'whsec_sandbox_gateway_3'],
    ['the sandbox’s of another gateway', 'whsec_sandbox_gateway_1'],
    ['the sandbox’s beside another', `${productionSecret()},whsec_sandbox_gateway_3`],
    ['too short', 'secret'],
    ['long and easy to guess', 'secret-secret-secret'],
  ])('prevent production from starting if one is %s, without revealing it', (_, value) => {
    const start = () => loadConfig({ ...PRODUCTION, GATEWAY_3_WEBHOOK_SECRET: value });
    expect(start).toThrow(/GATEWAY_3_WEBHOOK_SECRET/);
    expect(start).not.toThrow(value);
  });
});
