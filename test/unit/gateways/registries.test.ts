import { GatewayHttp } from '../../../src/gateways/http';
import { newGatewayContext } from '../../../src/gateways/new-gateway-context';
import { GatewayRegistries } from '../../../src/gateways/modes/registries';
import { GatewayRegistry } from '../../../src/gateways/registry';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { KEEP_NOTHING } from '../../support/fixtures/gateway-calls';

function gatewayAt(api: string): GatewayRegistry {
  return new GatewayRegistry({
    drivers: new Map([['gateway_1', new SimulatorDriver()]]),
    endpoints: new Map([['gateway_1', { api }]]),
    inactive: new Set(),
    platformCompanies: new Set(),
    platformSecret: `platform at ${api}`,
    webhookSecrets: new Map(),
  });
}

const live = gatewayAt('https://live.example');
const test = gatewayAt('http://simulator:4010');
const production = new GatewayRegistries({ ownMode: 'live', own: live, other: test });

function addressFor(companyId: number): string | undefined {
  const { endpoints } = newGatewayContext(
    { registries: production, http: new GatewayHttp(), unrecognizedAnswers: KEEP_NOTHING },
    {
      slug: 'gateway_1',
      values: { secretKey: 'sk', credentials: {} },
      clientId: null,
      idempotencyKey: '',
      sendBefore: Infinity,
      timeoutMs: 1_000,
      asked: { companyId, operation: 'charge', attemptId: null },
    },
  );
  return endpoints['api'];
}

it('a call to a gateway goes to the address for the data of its company, and no caller can choose another one', () => {
  expect(addressFor(7)).toBe('https://live.example');
  expect(addressFor(-7)).toBe('http://simulator:4010');
  expect(production.of(7).platformAccount('gateway_1').values.secretKey).toBe(
    'platform at https://live.example',
  );
  expect(production.of(-7).platformAccount('gateway_1').values.secretKey).toBe(
    'platform at http://simulator:4010',
  );
});

it('data of the other mode have no gateway in a deployment without one, rather than that of live data', () => {
  const withoutTest = new GatewayRegistries({ ownMode: 'live', own: live, other: null });
  expect(() => withoutTest.of(-7)).toThrow('TEST_GATEWAY_URL is not set');
  expect(withoutTest.callbackSource('test')).toBeNull();
});

it('a callback is about data of the mode that its address names, and of live data in production if it names none', () => {
  expect(production.callbackSource(null)).toEqual({ registry: live, sign: 1 });
  expect(production.callbackSource('live')).toEqual({ registry: live, sign: 1 });
  expect(production.callbackSource('test')).toEqual({ registry: test, sign: -1 });
});

it('a callback in the sandbox is about data of both modes unless its address names one', () => {
  const sandbox = new GatewayRegistries({ ownMode: 'test', own: test, other: test });
  expect(sandbox.callbackSource(null)).toEqual({ registry: test, sign: null });
  expect(sandbox.callbackSource('test')).toEqual({ registry: test, sign: 1 });
  expect(sandbox.callbackSource('live')).toEqual({ registry: test, sign: -1 });
});
