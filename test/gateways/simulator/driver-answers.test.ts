import { PURCHASE } from '../../support/fixtures/purchase-data';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChargeRequest, GatewayContext } from '../../../src/gateways/gateway';
import { GatewayHttp } from '../../../src/gateways/http';
import { FOR_NOBODY, KEEP_NOTHING } from '../../support/fixtures/gateway-calls';
import { newGatewayContext } from '../../../src/gateways/new-gateway-context';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { expectFamily } from '../contract/bench';
import { sameGateways } from '../../support/same-gateways';

/** Answers that the simulator cannot give, from a server of the test. */
let server: Server;
let answer: (response: ServerResponse) => void;
let requests = 0;
const http = new GatewayHttp();
const driver = new SimulatorDriver();

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1;
    request.resume();
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  requests = 0;
});
afterAll(async () => {
  await http.close();
  server.closeAllConnections();
  server.close();
});

const TIMEOUT_MS = 1_000;
const MEBIBYTE = 1024 * 1024;
const REFERENCE = `${randomUUID()}-1`;

const registry = {
  driver: () => driver,
  endpoints: () => ({ api: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
};

const context = (): GatewayContext =>
  newGatewayContext(
    { registries: sameGateways(registry), http, unrecognizedAnswers: KEEP_NOTHING },
    {
      slug: 'gateway_1',
      values: { secretKey: 'sk_test', credentials: {} },
      clientId: null,
      idempotencyKey: randomUUID(),
      sendBefore: Date.now() + TIMEOUT_MS,
      timeoutMs: TIMEOUT_MS,
      asked: FOR_NOBODY,
    },
  );

function charge() {
  const request: ChargeRequest = {
    reference: REFERENCE,
    amountCents: 12_990,
    currency: 'BRL',
    paymentMethod: 'pix',
    installments: 1,
    softDescriptor: null,
    customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
    card: null,
    billingAddress: null,
    purchase: PURCHASE,
    splits: [],
    pix: { expiresInSeconds: 600, expiresAt: '2026-05-04T12:10:00.000Z', lastDay: null },
    billet: null,
    initiation: { initiator: 'customer', reason: 'one_off' },
  };
  return driver.charge(context(), request);
}

const inquire = (gatewayTransactionId: string | null = null) =>
  driver.inquire(context(), { reference: REFERENCE, gatewayTransactionId, sentAt: null });

const error = (code: string) => JSON.stringify({ error: { code, message: 'declined by the firewall' } });

const reply =
  (status: number, text: string, contentType = 'application/json') =>
  (response: ServerResponse): void =>
    void response.writeHead(status, { 'content-type': contentType }).end(text);

describe('an answer to a charge', () => {
  it.each([
    ['a page that says it is JSON', reply(403, '<html><h1>Forbidden</h1></html>')],
    ['an error with an unknown code', reply(422, error('blocked'))],
    ['an error with a numeric code', reply(403, '{"error": {"code": 403, "message": "Forbidden"}}')],
    ['a known code with another status', reply(403, error('not_found'))],
    ['half an error', reply(422, error('invalid_request').slice(0, 30))],
    ['an error in an array', reply(422, `[${error('invalid_request')}]`)],
    ['an error as text', reply(422, JSON.stringify(error('invalid_request')))],
    ['an own error with a 2xx status', reply(200, error('invalid_request'))],
    ['nothing', reply(204, '')],
  ])('is ambiguous if it is %s', async (_, give) => {
    answer = give;
    await expectFamily(charge(), 'ambiguous');
    expect((await inquire()).kind).toBe('inconclusive');
  });

  it('is the gateway’s own error whatever content type it claims', async () => {
    answer = reply(422, error('invalid_request'), 'text/html');
    await expectFamily(charge(), 'invalid_request');
    answer = reply(401, error('unauthenticated'), 'text/plain');
    await expectFamily(charge(), 'bad_credentials');
  });

  it.each([301, 302, 303, 307, 308])(
    'is ambiguous and not followed if it is the redirect %i',
    async (status) => {
      answer = (response) => void response.writeHead(status, { location: '/elsewhere' }).end();
      await expectFamily(charge(), 'ambiguous');
      expect(requests).toBe(1);
    },
  );

  it.each([200, 422])('is ambiguous if its body with status %i is too large', async (status) => {
    answer = reply(status, `${error('invalid_request')}${' '.repeat(2 * MEBIBYTE)}`);
    await expectFamily(charge(), 'ambiguous');
  });

  it('is ambiguous if its headers are too large', async () => {
    answer = (response) => void response.writeHead(422, { padding: 'x'.repeat(64 * 1024) }).end();
    await expectFamily(charge(), 'ambiguous');
  });

  it('is ambiguous if its body does not end within the timeout', async () => {
    answer = (response) => {
      response.writeHead(422, { 'content-type': 'application/json' });
      response.write(error('invalid_request'));
    };
    const startedAt = Date.now();
    await expectFamily(charge(), 'ambiguous');
    // The body never ends; a busy machine takes longer than the timeout.
    expect(Date.now() - startedAt).toBeLessThan(20 * TIMEOUT_MS);
  });
});

describe('an answer to an inquiry', () => {
  const list = (reference: string) => JSON.stringify({ reference, data: [], in_progress: false });

  it('proves absence only if it repeats our reference', async () => {
    answer = reply(200, list(REFERENCE));
    expect((await inquire()).kind).toBe('not_found');
    for (const text of [list(`${randomUUID()}-1`), '{"data": [], "in_progress": false}', '[]', '{}']) {
      answer = reply(200, text);
      expect((await inquire()).kind).toBe('inconclusive');
      await expectFamily(driver.findRecipient(context(), REFERENCE), 'ambiguous');
    }
  });

  it('about an unknown id is followed by a lookup of the reference only if the 404 is the gateway’s own', async () => {
    const thenEmptyList = (first: (response: ServerResponse) => void) => (response: ServerResponse) =>
      requests === 1 ? first(response) : reply(200, list(REFERENCE))(response);
    answer = thenEmptyList(reply(404, error('not_found')));
    expect((await inquire('ch_1')).kind).toBe('not_found');
    requests = 0;
    answer = thenEmptyList(reply(404, '<html></html>'));
    expect((await inquire('ch_1')).kind).toBe('inconclusive');
  });
});
