import { gzipSync } from 'node:zlib';
import { ApiError, notFound } from '../../../src/domain/shared/errors';
import { expectError } from '../support/expect-error';
import { examplePayment, examplePaymentRequest } from '../support/payment-examples';
import { startTestApi, TEST_COMPANY, TEST_KEYS, type TestApi } from '../support/test-api';

type JsonPayload = NonNullable<RequestInit['body']>;

let api: TestApi;
let received: unknown[] = [];
let listError: Error;

beforeAll(async () => {
  api = await startTestApi({
    handlers: {
      createCardPayment: (request) => {
        received.push(request);
        return Promise.resolve({ status: 200, body: examplePayment() });
      },
      getPayment: () => Promise.reject(notFound()),
      listPayments: () => Promise.reject(listError),
      registerCompany: (request) => {
        received.push(request);
        return Promise.resolve({
          status: 200,
          body: { message: 'ok', credentials: { client_id: 'c', api_key: 'k', warning: 'w' } },
        });
      },
      deleteCustomerCard: () => Promise.resolve({ status: 204 }),
    },
  });
});
afterAll(() => api.close());
beforeEach(() => {
  received = [];
});

const call = (method: string, path: string, init: RequestInit = {}) =>
  fetch(`${api.baseUrl}${path}`, { method, ...init });
const json = { 'Content-Type': 'application/json' };
const pay = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST', '/api/v1/payments/card', {
    headers: { ...TEST_KEYS, ...json, ...headers },
    body:
      typeof body === 'string' || body instanceof Uint8Array ? (body as JsonPayload) : JSON.stringify(body),
  });

