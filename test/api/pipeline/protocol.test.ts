import { connect } from 'node:net';
import { Router } from 'express';
import { ERROR_SCHEMA, schemaErrors } from '../support/contract-schemas';
import { expectError } from '../support/expect-error';
import { examplePayment, examplePaymentRequest } from '../support/payment-examples';
import { startTestApi, TEST_KEYS, type TestApi } from '../support/test-api';

const codec = Router().post('/decode', (_req, res) => {
  res.json({ payloads: [] });
});
const ID = '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    codec,
    handlers: {
      getPayment: () => Promise.resolve({ status: 200, body: examplePayment() }),
      createCardPayment: ({ idempotencyKey }) =>
        Promise.resolve({
          status: 200,
          body: { ...examplePayment(), idempotency_key: idempotencyKey },
          headers: { 'Idempotency-Replayed': 'true' },
        }),
      listPayments: () => Promise.resolve({ status: 200, body: { data: 'not a list' } }),
    },
  });
});
afterAll(() => api.close());

/** Sends raw bytes and returns everything received until the connection closes. */
function raw(text: string): Promise<{ status: number; headers: string; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(api.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.on('error', reject);
    socket.on('close', () => {
      const [headers = '', body = ''] = answer.split('\r\n\r\n');
      resolve({ status: Number(headers.split(' ')[1]), headers, body });
    });
  });
}

describe('requests that are not valid HTTP', () => {
  it.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['headers of 20 KB', `GET /api/v1/payments HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a space in a header name', 'GET / HTTP/1.1\r\nBad Name: x\r\n\r\n'],
    ['two content lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
  ])('%s are answered in the common error shape', async (_name, text) => {
    const { status, headers, body } = await raw(text);
    expect(status).toBe(400);
    const parsed = JSON.parse(body) as { request_id: string; code: string };
    expect(schemaErrors(ERROR_SCHEMA, parsed)).toEqual([]);
    expect(parsed.code).toBe('malformed_request');
    expect(headers).toContain(`X-Request-Id: ${parsed.request_id}`);
  });

  it('a request without Host, with an unknown expectation or with an unusual method passes through the normal pipeline', async () => {
    const get = await raw('GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect([get.status, get.body]).toEqual([404, expect.stringContaining('not_found')]);
    const expectation = await raw(
      'GET /nowhere HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n',
    );
    expect(expectation.body).toContain('not_found');
    const trace = await raw('TRACE /api/v1/payments HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect([trace.status, trace.body]).toEqual([405, expect.stringContaining('method_not_allowed')]);
  });

  it('a repeated X-API-Key header is rejected as unauthenticated, and a repeated idempotency key as invalid', async () => {
    const body = JSON.stringify(examplePaymentRequest());
    const post = (headers: string[]) =>
      raw(
        [
          'POST /api/v1/payments/card HTTP/1.1',
          'Host: x',
          'Connection: close',
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(body)}`,
          ...headers,
          '',
          body,
        ].join('\r\n'),
      );
    const keys = ['X-Client-ID: client_test', 'X-API-Key: sk_test'];
    expect((await post(keys)).status).toBe(200);
    expect((await post([...keys, 'X-API-Key: sk_test'])).status).toBe(401);
    const twice = await post([...keys, 'Idempotency-Key: a', 'Idempotency-Key: b']);
    expect(twice.status).toBe(422);
    expect(JSON.parse(twice.body)).toMatchObject({ errors: { 'Idempotency-Key': ['must be given once'] } });
  });
});

