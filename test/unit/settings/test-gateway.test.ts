import { loadConfig, loadSandboxConfig } from '../../../src/config';
import { PRODUCTION, productionSecret } from '../../support/fixtures/production';

const SECRET = productionSecret();
const TEST_GATEWAY = {
  TEST_GATEWAY_URL: 'http://simulator:4010/',
  TEST_GATEWAY_WEBHOOK_SECRET: SECRET,
};

describe('the gateways of test data in production', () => {
  it('are none, and test data is refused, unless the address of the simulator is set', () => {
    expect(loadConfig(PRODUCTION)).toMatchObject({ modes: ['live'], otherGateways: null });
    expect(loadConfig({ ...PRODUCTION, TEST_GATEWAY_URL: '' }).otherGateways).toBeNull();
  });

  it('are the simulator at every slug, with none of the live addresses, secrets and accounts', () => {
    const live = {
      GATEWAY_1_DRIVER: 'stripe',
      GATEWAY_1_WEBHOOK_SECRET: productionSecret(),
      GATEWAY_6_DRIVER: 'stripe',
      GATEWAY_6_PLATFORM_CREDENTIALS: '{"secret_key":"sk_of_the_platform"}',
    };
    const { modes, gateways, otherGateways } = loadConfig({ ...PRODUCTION, ...live, ...TEST_GATEWAY });
    expect(modes).toEqual(['test', 'live']);
    expect(gateways.driverNames.get('gateway_1')).toBe('stripe');
    expect(new Set(otherGateways?.driverNames.values())).toEqual(new Set(['simulator']));
    expect(otherGateways?.endpoints.get('gateway_7')).toEqual({ api: 'http://simulator:4010/gateway_7' });
    expect(otherGateways?.webhookSecrets.get('gateway_1')).toEqual([SECRET]);
    expect(otherGateways?.platformAccounts.size).toBe(0);
    expect(otherGateways?.platformSecret).not.toBe(gateways.platformSecret);
  });

  it('are those of live data in the sandbox, which has one gateway for both', () => {
    const { gateways, otherGateways } = loadSandboxConfig({});
    expect(otherGateways).toBe(gateways);
    expect(() => loadSandboxConfig(TEST_GATEWAY)).toThrow(/TEST_GATEWAY_URL is for production/);
  });

  it.each([
    ['no secret', { TEST_GATEWAY_WEBHOOK_SECRET: '' }, /needs TEST_GATEWAY_WEBHOOK_SECRET/],
    ['a short secret', { TEST_GATEWAY_WEBHOOK_SECRET: 'short' }, /of at least 32 characters/],
    ['a secret that can be guessed', { TEST_GATEWAY_WEBHOOK_SECRET: 'a'.repeat(40) }, /can be guessed/],
    ['a secret without an address', { TEST_GATEWAY_URL: '' }, /needs TEST_GATEWAY_URL/],
    ['an address that is no URL', { TEST_GATEWAY_URL: 'simulator' }, /TEST_GATEWAY_URL/],
    [
      'the address of a live gateway',
      { GATEWAY_2_DRIVER: 'simulator', GATEWAY_2_URL: 'http://simulator:4010/gateway_2' },
      /TEST_GATEWAY_URL is also an address of gateway_2, which is for live data/,
    ],
    [
      'the secret of a live gateway',
      { GATEWAY_2_WEBHOOK_SECRET: SECRET },
      /TEST_GATEWAY_WEBHOOK_SECRET and GATEWAY_2_WEBHOOK_SECRET share a secret/,
    ],
  ])('do not start with %s', (_, settings, message) => {
    expect(() => loadConfig({ ...PRODUCTION, ...TEST_GATEWAY, ...settings })).toThrow(message);
  });
});
