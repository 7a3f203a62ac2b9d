import { randomUUID } from 'node:crypto';
import { waitFor } from '../../support/stack/wait-for';
import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startWithTwoCompanies, type EngineApi } from '../support/engine-api';
import { authorization, found, newKey, operations, pendingPix, sale, to } from '../support/payment-scenario';

let api: EngineApi;
let client: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  ({ api, client, other } = await startWithTwoCompanies({ PAYMENT_SYNC_TIMEOUT: '4', STUCK_AFTER: '20' }));
});
afterAll(() => api.stop());

describe('POST /payments/{id}/capture', () => {
  it('answers 200 and captures the full amount without a body', async () => {
    const payment = await authorization(client, { amount: 5_000 });
    const { body } = expectStatus(await client('capturePayment', to(payment)), 200);
    expect(body).toMatchObject({ status: 'approved', captured_amount: 5_000, attempts: 1 });
    expect(operations(body, 'capture')).toEqual([['approved', 5_000]]);
    expect(await found(client, payment)).toEqual(body);
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect(totals).toMatchObject({ authorized: 5_000, captured: 5_000 });
  });

  it('answers 200 and captures a part, which releases the rest', async () => {
    const payment = await authorization(client, { amount: 5_000 });
    const { body } = expectStatus(
      await client('capturePayment', to(payment, { body: { amount: 3_000 } })),
      200,
    );
    expect(body).toMatchObject({ status: 'approved', amount: 5_000, captured_amount: 3_000 });
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect(totals).toMatchObject({ captured: 3_000, held: 0 });
  });

  it('executes a repeated request once: the answer is recorded, and the gateway is called once', async () => {
    const payment = await authorization(client);
    const request = to(payment, { body: {}, headers: newKey() });
    const first = expectStatus(await client('capturePayment', request), 200);
    const second = expectStatus(await client('capturePayment', request), 200);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    const requests = await api.engine.simulator.requests(payment.transaction_id);
    expect(requests.filter(({ operation }) => operation === 'capture')).toHaveLength(1);
  });

  it('executes many concurrent equal requests once', async () => {
    const payment = await authorization(client);
    const request = to(payment, { body: { amount: 400 }, headers: newKey() });
    const answers = await Promise.all(Array.from({ length: 5 }, () => client('capturePayment', request)));
    const bodies = answers.map((answer) => JSON.stringify(expectStatus(answer, 200).body));
    expect(new Set(bodies).size).toBe(1);
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect(totals.captured).toBe(400);
  });

  it('captures once if several concurrent requests have no key', async () => {
    const payment = await authorization(client);
    const answers = await Promise.all(Array.from({ length: 4 }, () => client('capturePayment', to(payment))));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('lets only one of a concurrent capture and cancel succeed', async () => {
    const payment = await authorization(client);
    const [captured, canceled] = await Promise.all([
      client('capturePayment', to(payment)),
      client('cancelPayment', to(payment)),
    ]);
    expect([captured.status, canceled.status].sort()).toEqual([200, 409]);
    const { status } = await found(client, payment);
    expect(status).toBe(captured.status === 200 ? 'approved' : 'canceled');
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect([totals.captured, totals.canceled].filter((cents) => cents > 0)).toHaveLength(1);
  });

  it('answers 202 while the outcome is unknown, and 200 to the same request later', async () => {
    const payment = await authorization(client);
    const match = { transaction_id: payment.transaction_id, operation: 'capture' } as const;
    await api.engine.simulator.script(match, { delay_ms: 4_500 });
    const request = to(payment, { headers: newKey() });
    const open = expectStatus(await client('capturePayment', request), 202);
    expect(open.body).toMatchObject({ status: 'authorized', captured_amount: 0 });
    expect(operations(open.body, 'capture')).toEqual([['unknown', payment.amount]]);
    const later = await waitFor(async () => expectStatus(await client('capturePayment', request), 200));
    expect(later.body).toMatchObject({ status: 'approved', captured_amount: payment.amount });
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect(totals.captured).toBe(payment.amount);
  });

  it('answers 422 gateway_refused, records it for the key, and leaves the payment unchanged', async () => {
    const payment = await authorization(client);
    const match = { transaction_id: payment.transaction_id, operation: 'capture' } as const;
    await api.engine.simulator.script(match, { decline: '51' });
    const request = to(payment, { headers: newKey() });
    const first = expectStatus(await client('capturePayment', request), 422);
    expect(first.body).toMatchObject({
      code: 'gateway_refused',
      message: expect.stringContaining('gateway_1'),
    });
    const second = expectStatus(await client('capturePayment', request), 422);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect({ ...second.body, request_id: '' }).toEqual({ ...first.body, request_id: '' });
    expect(await found(client, payment)).toMatchObject({ status: 'authorized', captured_amount: 0 });

    const again = expectStatus(await client('capturePayment', to(payment, { headers: newKey() })), 200);
    expect(operations(again.body, 'capture')).toEqual([
      ['declined', payment.amount],
      ['approved', payment.amount],
    ]);
  });

  it('answers 409 with the state for a payment that is not authorized, and leaves the key free', async () => {
    const headers = newKey();
    const approved = await sale(client);
    const { body } = expectStatus(await client('capturePayment', to(approved, { headers })), 409);
    expect(body).toMatchObject({ code: 'invalid_state', message: expect.stringContaining('approved') });
    const pending = await pendingPix(client);
    expectStatus(await client('capturePayment', to(pending, { headers })), 409);
    const failed = expectStatus(
      await client('createCardPayment', {
        body: { ...declinedCard(), capture: false },
      }),
      200,
    ).body;
    expectStatus(await client('capturePayment', to(failed, { headers })), 409);

    const payment = await authorization(client);
    expectStatus(await client('capturePayment', to(payment, { headers })), 200);
  });

  it('answers 409 to a second capture', async () => {
    const payment = await authorization(client);
    expectStatus(await client('capturePayment', to(payment, { body: { amount: 100 } })), 200);
    const { body } = expectStatus(
      await client('capturePayment', to(payment, { body: { amount: 100 } })),
      409,
    );
    expect(body.code).toBe('invalid_state');
  });

  it.each([
    [{ amount: 12_991 }, 'amount'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 10.5 }, 'amount'],
    [{ splits: [{ recipient_id: 're_1', type: 'percentage', amount: 100 }] }, 'splits.0.recipient_id'],
    [{ splits: [{ recipient_id: 're_1', type: 'percentage', amount: 0 }] }, 'splits.0.amount'],
  ])('answers 422 with the field for %j, and leaves the key free', async (body, field) => {
    const payment = await authorization(client);
    const headers = newKey();
    const refused = expectStatus(await client('capturePayment', to(payment, { body, headers })), 422);
    expect(refused.body).toMatchObject({ code: 'validation_error', errors: { [field]: expect.any(Array) } });
    expectStatus(await client('capturePayment', to(payment, { headers })), 200);
  });

  it('answers 422 for the key of a different request: another body, another operation, a payment’s creation', async () => {
    const headers = newKey();
    const payment = await authorization(client);
    expectStatus(await client('capturePayment', to(payment, { body: { amount: 500 }, headers })), 200);
    const reused = [
      client('capturePayment', to(payment, { body: { amount: 501 }, headers })),
      client('cancelPayment', to(payment, { headers })),
      client('capturePayment', to(await authorization(client), { body: { amount: 500 }, headers })),
      client('createCardPayment', { body: declinedCard(), headers }),
    ];
    for (const answer of await Promise.all(reused)) {
      expect(expectStatus(answer, 422).body.code).toBe('idempotency_key_reused');
    }
    const creation = newKey();
    expectStatus(await client('createCardPayment', { body: declinedCard(), headers: creation }), 200);
    const capture = await client('capturePayment', to(await authorization(client), { headers: creation }));
    expect(expectStatus(capture, 422).body.code).toBe('idempotency_key_reused');
  });

  it('answers 404 equally for another company’s payment, an unknown payment and an invalid id', async () => {
    const payment = await authorization(client);
    const answers = await Promise.all([
      other('capturePayment', to(payment, { headers: newKey() })),
      other('capturePayment', { params: { id: randomUUID() } }),
      other('capturePayment', { params: { id: 'nope' } }),
    ]);
    const bodies = answers.map((answer) => ({ ...expectStatus(answer, 404).body, request_id: '' }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect((await found(client, payment)).status).toBe('authorized');
  });

  it('answers 401 without a valid key pair', async () => {
    expectStatus(await api.anonymous('capturePayment', { params: { id: randomUUID() } }), 401);
  });
});

function declinedCard(): object {
  return { ...paymentRequest(), card: rawCard('4000000000009995') };
}
