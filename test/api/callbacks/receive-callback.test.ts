import { randomUUID } from 'node:crypto';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import { expectError } from '../support/expect-error';
import {
  bringSecret,
  callbackBody,
  sentPayment,
  signed,
  startCallbackApi,
  storedCallbacks,
  wakesOf,
  type CallbackApi,
} from './callback-api';

const SECRET_OF_A = 'whsec_company_a_of_its_own';
const SECRET_OF_B = 'whsec_company_b_of_its_own';

let api: CallbackApi;
let company: AuthenticatedCompany;
let companyA: AuthenticatedCompany;
let companyB: AuthenticatedCompany;
beforeAll(async () => {
  api = await startCallbackApi({
    GATEWAYS_INACTIVE: 'gateway_5',
    GATEWAY_4_WEBHOOK_SECRET: 'whsec_new_of_gateway_4,whsec_old_of_gateway_4',
  });
  company = await newCompany(api);
  companyA = await newCompany(api);
  companyB = await newCompany(api);
  await bringSecret(api, companyA, 'gateway_1', SECRET_OF_A);
  await bringSecret(api, companyB, 'gateway_1', SECRET_OF_B);
});
afterAll(() => api.stop());

const send = (body: unknown, headers: Record<string, string> = {}, gateway = 'gateway_1') =>
  api.client('receiveCallback', { params: { gateway }, body, headers });

