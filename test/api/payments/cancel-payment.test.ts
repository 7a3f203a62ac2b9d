import { randomUUID } from 'node:crypto';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startWithTwoCompanies, type EngineApi } from '../support/engine-api';
import {
  authorization,
  found,
  newKey,
  operations,
  pendingBillet,
  pendingPix,
  sale,
  to,
  untilStatus,
} from '../support/payment-scenario';

let api: EngineApi;
let client: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  ({ api, client, other } = await startWithTwoCompanies({ PAYMENT_SYNC_TIMEOUT: '3' }));
});
afterAll(() => api.stop());

describe('POST /payments/{id}/cancel', () => {
  it('answers 200 and voids an authorization', async () => {
    const payment = await authorization(client);
    const { body } = expectStatus(await client('cancelPayment', to(payment)), 200);
    expect(body).toMatchObject({ status: 'canceled', message: 'canceled', captured_amount: 0 });
    expect(operations(body, 'cancel')).toEqual([['canceled', payment.amount]]);
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect(totals).toMatchObject({ held: 0, captured: 0 });
  });

  it('answers 200 and cancels a pending pix or billet', async () => {
    for (const payment of [await pendingPix(client), await pendingBillet(client)]) {
      const { body } = expectStatus(await client('cancelPayment', to(payment)), 200);
      expect(body.status).toBe('canceled');
    }
  });

  it('ignores the body', async () => {
    const payment = await authorization(client);
    const response = await fetch(`${api.baseUrl}/api/v1/payments/${payment.transaction_id}/cancel`, {
      method: 'POST',
      body: 'not json',
    });
    expect(response.status).toBe(401);
    expectStatus(await client('cancelPayment', to(payment, { body: {} })), 200);
  });

  it('executes a repeated request once', async () => {
    const payment = await authorization(client);
    const request = to(payment, { headers: newKey() });
    const first = expectStatus(await client('cancelPayment', request), 200);
    const second = expectStatus(await client('cancelPayment', request), 200);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  it('answers 422 gateway_refused if the pix was paid just before, and the payment becomes approved', async () => {
    const payment = await pendingPix(client);
    await api.engine.simulator.pay(payment.transaction_id);
    const { body } = expectStatus(await client('cancelPayment', to(payment)), 422);
    expect(body.code).toBe('gateway_refused');
    await untilStatus(client, payment, 'approved');
  });

  it('answers 422 gateway_refused, and a new request is another operation', async () => {
    const payment = await authorization(client);
    const match = { transaction_id: payment.transaction_id, operation: 'cancel' } as const;
    await api.engine.simulator.script(match, { decline: '91' });
    const headers = newKey();
    expect(expectStatus(await client('cancelPayment', to(payment, { headers })), 422).body.code).toBe(
      'gateway_refused',
    );
    expect((await found(client, payment)).status).toBe('authorized');
    expectStatus(await client('cancelPayment', to(payment, { headers: newKey() })), 200);
  });

  it('answers 409 for an approved or canceled payment', async () => {
    const approved = await sale(client);
    expect(expectStatus(await client('cancelPayment', to(approved)), 409).body).toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('approved'),
    });
    const canceled = await authorization(client);
    expectStatus(await client('cancelPayment', to(canceled)), 200);
    expect(expectStatus(await client('cancelPayment', to(canceled)), 409).body.message).toContain('canceled');
  });

  it('answers 422 for the key of a different request', async () => {
    const headers = newKey();
    expectStatus(await client('cancelPayment', to(await authorization(client), { headers })), 200);
    const answer = await client('cancelPayment', to(await authorization(client), { headers }));
    expect(expectStatus(answer, 422).body.code).toBe('idempotency_key_reused');
  });

  it('answers 404 for another company’s payment, and 401 without a valid key pair', async () => {
    const payment = await authorization(client);
    expectStatus(await other('cancelPayment', to(payment)), 404);
    expectStatus(await other('cancelPayment', { params: { id: randomUUID() } }), 404);
    expectStatus(await api.anonymous('cancelPayment', to(payment)), 401);
    expect((await found(client, payment)).status).toBe('authorized');
  });
});