describe('X-Request-Id', () => {
  const idOf = async (headers: Record<string, string>) => {
    const response = await fetch(`${api.baseUrl}/api/v1/payments/${ID}`, {
      headers: { ...TEST_KEYS, ...headers },
    });
    return response.headers.get('x-request-id');
  };

  it('is in every response, with a new value each time', async () => {
    const ids = new Set<string | null>();
    for (const path of ['/api/v1/payments', '/nowhere', '/health/live', '/docs/openapi.json', '/docs/']) {
      const response = await fetch(`${api.baseUrl}${path}`);
      ids.add(response.headers.get('x-request-id'));
    }
    expect(ids.size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/);
  });

  it('is taken from a well-formed request header that cannot contain a card number', async () => {
    expect(await idOf({ 'X-Request-Id': 'checkout-7f3a:1' })).toBe('checkout-7f3a:1');
    for (const bad of [
      'short',
      'a b c d e f g h',
      'x'.repeat(129),
      'id-4111111111111111',
      '{"a":1}-abcdefg',
    ]) {
      expect(await idOf({ 'X-Request-Id': bad })).toMatch(/^req_/);
    }
  });
});

describe('responses', () => {
  it('have security headers and are never cached', async () => {
    const response = await fetch(`${api.baseUrl}/api/v1/payments/${ID}`, { headers: TEST_KEYS });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(response.headers.has('x-powered-by')).toBe(false);
  });

  it('have the headers that a handler sets', async () => {
    const response = await fetch(`${api.baseUrl}/api/v1/payments/card`, {
      method: 'POST',
      headers: { ...TEST_KEYS, 'Content-Type': 'application/json', 'Idempotency-Key': 'k1' },
      body: JSON.stringify(examplePaymentRequest()),
    });
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    expect(await response.json()).toMatchObject({ idempotency_key: 'k1' });
  });

  it('fail the test if they violate the contract', async () => {
    const response = await fetch(`${api.baseUrl}/api/v1/payments`, { headers: TEST_KEYS });
    const { message } = await expectError(response, 'internal_error');
    expect(message).toContain('must have required property');
  });

  it('HEAD works on a route whose GET was never called', async () => {
    const response = await fetch(`${api.baseUrl}/api/v1/payments/${ID}`, {
      method: 'HEAD',
      headers: TEST_KEYS,
    });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });
});

describe('the codec endpoint', () => {
  it('is mounted at the root of the host and answers errors in the common shape', async () => {
    const decode = await fetch(`${api.baseUrl}/_temporal/codec/decode`, { method: 'POST' });
    expect(await decode.json()).toEqual({ payloads: [] });
    await expectError(await fetch(`${api.baseUrl}/_temporal/codec/other`), 'not_found');
  });
});

it('closing the server lets a request in flight finish and accepts no new connections', async () => {
  let finish: () => void = () => undefined;
  let started: () => void = () => undefined;
  const inFlight = new Promise<void>((resolve) => (started = resolve));
  const closing = await startTestApi({
    handlers: {
      getPayment: () =>
        new Promise((resolve) => {
          finish = () => resolve({ status: 200, body: examplePayment() });
          started();
        }),
    },
  });
  const answer = fetch(`${closing.baseUrl}/api/v1/payments/${ID}`, { headers: TEST_KEYS });
  await inFlight;
  const closed = closing.close(5_000);
  await expect(fetch(`${closing.baseUrl}/health/live`)).rejects.toThrow();
  finish();
  expect((await answer).status).toBe(200);
  await closed;
});

describe('the API documentation', () => {
  const openapi = () => fetch(`${api.baseUrl}/docs/openapi.json`);

  it('is cached, and sent again only if it has changed', async () => {
    const first = await openapi();
    expect(first.headers.get('cache-control')).toBe('public, max-age=3600');
    const etag = first.headers.get('etag') ?? 'none';
    // `fetch` would ask for a fresh copy, which a browser's cache does not.
    const askAgain = (known: string) =>
      raw(
        `GET /docs/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\nIf-None-Match: ${known}\r\n\r\n`,
      );
    expect(await askAgain(etag)).toMatchObject({ status: 304, body: '' });
    expect(await askAgain('"other"')).toMatchObject({ status: 200 });
  });

  it('is not cached where it is an error', async () => {
    // The pages are not built here.
    const missing = await fetch(`${api.baseUrl}/docs/guides/webhooks`);
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([503, 'no-store']);
    const refused = await fetch(`${api.baseUrl}/docs/openapi.json`, { method: 'POST' });
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([405, 'no-store']);
  });
});
