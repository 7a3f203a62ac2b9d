import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { ledgerOf, uniqueAmount } from '../../support/scenarios/pay';
import { advanceClockTo } from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, type CompanyWithUser } from '../support/manual-resolution';
import { authorization, found, newKey, sale, to, untilStatus } from '../support/payment-scenario';

/* Captures and refunds that the gateway accepts at once and carries out, or refuses, later. */

/** A request that waited for the result would get its answer only then. */
const SYNC_TIMEOUT_SECONDS = 20;

let api: EngineApi;
let notified: CompanyWithUser;
let polled: CompanyWithUser;
beforeAll(async () => {
  api = await startEngineApi({ PAYMENT_SYNC_TIMEOUT: String(SYNC_TIMEOUT_SECONDS) }, { workers: 'payments' });
  notified = await companyAtGateway(`${api.baseUrl}/api/v1`);
  polled = await companyAtGateway(null);
});
afterAll(() => api.stop());

/** `callbackUrl` null: the gateway sends no callbacks. */
async function companyAtGateway(callbackUrl: string | null): Promise<CompanyWithUser> {
  const office = await registerCompanyWithUser(api, []);
  const secret = `sk_test_${randomUUID()}`;
  await api.engine.simulator.setUpAccount(secret, { callback_url: callbackUrl });
  const body = { gateways: [{ gateway_slug: 'gateway_1', secret_key: secret }] };
  expectStatus(await office.byKey('saveGateways', { body }), 200);
  return office;
}

const leavePending = ({ transaction_id }: PaymentBody, operation: 'capture' | 'refund') =>
  api.engine.simulator.script({ transaction_id, operation }, { pending_then: 'executed' });

const finish = ({ transaction_id }: PaymentBody, result?: 'refused') =>
  api.engine.simulator.finishOperation(transaction_id, result && { result });

describe('a refund that the gateway carries out later', () => {
  it('is answered 202 at once, reserves its amount, and is reported with its result after the callback', async () => {
    const { byKey, byToken } = notified;
    const payment = await sale(byKey, { amount: uniqueAmount() });
    await leavePending(payment, 'refund');
    const request = to(payment, { headers: newKey(), body: { amount: 700 } });
    const startedAt = Date.now();
    const { body } = expectStatus(await byKey('refundPayment', request), 202);
    expect(Date.now() - startedAt).toBeLessThan((SYNC_TIMEOUT_SECONDS * 1_000) / 2);
    const refund = body.transactions.at(-1);
    expect(body).toMatchObject({ status: 'approved', refunded_amount: 0 });
    expect(body.pending_operations).toMatchObject([{ id: refund?.id, operation: 'refund', amount: 700 }]);
    expect(refund?.status).toBe('pending');

    const again = expectStatus(await byKey('refundPayment', request), 202);
    expect(again.headers.get('Idempotency-Replayed')).toBeNull();
    const rest = to(payment, { headers: newKey(), body: { amount: payment.amount - 699 } });
    expectStatus(await byKey('refundPayment', rest), 422);

    await finish(payment);
    const after = await waitFor(async () => {
      const current = await found(byKey, payment);
      return current.refunded_amount === 700 && current;
    });
    expect(after.pending_operations).toEqual([]);
    const replayed = expectStatus(await byKey('refundPayment', request), 200);
    expect(replayed.headers.get('Idempotency-Replayed')).toBe('true');
    expect(replayed.body).toMatchObject({ refunded_amount: 700, pending_operations: [] });
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ refunded: 700 });
    const requests = await api.engine.simulator.requests(payment.transaction_id);
    expect(requests.filter(({ operation }) => operation === 'refund')).toHaveLength(1);

    const { data } = expectStatus(await byToken('getUserPayment', to(payment)), 200).body;
    expect(data.events.map(({ event }) => event)).toEqual(['transaction.approved', 'transaction.refunded']);
    const lines = data.timeline.map(({ title, detail }) => `${title}: ${detail}`);
    expect(lines).toContain('gateway_1 accepted the refund: the result comes later');
    expect(lines).toContain('Inquiry to gateway_1 about the refund: refunded');
  });

  it('is found by inquiries on a slow schedule if there is no callback, and its refusal is the answer', async () => {
    const { byKey } = polled;
    const payment = await sale(byKey, { amount: uniqueAmount() });
    await leavePending(payment, 'refund');
    const request = to(payment, { headers: newKey(), body: { amount: 700 } });
    expectStatus(await byKey('refundPayment', request), 202);
    const record = await api.engine.context.payments.get(payment.transaction_id);
    const company = { id: record.companyId } as Parameters<typeof advanceClockTo>[1]['company'];
    const subject = { company, body: payment };
    const sentAt = Date.now();
    await advanceClockTo(api.engine, subject, sentAt + 8 * 60_000);
    const inquiries = async () =>
      (await api.engine.simulator.requests(payment.transaction_id)).filter(
        ({ operation }) => operation === 'inquiry',
      ).length;
    expect(await inquiries()).toBe(3);
    await finish(payment, 'refused');
    const after = await advanceClockTo(api.engine, subject, sentAt + 16 * 60_000);
    expect(after).toMatchObject({ status: 'approved', refunded_amount: 0, pending_operations: [] });
    const refused = await byKey('refundPayment', request);
    expect([refused.status, refused.headers.get('Idempotency-Replayed')]).toEqual([422, 'true']);
    expect(refused.body).toMatchObject({ code: 'gateway_refused' });
  });
});

describe('a capture that the gateway carries out later', () => {
  it('leaves the payment authorized and forbids a cancel until its result', async () => {
    const { byKey } = notified;
    const payment = await authorization(byKey, { amount: uniqueAmount() });
    await leavePending(payment, 'capture');
    const { body } = expectStatus(await byKey('capturePayment', to(payment, { body: {} })), 202);
    expect(body).toMatchObject({ status: 'authorized', captured_amount: 0 });
    expect(body.pending_operations).toMatchObject([{ operation: 'capture', amount: payment.amount }]);
    expectStatus(await byKey('cancelPayment', to(payment)), 409);
    await finish(payment);
    const captured = await untilStatus(byKey, payment, 'approved');
    expect(captured).toMatchObject({ captured_amount: payment.amount, pending_operations: [] });
    expect(await ledgerOf(api.engine, payment)).toMatchObject({ captured: payment.amount, canceled: 0 });
  });
});