const sendBytes = (body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${api.baseUrl}/api/v1/webhooks/gateway_1`, {
    method: 'POST',
    body: body as NonNullable<RequestInit['body']>,
    headers,
  });

describe('200: a stored callback', () => {
  it('is stored unchanged, and the workflow of its payment is signalled', async () => {
    const { payment, reference } = await sentPayment(api, company);
    const body = callbackBody(reference, { payer: 'Maria' });
    const signature = signed(body);
    const answer = await send(body, { ...signature, Authorization: 'Bearer not-a-token' });
    expect(expectStatus(answer, 200).body).toEqual({ received: true });
    expect(await storedCallbacks(api, payment)).toEqual([
      {
        eventId: body['id'],
        kind: 'status',
        body: Buffer.from(JSON.stringify(body)),
        headers: { 'content-type': 'application/json', ...signature },
        trusted: true,
        operation: 'charge',
      },
    ]);
    await waitFor(async () => (await wakesOf(api, payment)) === 1);
  });

  it('can be about an operation on a charge, and a chargeback is recorded as its own kind', async () => {
    const { payment, refundReference } = await sentPayment(api, company);
    const body = callbackBody(refundReference, { kind: 'chargeback' });
    expectStatus(await send(body, signed(body)), 200);
    expect(await storedCallbacks(api, payment)).toMatchObject([{ kind: 'chargeback', operation: 'refund' }]);
  });

  it('is stored as untrusted, and without its content, if it is unsigned', async () => {
    const { payment, reference } = await sentPayment(api, company);
    expectStatus(await send(callbackBody(reference, { filler: 'x'.repeat(100_000) })), 200);
    expect(await storedCallbacks(api, payment)).toMatchObject([
      { trusted: false, body: null, headers: null },
    ]);
    const row = await api.context.db.queryOne<{ bytes: number }>(
      'SELECT length(c::text) AS bytes FROM gateway_callbacks c WHERE payment_id = $1',
      [payment.id],
    );
    expect(row?.bytes).toBeLessThan(1_000);
    await waitFor(async () => (await wakesOf(api, payment)) === 1);
  });

  it.each([['text/plain; charset=iso-8859-1'], ['application/x-www-form-urlencoded'], ['nonsense'], ['']])(
    'can have the content type "%s"',
    async (contentType) => {
      const { payment, reference } = await sentPayment(api, company);
      const content = callbackBody(reference);
      const body = Buffer.from(JSON.stringify(content));
      const headers = { ...signed(content), 'Content-Type': contentType };
      expect((await sendBytes(body, headers)).status).toBe(200);
      expect(await storedCallbacks(api, payment)).toMatchObject([{ body }]);
    },
  );

  it('is stored even if its gateway is closed to new payments', async () => {
    const { payment, reference } = await sentPayment(api, company, 'gateway_5');
    const body = callbackBody(reference);
    expectStatus(await send(body, signed(body, 'whsec_sandbox_gateway_5'), 'gateway_5'), 200);
    expect(await storedCallbacks(api, payment)).toMatchObject([{ trusted: true }]);
  });
});

describe('200: an ignored callback', () => {
  const countAll = async () =>
    (await api.context.db.queryOne<{ count: number }>('SELECT count(*) FROM gateway_callbacks'))?.count;

  it('has an unknown reference', async () => {
    const before = await countAll();
    const body = callbackBody(`${randomUUID()}-1`);
    expectStatus(await send(body, signed(body)), 200);
    expectStatus(await send(callbackBody('x'), { 'gateway-signature': 'wrong' }), 200);
    expect(await countAll()).toBe(before);
  });

  it('is about a payment at another gateway', async () => {
    const { payment, reference } = await sentPayment(api, company, 'gateway_1');
    const body = callbackBody(reference);
    expectStatus(await send(body, signed(body, 'whsec_sandbox_gateway_2'), 'gateway_2'), 200);
    expect(await storedCallbacks(api, payment)).toEqual([]);
  });
});

describe('a repeated callback', () => {
  it('is stored once, even if fifty copies arrive concurrently', async () => {
    const { payment, reference } = await sentPayment(api, company);
    const body = callbackBody(reference);
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(body, signed(body))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await storedCallbacks(api, payment)).toHaveLength(1);
    await waitFor(async () => (await wakesOf(api, payment)) > 0);
    expectStatus(await send(body, signed(body)), 200);
    expect(await wakesOf(api, payment)).toBe(1);
  });

  it('is stored again if its body or its event id differs', async () => {
    const { payment, reference } = await sentPayment(api, company);
    const first = callbackBody(reference);
    for (const body of [first, { ...first, paid_amount: 1 }, { ...first, id: 'evt_other' }])
      expectStatus(await send(body, signed(body)), 200);
    expect(await storedCallbacks(api, payment)).toHaveLength(3);
  });

  it('is trusted if it is signed, although an unsigned copy arrived before', async () => {
    const { payment, reference } = await sentPayment(api, company);
    const body = callbackBody(reference);
    expectStatus(await send(body), 200);
    expectStatus(await send(body, signed(body)), 200);
    expect(await storedCallbacks(api, payment)).toMatchObject([{ trusted: false }, { trusted: true }]);
  });
});

it('unsigned callbacks cannot fill the database, and cannot block a signed one', async () => {
  const { payment, reference } = await sentPayment(api, company);
  for (let sent = 0; sent < 110; sent += 10) {
    await Promise.all(Array.from({ length: 10 }, () => send(callbackBody(reference))));
  }
  const kept = (await storedCallbacks(api, payment)).length;
  expect(kept).toBeGreaterThanOrEqual(100);
  expectStatus(await send(callbackBody(reference)), 200);
  expect(await storedCallbacks(api, payment)).toHaveLength(kept);
  const body = callbackBody(reference);
  expectStatus(await send(body, signed(body)), 200);
  expect((await storedCallbacks(api, payment)).at(-1)).toMatchObject({ trusted: true });
});

it('signed callbacks cannot fill the database with their bodies', async () => {
  const { payment, reference } = await sentPayment(api, company);
  for (let sent = 0; sent < 110; sent += 10) {
    const bodies = Array.from({ length: 10 }, () => callbackBody(reference));
    await Promise.all(bodies.map((body) => send(body, signed(body))));
  }
  const kept = await storedCallbacks(api, payment);
  expect(kept).toHaveLength(110);
  expect(kept.filter(({ body }) => (body as Buffer | null) !== null)).toHaveLength(100);
});

it('unsigned callbacks of a payment are bounded for its life, also after the old ones are deleted', async () => {
  const { payment, reference } = await sentPayment(api, company);
  const { callbacks, db } = api.context;
  expectStatus(await send(callbackBody(reference)), 200);
  await db.query('UPDATE unsigned_callback_counts SET stored = 299 WHERE payment_id = $1', [payment.id]);
  expectStatus(await send(callbackBody(reference)), 200);
  expectStatus(await send(callbackBody(reference)), 200);
  expect(await storedCallbacks(api, payment)).toHaveLength(2);
  const signedBody = callbackBody(reference);
  expectStatus(await send(signedBody, signed(signedBody)), 200);
  const later = new Date(Date.now() + 60_000);
  await callbacks.deleteOldUnsigned(1_000, later);
  expect(await storedCallbacks(api, payment)).toHaveLength(3);
  const waiting = await callbacks.listUnprocessed(payment.transactionId);
  await callbacks.markProcessed(
    waiting.map(({ id }) => id),
    new Date(),
  );
  await callbacks.deleteOldUnsigned(1_000, new Date(Date.now() - 60_000));
  expect(await storedCallbacks(api, payment)).toHaveLength(3);
  await callbacks.deleteOldUnsigned(1_000, later);
  expect(await storedCallbacks(api, payment)).toMatchObject([{ trusted: true }]);
  expectStatus(await send(callbackBody(reference)), 200);
  expect(await storedCallbacks(api, payment)).toHaveLength(1);
});

describe('401: a signature that is not valid for this company', () => {
  it.each([
    ['forged', () => 'whsec_guessed_by_somebody', new Date()],
    ['of another gateway', () => 'whsec_sandbox_gateway_2', new Date()],
    ['of another company', () => SECRET_OF_A, new Date()],
    ['recorded an hour ago', () => SECRET_OF_B, new Date(Date.now() - 3_600_000)],
  ])('is rejected: %s', async (_, secret, at) => {
    const { payment, reference } = await sentPayment(api, companyB);
    const body = callbackBody(reference);
    expectStatus(await send(body, signed(body, secret(), at)), 401);
    expect(await storedCallbacks(api, payment)).toEqual([]);
    expect(await wakesOf(api, payment)).toBe(0);
  });

  it('is rejected over different bytes', async () => {
    const { payment, reference } = await sentPayment(api, company);
    const body = callbackBody(reference);
    const answer = await sendBytes(`${JSON.stringify(body)} `, signed(body));
    await expectError(answer, 'unauthenticated');
    expect(await storedCallbacks(api, payment)).toEqual([]);
  });
});

describe('a valid signature', () => {
  it('can use the company’s own secret or the deployment’s', async () => {
    const { payment, reference } = await sentPayment(api, companyB);
    for (const secret of [SECRET_OF_B, 'whsec_sandbox_gateway_1']) {
      const body = callbackBody(reference);
      expectStatus(await send(body, signed(body, secret)), 200);
    }
    expect(await storedCallbacks(api, payment)).toMatchObject([{ trusted: true }, { trusted: true }]);
  });

  it('can use the old or the new secret of a gateway, but then not the sandbox’s', async () => {
    const { reference } = await sentPayment(api, company, 'gateway_4');
    const body = callbackBody(reference);
    const statuses = [];
    for (const secret of ['whsec_new_of_gateway_4', 'whsec_old_of_gateway_4', 'whsec_sandbox_gateway_4']) {
      statuses.push((await send(body, signed(body, secret), 'gateway_4')).status);
    }
    expect(statuses).toEqual([200, 200, 401]);
  });
});

describe('an invalid request', () => {
  it.each(['gateway_8', 'stripe', 'GATEWAY_1', '%', 'gateway_1 '])(
    'is 404 for the gateway "%s"',
    async (slug) => {
      expectStatus(await send(callbackBody('x'), {}, slug), 404);
    },
  );

  it.each([
    ['nothing', ''],
    ['no JSON', '{"id": "evt_1", '],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
    ['JSON of something else', '[1, 2]'],
    ['no reference', JSON.stringify(callbackBody('x', { reference: null }))],
    ['an event that no database can keep', JSON.stringify(callbackBody('x', { id: 'evt_\0' }))],
    ['a reference that is too long', JSON.stringify(callbackBody('x'.repeat(256)))],
  ])('is 400 for %s', async (_, body) => {
    await expectError(await sendBytes(body), 'malformed_request');
  });

  it('is 413 for more than 256 KiB, with and without a content length', async () => {
    const { payment, reference } = await sentPayment(api, company);
    const fill = (bytes: number) => {
      const empty = JSON.stringify(callbackBody(reference, { filler: '' }));
      return empty.replace('"filler":""', `"filler":"${'x'.repeat(bytes - empty.length)}"`);
    };
    expect((await sendBytes(fill(256 * 1024))).status).toBe(200);
    await expectError(await sendBytes(fill(256 * 1024 + 1)), 'payload_too_large');
    const chunked = await fetch(`${api.baseUrl}/api/v1/webhooks/gateway_1`, {
      method: 'POST',
      body: new Blob([fill(1024 * 1024)]).stream(),
      duplex: 'half',
    });
    await expectError(chunked, 'payload_too_large');
    expect(await storedCallbacks(api, payment)).toHaveLength(1);
  });

  it('is 405 for every other method', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${api.baseUrl}/api/v1/webhooks/gateway_1`, { method });
      await expectError(answer, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('OPTIONS, POST');
    }
  });
});

it('no content of a callback is logged, whether it is stored or rejected', async () => {
  const { reference } = await sentPayment(api, company);
  const canary = `canary-${randomUUID()}`;
  const body = callbackBody(reference, { id: canary, payer: canary });
  const forged = signed(body, 'whsec_guessed_by_somebody');
  expectStatus(await send(body, { ...signed(body), 'X-Token': canary }), 200);
  expectStatus(await send(body, { ...forged, 'X-Token': canary }), 401);
  await expectError(await sendBytes(`{"${canary}`), 'malformed_request');
  await waitFor(() => api.logText().includes('"status":401'));
  expect(api.logText()).not.toContain(canary);
  expect(api.logText()).not.toContain(forged['gateway-signature']);
});
