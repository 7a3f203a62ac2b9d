import { randomUUID } from 'node:crypto';
import { notFound } from '../../../src/domain/shared/errors';
import { expectError } from '../support/expect-error';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { authorization, found, hoursLater, pendingPix, to } from '../support/payment-scenario';
import { productionContract } from '../support/contract';
import { startTestApi, TEST_KEYS } from '../support/test-api';

let api: EngineApi;
let client: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  client = await registerWithGateways(api);
  other = await registerWithGateways(api);
});
afterAll(() => api.stop());

const YEAR_MS = 365 * 86_400_000;
const later = (ms: number): string => new Date(Date.now() + ms).toISOString();

describe('POST /payments/{id}/clock', () => {
  it('answers 200 at once with the clock on its way, and reaches its target', async () => {
    const payment = await pendingPix(client);
    expect(payment.clock).toBeNull();
    const target = later(120_000);
    const { body } = expectStatus(
      await client('movePaymentClock', to(payment, { body: { advance_to: target } })),
      200,
    );
    expect(body.clock?.target).toBe(target);
    expect(Date.parse(body.clock?.now ?? '')).toBeLessThanOrEqual(Date.parse(target));
    await hoursLater(client, payment, 1);
  });

  it('lives through what is due on the way: a pix that nobody pays expires', async () => {
    const payment = await pendingPix(client, { pix_expires_in: 3_600 });
    expect(await hoursLater(client, payment, 0.5)).toMatchObject({ status: 'pending' });
    const expired = await hoursLater(client, payment, 2);
    expect(expired).toMatchObject({ status: 'failed', code: 'expired', clock: { reached: true } });
  });

  it('lives through the end of the capture window', async () => {
    const payment = await authorization(client);
    const lapsed = await hoursLater(client, payment, 8 * 24);
    expect(lapsed.status).toBe('canceled');
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect(totals.held).toBe(0);
  });

  it.each([
    ['back', () => later(-1_000), /^must be after/],
    ['too far', () => later(2.1 * YEAR_MS), /^must be at most 2 years ahead$/],
    ['to what is no instant', () => '2031-01-01', /./],
  ])('answers 422 on advance_to when it is to go %s', async (_, advanceTo, message) => {
    const payment = await pendingPix(client);
    const request = to(payment, { body: { advance_to: advanceTo() } });
    const { body } = expectStatus(await client('movePaymentClock', request), 422);
    expect(body.errors).toEqual({ advance_to: [expect.stringMatching(message)] });
    expect((await found(client, payment)).clock).toBeNull();
  });

  it('never goes back to an instant it has passed', async () => {
    const payment = await pendingPix(client);
    const { clock } = await hoursLater(client, payment, 2);
    const back = new Date(Date.parse(clock?.now ?? '') - 60_000).toISOString();
    expectStatus(await client('movePaymentClock', to(payment, { body: { advance_to: back } })), 422);
  });

  it('answers 404 for another company’s payment, and 401 without a valid key pair', async () => {
    const payment = await pendingPix(client);
    const body = { advance_to: later(60_000) };
    expectStatus(await other('movePaymentClock', to(payment, { body })), 404);
    expectStatus(await other('movePaymentClock', { params: { id: randomUUID() }, body }), 404);
    expectStatus(await api.anonymous('movePaymentClock', to(payment, { body })), 401);
    expect((await found(client, payment)).clock).toBeNull();
  });

  it('is not there in production: no route, and nothing of it in the documentation', async () => {
    const production = await startTestApi({
      contract: productionContract,
      operations: { movePaymentClock: () => Promise.reject(notFound()) },
    });
    const response = await fetch(`${production.baseUrl}/api/v1/payments/${randomUUID()}/clock`, {
      method: 'POST',
      headers: { ...TEST_KEYS, 'Content-Type': 'application/json' },
      body: JSON.stringify({ advance_to: later(60_000) }),
    });
    expect((await expectError(response, 'not_found')).message).toBe('There is no such route.');
    const docs = await fetch(`${production.baseUrl}/docs/openapi.json`);
    expect(await docs.text()).not.toContain('movePaymentClock');
    await production.close();
  });
});
