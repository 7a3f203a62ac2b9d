import { createRegistry } from '../../../src/composition/drivers';
import { subAccountProblem } from '../../../src/application/companies/request-recipients';
import { loadConfig } from '../../../src/config';
import { PRODUCTION } from '../../support/fixtures/production';

const gatewaysOf = (env: Record<string, string>) => loadConfig(env).gateways;

describe('the driver of each gateway', () => {
  it('is the simulator in the sandbox, at an address for each gateway', () => {
    const { driverNames, endpoints } = gatewaysOf({ SANDBOX: 'true', SIMULATOR_PORT: '4010' });
    expect(driverNames.get('gateway_7')).toBe('simulator');
    expect(endpoints.get('gateway_7')).toEqual({ api: 'http://127.0.0.1:4010/gateway_7' });
  });

  it('is none in production unless it is set', () => {
    const { driverNames } = gatewaysOf({
      ...PRODUCTION,
      GATEWAY_2_DRIVER: 'simulator',
      GATEWAY_2_URL: 'https://gateway.example/',
      GATEWAY_3_DRIVER: '',
    });
    expect([...driverNames]).toEqual([['gateway_2', 'simulator']]);
  });

  it('gets its address without a trailing slash', () => {
    const env = { SANDBOX: 'true', GATEWAY_2_URL: 'https://gateway.example/v1/' };
    expect(gatewaysOf(env).endpoints.get('gateway_2')).toEqual({ api: 'https://gateway.example/v1' });
  });

  it.each([
    ['an unknown driver', { GATEWAY_1_DRIVER: 'paypal' }, /GATEWAY_1_DRIVER must be one of simulator/],
    [
      'a URL without a driver',
      { GATEWAY_1_URL: 'https://a.example' },
      /GATEWAY_1_URL needs GATEWAY_1_DRIVER/,
    ],
    ['a driver without its address', { GATEWAY_1_DRIVER: 'simulator' }, /simulator needs GATEWAY_1_URL/],
    [
      'an address that the driver does not use',
      {
        GATEWAY_1_DRIVER: 'simulator',
        GATEWAY_1_URL: 'https://a.example',
        GATEWAY_1_TOKEN_URL: 'https://b.example',
      },
      /GATEWAY_1_TOKEN_URL is not used by simulator, which has GATEWAY_1_URL/,
    ],
    [
      'an address that is no URL',
      { GATEWAY_1_DRIVER: 'simulator', GATEWAY_1_URL: 'gateway.example' },
      /GATEWAY_1_URL must be a URL/,
    ],
    [
      'a platform account that is no JSON',
      { GATEWAY_1_DRIVER: 'stripe', GATEWAY_1_PLATFORM_CREDENTIALS: 'sk_live_1' },
      /GATEWAY_1_PLATFORM_CREDENTIALS must be a JSON object of texts/,
    ],
  ])('prevents production from starting with %s', (_, settings, message) => {
    expect(() => loadConfig({ ...PRODUCTION, ...settings })).toThrow(message);
  });
});

describe('the platform’s account at a gateway', () => {
  const key = `sk_live_${'x1'.repeat(12)}`;
  const accountOf = (env: Record<string, string>) =>
    createRegistry(gatewaysOf({ ...PRODUCTION, ...env })).platformAccount('gateway_6');

  it('is the common secret if the gateway has no account of its own', () => {
    const secretKey = PRODUCTION.PLATFORM_GATEWAY_SECRET;
    const simulated = { GATEWAY_6_DRIVER: 'simulator', GATEWAY_6_URL: 'https://gateway.example' };
    expect(accountOf(simulated)).toEqual({ values: { secretKey, credentials: {} }, clientId: null });
  });

  it('consists of the driver’s credential fields', () => {
    const account = JSON.stringify({ secret_key: key });
    const env = { GATEWAY_6_DRIVER: 'stripe', GATEWAY_6_PLATFORM_CREDENTIALS: account };
    expect(accountOf(env)).toEqual({ values: { secretKey: key, credentials: {} }, clientId: null });
  });

  it.each([
    [
      'of another vendor',
      { secret_key: 'APP_USR-1' },
      /GATEWAY_6_PLATFORM_CREDENTIALS for stripe: secret_key must be/,
    ],
    ['without a required field', {}, /secret_key is missing/],
    ['with an unknown field', { secret_key: key, pin: '1234' }, /pin is not one of its credentials/],
  ])('prevents the start if it is one %s, and the error does not repeat it', (_, account, message) => {
    const start = () =>
      accountOf({ GATEWAY_6_DRIVER: 'stripe', GATEWAY_6_PLATFORM_CREDENTIALS: JSON.stringify(account) });
    expect(start).toThrow(message);
    expect(start).not.toThrow(/APP_USR|1234/);
  });

  it.each([
    [{ client_id: '4934588586838432', client_secret: 'secret-of-application' }, true],
    [{}, false],
  ])(
    'has an application that sellers of Mercado Pago authorize (%j), or makes no sub-accounts',
    (application, made) => {
      const account = JSON.stringify({ secret_key: 'APP_USR-4934588586838432', ...application });
      const env = { GATEWAY_6_DRIVER: 'mercadopago', GATEWAY_6_PLATFORM_CREDENTIALS: account };
      const registry = createRegistry(gatewaysOf({ ...PRODUCTION, ...env }));
      expect(registry.capabilities('gateway_6').subAccounts).toBe(made);
    },
  );

  it('has the keys with which Adyen makes recipients of this balance platform alone, or makes no sub-accounts and says which is missing', () => {
    const adyen = { secret_key: 'AQE-key-of-the-platform', merchant_account: 'LojaECOM' };
    const keys = {
      balance_platform: 'LojaPlatform',
      legal_entity_key: 'AQE-legal-entity-key',
      balance_platform_key: 'AQE-balance-platform-key',
    };
    const registryOf = (account: object) => {
      const json = JSON.stringify({ ...adyen, ...account });
      const env = { GATEWAY_6_DRIVER: 'adyen', GATEWAY_6_PLATFORM_CREDENTIALS: json };
      return createRegistry(gatewaysOf({ ...PRODUCTION, ...env }));
    };
    expect(registryOf(keys).capabilities('gateway_6').subAccounts).toBe(true);
    expect(subAccountProblem(registryOf(keys), 'gateway_6')).toBeNull();
    const platform = registryOf(keys)
      .credentialFields('gateway_6')
      .find(({ name }) => name === 'balance_platform');
    const accepts = ['LojaPlatform', 'OutraPlatform'].map((name) => platform?.shape?.pattern.test(name));
    // Adyen would give the money of their splits to another platform, without an error.
    expect([accepts, platform?.shape?.rule]).toEqual([
      [true, false],
      'must be LojaPlatform, to which the recipients belong',
    ]);
    for (const name of Object.keys(keys)) {
      const registry = registryOf({ ...keys, [name]: undefined });
      expect(registry.capabilities('gateway_6').subAccounts).toBe(false);
      expect(subAccountProblem(registry, 'gateway_6')).toBe(
        `gateway_6 makes no sub-accounts: the platform’s account there has no ${name}`,
      );
    }
  });

  it('must be set for a platform gateway whose vendor does not know the common secret', () => {
    expect(() => accountOf({ GATEWAY_6_DRIVER: 'stripe' })).toThrow(/GATEWAY_6_PLATFORM_CREDENTIALS/);
  });
});