describe('404 and 405: the route', () => {
  it.each([
    '/',
    '/nowhere',
    '/api',
    '/api/v1',
    '/api/v1/nowhere',
    '/api/v2/payments',
    '/health',
    '/api/v1/payments/a/b/c',
  ])('%s is unknown for every method, without authentication', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      await expectError(await call(method, path), 'not_found');
    }
  });

  it('a method that the path does not have is 405, and Allow lists its methods, without authentication', async () => {
    const response = await call('DELETE', '/api/v1/customers');
    await expectError(response, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
    const put = await call('PUT', '/api/v1/payments/card', { body: 'not json', headers: json });
    await expectError(put, 'method_not_allowed');
    expect(put.headers.get('allow')).toBe('OPTIONS, POST');
  });

  it('paths outside the contract answer 404 and 405 in the same shape', async () => {
    for (const path of ['/health/live', '/health/ready', '/docs', '/docs/openapi.json']) {
      const response = await call('POST', path);
      await expectError(response, 'method_not_allowed');
      expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    }
    await expectError(await call('GET', '/nothing.js'), 'not_found');
  });

  it('OPTIONS answers Allow, and HEAD answers like GET without a body', async () => {
    const options = await call('OPTIONS', '/api/v1/payments');
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
    const head = await call('HEAD', '/api/v1/payments');
    expect([head.status, await head.text()]).toEqual([401, '']);
    expect(head.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('routes for shop pages, including their errors, allow every origin, and other routes allow none', async () => {
    const asks = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' };
    const preflight = await call('OPTIONS', '/api/v1/checkout/pay', { headers: asks });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const headers = preflight.headers.get('access-control-allow-headers');
    expect(headers).toBe('Content-Type, Idempotency-Key, X-Checkout-Token');
    const refused = await call('GET', '/api/v1/checkout/session', { headers: asks });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, '*']);
    const company = await call('OPTIONS', '/api/v1/checkout/sessions', { headers: asks });
    expect(company.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('a malformed id gets the same answer as an unknown id', async () => {
    const bodies = [];
    for (const id of [
      '0193a7c2-5e1f-7b44-9d0a-3f2c86e51b70',
      'nope',
      '%00',
      '%zz',
      '%E0%A4%A',
      "1'--",
      'a'.repeat(2000),
    ]) {
      const body = await expectError(
        await call('GET', `/api/v1/payments/${id}`, { headers: TEST_KEYS }),
        'not_found',
      );
      bodies.push(body.message);
    }
    expect(new Set(bodies).size).toBe(1);
  });
});

describe('413, 415 and 400: the body', () => {
  const padded = (bytes: number) => JSON.stringify({ name: 'Loja', padding: 'x'.repeat(bytes) });

  it('accepts at most 256 KiB with a content length, chunked or compressed', async () => {
    const register = (body: JsonPayload, headers: Record<string, string> = json) =>
      call('POST', '/api/v1/company/register', { headers, body, duplex: 'half' });
    const limit = 256 * 1024;
    const overhead = Buffer.byteLength(padded(0));
    expect((await register(padded(limit - overhead))).status).toBe(200);
    await expectError(await register(padded(limit - overhead + 1)), 'payload_too_large');
    const chunked = new Blob([padded(limit)]).stream();
    await expectError(await register(chunked), 'payload_too_large');
    const bomb = gzipSync(padded(50 * limit));
    expect(bomb.length).toBeLessThan(limit);
    await expectError(await register(bomb, { ...json, 'Content-Encoding': 'gzip' }), 'payload_too_large');
  });

  it('reads compressed JSON', async () => {
    const response = await pay(gzipSync(JSON.stringify(examplePaymentRequest())), {
      'Content-Encoding': 'gzip',
    });
    expect(response.status).toBe(200);
  });

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/vnd.api+json'],
    ['application/json; charset=iso-8859-1'],
    ['application/json; charset=utf-16'],
    ['multipart/form-data; boundary=x'],
    ['nonsense'],
  ])('%s is not a supported content type', async (type) => {
    await expectError(await pay('{}', { 'Content-Type': type }), 'unsupported_media_type');
  });

  it('a body without a content type and an unknown content encoding are not supported', async () => {
    const bare = await call('POST', '/api/v1/payments/card', {
      headers: TEST_KEYS,
      body: new Uint8Array([123, 125]),
    });
    await expectError(bare, 'unsupported_media_type');
    await expectError(await pay('{}', { 'Content-Encoding': 'zstd-x' }), 'unsupported_media_type');
  });

  it.each(['application/json; charset=UTF-8', 'APPLICATION/JSON', 'application/json;charset="utf-8"; x=1'])(
    '%s is accepted as JSON',
    async (type) => {
      expect((await pay(examplePaymentRequest(), { 'Content-Type': type })).status).toBe(200);
    },
  );

  it.each([['{'], ['{"amount":}'], ['undefined'], ['{"a":1} x'], ["{'a':1}"], ['\u0000']])(
    '%j is malformed',
    async (body) => {
      const answer = await expectError(await pay(body), 'malformed_request');
      expect(JSON.stringify(answer)).not.toContain('amount');
    },
  );

  it('bytes that are not UTF-8 and invalid gzip are malformed', async () => {
    await expectError(await pay(Buffer.from([0x22, 0xc3, 0x28, 0x22])), 'malformed_request');
    await expectError(await pay('{}', { 'Content-Encoding': 'gzip' }), 'malformed_request');
  });

  it('the body of a route without a body is ignored', async () => {
    const response = await call(
      'DELETE',
      `/api/v1/customers/cus_${'a'.repeat(32)}/cards/card_${'b'.repeat(32)}`,
      {
        headers: { ...TEST_KEYS, 'Content-Type': 'text/plain' },
        body: '{not json',
      },
    );
    expect([response.status, await response.text()]).toEqual([204, '']);
  });
});

describe('422: the contract', () => {
  const errorsOf = async (body: unknown, headers: Record<string, string> = {}) =>
    (await expectError(await pay(body, headers), 'validation_error')).errors;

  it('every invalid field is named by its dotted path, with a readable message', async () => {
    const request = examplePaymentRequest();
    const errors = await errorsOf({
      ...request,
      merchant_order_id: '',
      amount: 99,
      currency: 'real',
      payment_method: 'cash',
      capture: 'no',
      installments: 25,
      customer: { name: ' ', email: 'nobody', document: 5 },
      card: { ...request.card, number: '4111', expire_month: 13, expire_year: '203', cvv: '12' },
      billing_address: { street: 'Rua', number: 1 },
      splits: [{ recipient_id: 're_1', type: 'percentage', amount: 0 }],
      metadata: { [`k${'k'.repeat(40)}`]: 'v', ok: 'v'.repeat(501) },
      soft_descriptor: 'far too long a text',
      billet_due_at: '2026-02-30',
    });
    expect(errors).toEqual({
      merchant_order_id: ['must not be empty'],
      amount: ['must be at least 100 cents'],
      currency: ['must be an active currency code of ISO 4217, as BRL'],
      payment_method: ['must be one of: card, pix, billet'],
      capture: ['must be true or false'],
      installments: ['must be at most 24'],
      'customer.name': ['must not be blank'],
      'customer.email': ['must be an email address'],
      'customer.document': ['must be a string'],
      'card.number': ['must be 13 to 19 digits'],
      'card.expire_month': ['must be at most 12'],
      'card.expire_year': ['must be a year of 2 or 4 digits'],
      'card.cvv': ['must be 3 or 4 digits'],
      'billing_address.number': ['must be a string'],
      'billing_address.neighborhood': ['is required'],
      'billing_address.city': ['is required'],
      'billing_address.state': ['is required'],
      'billing_address.zip_code': ['is required'],
      'billing_address.country': ['is required'],
      'splits.0.amount': ['must be at least 1'],
      metadata: ['must have keys of 1 to 40 characters'],
      'metadata.ok': ['must have at most 500 characters'],
      soft_descriptor: ['must have at most 13 characters'],
      billet_due_at: ['must be a date, as 2026-03-31'],
    });
    expect(received).toEqual([]);
  });

  it('a property that looks like a misspelt one is an error, beside the other errors, and nothing is charged', async () => {
    const request = { ...examplePaymentRequest(), amount: 99, captured: false, instalments: 3 };
    expect(await errorsOf({ ...request, card: { ...request.card, cvc: '123', cvv: undefined } })).toEqual({
      amount: ['must be at least 100 cents'],
      captured: ['did you mean "capture"?'],
      instalments: ['did you mean "installments"?'],
      'card.cvc': ['did you mean "cvv"?'],
    });
    expect(received).toEqual([]);
  });

  it.each(['XAU', 'XTS', 'HRK', 'BGN', 'brl', 'ABC'])('%s is not an active currency', async (currency) => {
    expect(await errorsOf({ ...examplePaymentRequest(), currency })).toEqual({
      currency: ['must be an active currency code of ISO 4217, as BRL'],
    });
  });

  it('a missing body names the required fields', async () => {
    const response = await call('POST', '/api/v1/payments/card', { headers: TEST_KEYS });
    const { errors } = await expectError(response, 'validation_error');
    expect(Object.keys(errors ?? {}).sort()).toEqual([
      'amount',
      'currency',
      'customer',
      'merchant_order_id',
      'payment_method',
    ]);
  });

  it.each([['null'], ['[]'], ['"text"'], ['5'], ['true']])(
    '%s is valid JSON but not an object',
    async (body) => {
      expect(await errorsOf(body)).toEqual({ body: ['must be an object'] });
    },
  );

  it.each([
    ['amount', 100.5, 'must be an integer, in cents: 1990 for 19.90'],
    ['amount', '1990', 'must be an integer, in cents: 1990 for 19.90'],
    ['amount', null, 'must be an integer, in cents: 1990 for 19.90'],
    ['amount', 1e15, 'must be at most 999999999999 cents'],
    ['card', 'card_1', 'must be an object'],
    ['card', [], 'must be an object'],
    ['customer', null, 'must be an object'],
    ['splits', {}, 'must be an array'],
    ['metadata', { a: 1 }, 'must be a string'],
    [
      'gateway_first_try',
      'gateway_8',
      'must be one of: gateway_1, gateway_2, gateway_3, gateway_4, gateway_5, gateway_6, gateway_7',
    ],
  ])('%s: %j %s', async (field, value, message) => {
    const errors = await errorsOf({ ...examplePaymentRequest(), [field]: value });
    expect(errors).toEqual({ [field === 'metadata' ? 'metadata.a' : field]: [message] });
  });

  it('text that Postgres cannot store is rejected with the name of the field', async () => {
    const request = examplePaymentRequest();
    const text = ['has characters that are not allowed'];
    expect(await errorsOf({ ...request, merchant_order_id: 'a\u0000b' })).toEqual({
      merchant_order_id: text,
    });
    expect(await errorsOf({ ...request, metadata: { note: '\ud800' } })).toEqual({ 'metadata.note': text });
    const query = await call('GET', '/api/v1/payments?merchant_order_id=a%00b', { headers: TEST_KEYS });
    expect((await expectError(query, 'validation_error')).errors).toEqual({ merchant_order_id: text });
  });

  it('the depth and size of a body are limited', async () => {
    const request = JSON.stringify(examplePaymentRequest()).slice(0, -1);
    const deep = `${request},"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect(Object.values((await errorsOf(deep)) ?? {})).toEqual([['is nested too deeply']]);
    const many = `${request},"splits":[${Array(80_000).fill('{}').join(',')}]}`;
    expect(await errorsOf(many)).toEqual({ splits: ['must have at most 1000 items'] });
    const some = `${request},"splits":[${Array(1_000).fill('{}').join(',')}]}`;
    expect(Object.keys((await errorsOf(some)) ?? {}).length).toBeLessThanOrEqual(100);
  });

  it('unknown properties are ignored, including __proto__', async () => {
    const request = JSON.stringify(examplePaymentRequest()).slice(0, -1);
    const response = await pay(`${request},"unknown":{"a":1},"__proto__":{"amount":1},"constructor":1}`);
    expect(response.status).toBe(200);
    const [{ body }] = received as [{ body: object }];
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
    expect(Object.keys(body)).not.toContain('__proto__');
  });

  it('the contract’s defaults are filled in', async () => {
    await pay(examplePaymentRequest());
    expect(received).toEqual([
      expect.objectContaining({
        body: expect.objectContaining({ capture: true, installments: 1, save_card: false }),
        idempotencyKey: null,
        company: TEST_COMPANY,
        receivedAt: expect.any(Date),
        requestId: expect.stringMatching(/^req_/),
      }),
    ]);
  });

  it.each([
    ['per_page=0', 'per_page', 'must be at least 1'],
    ['per_page=101', 'per_page', 'must be at most 100'],
    ['page=one', 'page', 'must be an integer'],
    ['amount_from=19.90', 'amount_from', 'must be an integer, in cents: 1990 for 19.90'],
    ['page=', 'page', 'must not be empty'],
    ['page=1&page=2', 'page', 'must be an integer'],
    ['status=authorized', 'status', 'must be one of: pending, approved, failed, refunded'],
    ['gateway=gateway_4', 'gateway', 'must be one of: gateway_1, gateway_2, gateway_3'],
    ['start_date=2026-02-30', 'start_date', 'must be a date, as 2026-03-31'],
    ['start_date=2026-02-03T00:00:00Z', 'start_date', 'must be a date, as 2026-03-31'],
    ['statsu=failed', 'statsu', 'is not a parameter of this operation'],
    ['__proto__=1', '__proto__', 'is not a parameter of this operation'],
  ])('the query %s is rejected', async (query, name, message) => {
    const response = await call('GET', `/api/v1/payments?${query}`, { headers: TEST_KEYS });
    const { errors } = await expectError(response, 'validation_error');
    expect(Object.entries(errors ?? {})).toEqual([[name, [message]]]);
  });

  it('an idempotency key must be 1 to 255 printable characters, sent once', async () => {
    const request = examplePaymentRequest();
    const rule = { 'Idempotency-Key': ['must be 1 to 255 printable characters'] };
    expect(await errorsOf(request, { 'Idempotency-Key': '' })).toEqual(rule);
    expect(await errorsOf(request, { 'Idempotency-Key': 'k'.repeat(256) })).toEqual(rule);
    expect(await errorsOf(request, { 'Idempotency-Key': 'caf\u00e9' })).toEqual(rule);
    await pay(request, { 'Idempotency-Key': `a, b ${'~'.repeat(250)}` });
    expect(received).toEqual([expect.objectContaining({ idempotencyKey: `a, b ${'~'.repeat(250)}` })]);
  });
});

describe('401: authentication', () => {
  const BOTH_MISSING = 'X-Client-ID and X-API-Key are required headers.';
  const WRONG_PAIR = 'X-Client-ID and X-API-Key are not a valid pair.';
  it.each([
    ['/payments', {}, BOTH_MISSING],
    ['/payments', { 'X-Client-ID': 'client_test' }, 'X-API-Key is a required header.'],
    ['/payments', { 'X-API-Key': 'sk_test' }, 'X-Client-ID is a required header.'],
    ['/payments', { 'X-Client-ID': 'client_test', 'X-API-Key': 'sk_wrong' }, WRONG_PAIR],
    ['/payments', { 'X-Client-ID': 'client_other', 'X-API-Key': 'sk_test' }, WRONG_PAIR],
    ['/payments', { 'X-Client-ID': '', 'X-API-Key': '' }, BOTH_MISSING],
    ['/payments', { Authorization: 'Bearer sk_test' }, BOTH_MISSING],
    ['/user/me', TEST_KEYS, 'Authorization is a required header.'],
    [
      '/user/me',
      { Authorization: 'Basic c2s6' },
      'Authorization must be Bearer, followed by an access token.',
    ],
    ['/user/me', { Authorization: 'Bearer sk_test' }, 'The access token is not valid, or no longer.'],
    ['/checkout/session', {}, 'X-Checkout-Token is a required header.'],
    ['/checkout/session', { 'X-Checkout-Token': 'cs_1' }, 'X-Checkout-Token is not a valid token.'],
  ])('%s with %j names the header at fault', async (path, headers: Record<string, string>, message) => {
    const body = await expectError(await call('GET', `/api/v1${path}`, { headers }), 'unauthenticated');
    expect(body.message).toBe(message);
  });

  it('every route that is not public requires it', async () => {
    for (const [method, path] of [
      ['PUT', '/company/gateways'],
      ['POST', '/payments/card'],
      ['GET', '/payments/x'],
      ['POST', '/customers'],
      ['DELETE', '/customers/x/cards/y'],
    ] as const) {
      await expectError(await call(method, `/api/v1${path}`), 'unauthenticated');
    }
  });
});

describe('the order of checks', () => {
  it('is 405, then 413, 415 and 400, then 401, then 422, then the resource', async () => {
    const path = '/api/v1/payments/card';
    const huge = 'x'.repeat(300_000);
    await expectError(await call('PATCH', path, { body: huge }), 'method_not_allowed');
    await expectError(await call('POST', path, { body: huge }), 'payload_too_large');
    await expectError(
      await call('POST', path, { body: 'x', headers: { 'Content-Type': 'text/plain' } }),
      'unsupported_media_type',
    );
    await expectError(await call('POST', path, { body: '{', headers: json }), 'malformed_request');
    await expectError(await call('POST', path, { body: '{}', headers: json }), 'unauthenticated');
    await expectError(
      await call('POST', path, { body: '{}', headers: { ...json, ...TEST_KEYS } }),
      'validation_error',
    );
    await expectError(
      await call('GET', '/api/v1/payments/nope?x=1', { headers: TEST_KEYS }),
      'validation_error',
    );
    await expectError(await call('GET', '/api/v1/payments/nope', { headers: TEST_KEYS }), 'not_found');
  });
});

describe('errors of handlers', () => {
  const list = (error: Error) => {
    listError = error;
    return call('GET', '/api/v1/payments', { headers: TEST_KEYS });
  };
  const sequelizeError = (name: string, original: object = {}) =>
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5433'), { name, original });

  it('an ApiError is answered as it was thrown', async () => {
    const response = await list(new ApiError('unavailable', 'Later.', undefined, 7));
    expect((await expectError(response, 'unavailable')).message).toBe('Later.');
    expect(response.headers.get('retry-after')).toBe('7');
  });

  it('an unreachable database is answered with 503 and Retry-After', async () => {
    for (const error of [
      sequelizeError('SequelizeConnectionRefusedError'),
      sequelizeError('SequelizeConnectionAcquireTimeoutError'),
      sequelizeError('SequelizeDatabaseError', { code: '57P01' }),
      sequelizeError('SequelizeDatabaseError', { message: 'Connection terminated unexpectedly' }),
    ]) {
      const response = await list(error);
      const body = await expectError(response, 'unavailable');
      expect(body.message).not.toContain('127.0.0.1');
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
  });

  it('any other error is answered with 500 without details, and logged with the request id', async () => {
    const error = sequelizeError('SequelizeDatabaseError', { code: '42P01' });
    error.message = 'relation "secrets" does not exist for 4111111111111111';
    const body = await expectError(await list(error), 'internal_error');
    expect(JSON.stringify(body)).not.toMatch(/secrets|relation|at /);
    const line = api
      .logLines()
      .find(({ msg, request_id }) => msg === 'request failed' && request_id === body.request_id);
    expect(line).toMatchObject({ level: 'error', route: '/api/v1/payments' });
    expect(JSON.stringify(line)).not.toContain('4111111111111111');
  });
});
