import { randomUUID } from 'node:crypto';
import { notFound } from '../../../src/domain/shared/errors';
import { createRequestValidation } from '../../../src/http/server/request-validation';
import { expectError } from '../support/expect-error';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { authorization, found, advanceClockByHours, pendingPix, to } from '../support/payment-scenario';
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
  it('answers 200 immediately with the new target, which the clock then reaches', async () => {
    const payment = await pendingPix(client);
    expect(payment.clock).toBeNull();
    const target = later(120_000);
    const { body } = expectStatus(
      await client('movePaymentClock', to(payment, { body: { advance_to: target } })),
      200,
    );
    expect(body.clock?.target).toBe(target);
    expect(Date.parse(body.clock?.now ?? '')).toBeLessThanOrEqual(Date.parse(target));
    await advanceClockByHours(client, payment, 1);
  });

  it('expires an unpaid pix that falls due on the way', async () => {
    const payment = await pendingPix(client, { pix_expires_in: 3_600 });
    expect(await advanceClockByHours(client, payment, 0.5)).toMatchObject({ status: 'pending' });
    const expired = await advanceClockByHours(client, payment, 2);
    expect(expired).toMatchObject({ status: 'failed', code: 'expired', clock: { reached: true } });
  });

  it('voids an authorization whose capture window ends on the way', async () => {
    const payment = await authorization(client);
    const lapsed = await advanceClockByHours(client, payment, 8 * 24);
    expect(lapsed.status).toBe('canceled');
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect(totals.held).toBe(0);
  });

  it.each([
    ['in the past', () => later(-1_000), /^must be after/],
    ['more than 2 years away', () => later(2.1 * YEAR_MS), /^must be at most 2 years ahead$/],
    ['not an instant', () => '2031-01-01', /./],
  ])('answers 422 on advance_to for a target that is %s', async (_, advanceTo, message) => {
    const payment = await pendingPix(client);
    const request = to(payment, { body: { advance_to: advanceTo() } });
    const { body } = expectStatus(await client('movePaymentClock', request), 422);
    expect(body.errors).toEqual({ advance_to: [expect.stringMatching(message)] });
    expect((await found(client, payment)).clock).toBeNull();
  });

  it('rejects a target in the past of the clock', async () => {
    const payment = await pendingPix(client);
    const { clock } = await advanceClockByHours(client, payment, 2);
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

  it('does not exist in production, nor in the production documentation', async () => {
    const production = await startTestApi({
      requestValidation: createRequestValidation(productionContract),
      handlers: { movePaymentClock: () => Promise.reject(notFound()) },
    });
    const response = await fetch(`${production.baseUrl}/api/v1/payments/${randomUUID()}/clock`, {
      method: 'POST',
      headers: { ...TEST_KEYS, 'Content-Type': 'application/json' },
      body: JSON.stringify({ advance_to: later(60_000) }),
    });
    expect((await expectError(response, 'not_found')).message).toBe('The route does not exist.');
    const docs = await fetch(`${production.baseUrl}/docs/openapi.json`);
    expect(await docs.text()).not.toContain('movePaymentClock');
    await production.close();
  });
});
