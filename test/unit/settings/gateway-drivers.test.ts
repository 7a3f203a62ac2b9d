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
  ])('prevents production from starting with %s', (_, settings, message) => {
    expect(() => loadConfig({ ...PRODUCTION, ...settings })).toThrow(message);
  });
});
