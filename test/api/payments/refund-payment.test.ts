import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { BANK_ACCOUNT } from '../../support/fixtures/payments';
import { expectStatus, type ApiClient } from '../support/api-client';
import { startWithTwoCompanies, type EngineApi } from '../support/engine-api';
import {
  authorization,
  found,
  advanceClockByHours,
  newKey,
  operations,
  pendingBillet,
  pendingPix,
  sale,
  to,
} from '../support/payment-scenario';

let api: EngineApi;
let client: ApiClient;
let other: ApiClient;
beforeAll(async () => {
  ({ api, client, other } = await startWithTwoCompanies({ PAYMENT_SYNC_TIMEOUT: '3' }));
});
afterAll(() => api.stop());

/** A paid pix whose test clock is past the first scheduled inquiry, so that the payment is approved. */
async function paid(payment: PaymentBody, hours: number): Promise<PaymentBody> {
  await api.engine.simulator.pay(payment.transaction_id);
  const current = await advanceClockByHours(client, payment, hours);
  expect(current).toMatchObject({ status: 'approved', paid_amount: payment.amount });
  return current;
}

describe('POST /payments/{id}/refund', () => {
  it('answers 200 and refunds the full amount without a body', async () => {
    const payment = await sale(client, { amount: 4_000 });
    const { body } = expectStatus(await client('refundPayment', to(payment)), 200);
    expect(body).toMatchObject({ status: 'refunded', captured_amount: 4_000, refunded_amount: 4_000 });
    expect(operations(body, 'refund')).toEqual([['refunded', 4_000]]);
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect(totals).toMatchObject({ captured: 4_000, refunded: 4_000 });
  });

  it('answers 200 for each partial refund, and the payment becomes refunded with the last one', async () => {
    const payment = await sale(client, { amount: 4_000 });
    const part = (amount: number) =>
      client('refundPayment', to(payment, { body: { amount, reason: 'One of two came back' } }));
    expect(expectStatus(await part(1_500), 200).body).toMatchObject({
      status: 'approved',
      refunded_amount: 1_500,
    });
    const refused = expectStatus(await part(2_501), 422);
    expect(refused.body).toMatchObject({
      code: 'validation_error',
      errors: { amount: [expect.any(String)] },
    });
    const { body } = expectStatus(await client('refundPayment', to(payment)), 200);
    expect(body).toMatchObject({ status: 'refunded', refunded_amount: 4_000 });
    expect(operations(body, 'refund')).toEqual([
      ['refunded', 1_500],
      ['refunded', 2_500],
    ]);
  });

  it('never refunds more than was captured, even under concurrent requests', async () => {
    const payment = await sale(client, { amount: 1_000 });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => client('refundPayment', to(payment, { body: { amount: 400 } }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    const { totals } = await api.engine.simulator.ledger(payment.transaction_id);
    expect(totals.refunded).toBe(800);
    expect((await found(client, payment)).refunded_amount).toBe(800);
  });

  it('refunds at most the captured part of an authorization', async () => {
    const payment = await authorization(client, { amount: 4_000 });
    expectStatus(await client('capturePayment', to(payment, { body: { amount: 1_000 } })), 200);
    expectStatus(await client('refundPayment', to(payment, { body: { amount: 1_001 } })), 422);
    const { body } = expectStatus(await client('refundPayment', to(payment)), 200);
    expect(body).toMatchObject({ status: 'refunded', refunded_amount: 1_000 });
  });

  it('executes a repeated request once, and a request with a new key as another refund', async () => {
    const payment = await sale(client, { amount: 4_000 });
    const request = to(payment, { body: { amount: 1_000 }, headers: newKey() });
    const first = expectStatus(await client('refundPayment', request), 200);
    const second = expectStatus(await client('refundPayment', request), 200);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    const another = expectStatus(await client('refundPayment', { ...request, headers: newKey() }), 200);
    expect(another.body.refunded_amount).toBe(2_000);
  });

  it('answers 422 gateway_refused and leaves the payment unchanged', async () => {
    const payment = await sale(client);
    const match = { transaction_id: payment.transaction_id, operation: 'refund' } as const;
    await api.engine.simulator.script(match, { decline: '51' });
    const { body } = expectStatus(await client('refundPayment', to(payment, { headers: newKey() })), 422);
    expect(body.code).toBe('gateway_refused');
    expect(await found(client, payment)).toMatchObject({ status: 'approved', refunded_amount: 0 });
    expectStatus(await client('refundPayment', to(payment)), 200);
  });

  it('refunds a pix within 90 days of its payment, and answers 409 later', async () => {
    const payment = await paid(await pendingPix(client, { amount: 3_000 }), 1);
    const { body } = expectStatus(
      await client('refundPayment', to(payment, { body: { amount: 1_000 } })),
      200,
    );
    expect(body).toMatchObject({ status: 'approved', refunded_amount: 1_000 });
    await advanceClockByHours(client, payment, 91 * 24);
    const late = expectStatus(await client('refundPayment', to(payment)), 409);
    expect(late.body.message).toContain('90 days');
  });

  it('refunds a billet only to a bank account, which is deleted with the result', async () => {
    const payment = await paid(await pendingBillet(client), 48);
    const bare = expectStatus(await client('refundPayment', to(payment)), 422);
    expect(bare.body.errors).toEqual({ bank_account: ['is required to refund a billet'] });
    const wrong = { bank_account: { ...BANK_ACCOUNT, holder_document: '1' } };
    const unreadable = expectStatus(await client('refundPayment', to(payment, { body: wrong })), 422);
    expect(Object.keys(unreadable.body.errors ?? {})).toEqual(['bank_account.holder_document']);
    const { body } = expectStatus(
      await client('refundPayment', to(payment, { body: { bank_account: BANK_ACCOUNT } })),
      200,
    );
    expect(body.status).toBe('refunded');
    const [row] = await api.engine.context.db.query<{ text: string }>(
      `SELECT row_to_json(a)::text AS text FROM gateway_attempts a WHERE operation = 'refund'
         AND payment_id = (SELECT id FROM payments WHERE transaction_id = $1)`,
      [payment.transaction_id],
    );
    expect(row?.text).toContain('"sealed_bank_account":null');
    expect(row?.text).not.toContain(BANK_ACCOUNT.account_number);
  });

  it('answers 409 for an authorized, pending or refunded payment', async () => {
    const refunded = await sale(client);
    expectStatus(await client('refundPayment', to(refunded)), 200);
    for (const payment of [await authorization(client), await pendingPix(client), refunded]) {
      const { body } = expectStatus(await client('refundPayment', to(payment)), 409);
      expect(body.code).toBe('invalid_state');
    }
  });

  it('answers 409 once the payment has 500 transactions, so that refused refunds cannot grow it without limit', async () => {
    const payment = await sale(client);
    const refuseRefunds = (count: number) =>
      api.engine.context.db.query(
        `INSERT INTO gateway_attempts SELECT copy.* FROM gateway_attempts a, generate_series(1, $2::int) n,
           jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), 'operation', 'refund', 'status', 'declined',
             'purpose', 'merchant_request', 'reference', a.reference || '-refused-' || n)) copy
          WHERE a.id = (SELECT id FROM gateway_attempts WHERE reference = $1)`,
        [`${payment.transaction_id}-1`, count],
      );
    await refuseRefunds(498);
    expectStatus(await client('refundPayment', to(payment, { body: { amount: 1 } })), 200);
    const { body } = expectStatus(await client('refundPayment', to(payment, { body: { amount: 1 } })), 409);
    expect(body).toMatchObject({ code: 'invalid_state', message: expect.stringContaining('500') });
  });

  it.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: 1_000_000 }, 'amount'],
    [{ reason: 'x'.repeat(256) }, 'reason'],
    [{ splits: [{ recipient_id: 're_1', type: 'percentage', amount: 100 }] }, 'splits.0.recipient_id'],
    [{ bank_account: { ...BANK_ACCOUNT, type: 'gold' } }, 'bank_account.type'],
  ])('answers 422 with the field for %j', async (body, field) => {
    const payment = await sale(client);
    const refused = expectStatus(await client('refundPayment', to(payment, { body })), 422);
    expect(refused.body).toMatchObject({ code: 'validation_error', errors: { [field]: expect.any(Array) } });
  });

  it('answers 404 for another company’s payment, and 401 without a valid key pair', async () => {
    const payment = await sale(client);
    expectStatus(await other('refundPayment', to(payment)), 404);
    expectStatus(await other('refundPayment', { params: { id: randomUUID() } }), 404);
    expectStatus(await api.anonymous('refundPayment', to(payment)), 401);
    expect((await found(client, payment)).refunded_amount).toBe(0);
  });
});
