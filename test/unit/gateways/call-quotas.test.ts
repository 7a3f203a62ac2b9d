import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GatewayContext } from '../../../src/gateways/gateway';
import { GatewayHttp } from '../../../src/gateways/http';
import { newGatewayContext } from '../../../src/gateways/new-gateway-context';
import { StripeDriver } from '../../../src/gateways/stripe/driver';
import { FOR_NOBODY, KEEP_NOTHING } from '../../support/fixtures/gateway-calls';
import { sameGateways } from '../../support/same-gateways';

/** A gateway whose accounts have one request left for the next hour. */
let gateway: Server;
let http: GatewayHttp;
beforeAll(async () => {
  const quota = { 'RateLimit-Limit': '25000', 'RateLimit-Remaining': '1', 'RateLimit-Reset': '3600' };
  gateway = createServer((_, res) => res.writeHead(200, quota).end('{}')).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  http = new GatewayHttp();
});
afterAll(async () => {
  await http.close();
  gateway.close();
});

function newCall(secretKey: string): GatewayContext {
  const { port } = gateway.address() as AddressInfo;
  const driver = new StripeDriver();
  const registry = { driver: () => driver, endpoints: () => ({ api: `http://127.0.0.1:${port}` }) };
  const common = {
    slug: 'gateway_4',
    clientId: null,
    idempotencyKey: '',
    timeoutMs: 5_000,
    asked: FOR_NOBODY,
  } as const;
  return newGatewayContext(
    { registries: sameGateways(registry), http, unrecognizedAnswers: KEEP_NOTHING },
    { ...common, values: { secretKey, credentials: {} }, sendBefore: Infinity },
  );
}

it('the quota that a gateway states in one call counts for the next calls of the same account only', async () => {
  const call = newCall('sk_test_one');
  expect(call.takeInquiry()).toBe(true);
  await call.http.send({ method: 'GET', url: call.endpoints.api ?? '', headers: {}, sendBefore: null });
  expect(newCall('sk_test_one').takeInquiry()).toBe(false);
  expect(newCall('sk_test_two').takeInquiry()).toBe(true);
});
