import { randomUUID } from 'node:crypto';
import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({ PAYMENT_SYNC_TIMEOUT: '4', STUCK_AFTER: '20' }, { workers: 'payments' });
  client = await registerWithGateways(api, ['gateway_1', 'gateway_2']);
});
afterAll(() => api.stop());

const create = (change: object = {}, headers: Record<string, string> = {}) =>
  client('createCardPayment', { body: paymentRequest(change), headers });

describe('POST /payments/card', () => {
  it('answers 200 with an approved payment, with a masked card and customer', async () => {
    const { body } = expectStatus(await create(), 200);
    expect(body).toMatchObject({
      status: 'approved',
      amount: 12_990,
      attempts: 1,
      payment_method: 'card',
      merchant_order_id: 'order-1001',
      idempotency_key: null,
      card: { brand: 'visa', first_6_digits: '411111', last_4_digits: '1111', token: null },
      customer: { document: '***.533.447-**', type: 'individual' },
      webhook: null,
    });
    expect(body.total_request_time).toMatch(/^\d+\.\d{3}s$/);
    const text = JSON.stringify(body);
    expect(text).not.toContain('4111111111111111');
    expect(text).not.toContain('39053344705');
  });

  it('answers 200 with a declined payment, because a decline is not an error', async () => {
    const { body } = expectStatus(await create({ card: rawCard('4000000000000002') }), 200);
    expect(body).toMatchObject({ status: 'failed', code: 'declined', message: 'not authorized' });
  });

  it('answers 202 without the card while the outcome is unknown, and 200 with the result later', async () => {
    const amount = uniqueAmount();
    await api.engine.simulator.script({ amount, operation: 'charge' }, { delay_ms: 4_500 });
    const headers = { 'Idempotency-Key': randomUUID() };
    const { body } = expectStatus(await create({ amount }, headers), 202);
    expect(body).toMatchObject({ status: 'processing', amount, total_request_time: null });
    expect(body).not.toHaveProperty('card');
    const later = await waitFor(async () => expectStatus(await create({ amount }, headers), 200));
    expect(later.body).toMatchObject({ status: 'approved', transaction_id: body.transaction_id });
    const again = expectStatus(await create({ amount }, headers), 200);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(later.body);
  });

  it('answers a repeated key with the same bytes and the replay header', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = expectStatus(await create({}, headers), 200);
    const second = expectStatus(await create({}, headers), 200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
  });

  it('answers 422 for a key that was used with another body', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    expectStatus(await create({}, headers), 200);
    const { body } = expectStatus(await create({ amount: 200 }, headers), 422);
    expect(body.code).toBe('idempotency_key_reused');
  });

  it.each([
    [{ amount: 99 }, 'amount'],
    [{ amount: 100.5 }, 'amount'],
    [{ merchant_order_id: '' }, 'merchant_order_id'],
    [{ merchant_order_id: 'x'.repeat(101) }, 'merchant_order_id'],
    [{ currency: 'REAL' }, 'currency'],
    [{ payment_method: 'cash' }, 'payment_method'],
    [{ gateway_first_try: 'gateway_8' }, 'gateway_first_try'],
    [{ installments: 25 }, 'installments'],
    [{ soft_descriptor: 'x'.repeat(14) }, 'soft_descriptor'],
    [{ card: null }, 'card'],
    [{ card: { ...rawCard('4111111111111112') } }, 'card.number'],
    [{ card: { ...rawCard('4111111111111111'), cvv: '12' } }, 'card.cvv'],
    [{ card: { ...rawCard('4111111111111111'), expire_month: 13 } }, 'card.expire_month'],
    [{ card: { ...rawCard('4111111111111111'), expire_year: 2020 } }, 'card.expire_year'],
    [{ card: { token: 'card_unknown' } }, 'card.token'],
    [{ initiator: 'merchant' }, 'initiator'],
    [{ initiator: 'issuer' }, 'initiator'],
    [{ billing_address: null }, 'billing_address'],
    [{ customer: { name: 'Maria', email: 'maria@example.com' } }, 'customer.document'],
    [{ customer: { name: 'Maria', email: 'not an address', document: '39053344705' } }, 'customer.email'],
    [{ customer: { token: 'cus_unknown' } }, 'customer.token'],
    [{ splits: [{ recipient_id: 're_1', type: 'percentage', amount: 99 }] }, 'splits'],
    [{ splits: [{ recipient_id: 're_1', type: 'percentage', amount: 100 }] }, 'splits.0.recipient_id'],
    [{ metadata: { ['k'.repeat(41)]: 'x' } }, 'metadata'],
  ])('answers 422 with the field for %j', async (change, field) => {
    const { body } = expectStatus(await create(change), 422);
    expect(body.code).toBe('validation_error');
    expect(
      Object.keys(body.errors ?? {}).some((path) => path === field || path.startsWith(`${field}.`)),
    ).toBe(true);
  });

  it('answers 422 no_gateway_available if no gateway supports the payment, and leaves the key free', async () => {
    const company = await registerWithGateways(api, ['gateway_2']);
    const headers = { 'Idempotency-Key': randomUUID() };
    const authorization = await company('createCardPayment', {
      body: paymentRequest({ capture: false }),
      headers,
    });
    expect(expectStatus(authorization, 422).body.code).toBe('no_gateway_available');
    expectStatus(await company('createCardPayment', { body: paymentRequest(), headers }), 200);
  });

  it('answers 401 without a valid key pair', async () => {
    const { body } = expectStatus(await api.anonymous('createCardPayment', { body: paymentRequest() }), 401);
    expect(body.code).toBe('unauthenticated');
  });

  it.each([
    [400, { 'Content-Type': 'application/json' }, '{"amount":'],
    [415, { 'Content-Type': 'text/plain' }, 'amount=1'],
    [413, { 'Content-Type': 'application/json' }, JSON.stringify({ x: 'x'.repeat(300 * 1024) })],
  ])('answers %i before it checks the key pair', async (status, headers, body) => {
    const response = await fetch(`${api.baseUrl}/api/v1/payments/card`, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  });
});
