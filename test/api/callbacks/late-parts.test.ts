import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { ledgerOf, uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerCompanyWithUser, untilStuck, type CompanyWithUser } from '../support/manual-resolution';
import { advanceClockByHours, found, pendingPix, to, untilStatus } from '../support/payment-scenario';

/* A part of a pix is paid after the pix expired or was canceled. */

const PART = 1_000;

let api: EngineApi;
let company: CompanyWithUser;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  company = await registerCompanyWithUser(api, []);
  const secret = `sk_test_${randomUUID()}`;
  const callback_url = `${api.baseUrl}/api/v1`;
  await api.engine.simulator.setUpAccount(secret, { callback_url });
  const body = { gateways: [{ gateway_slug: 'gateway_1', secret_key: secret }] };
  expectStatus(await company.byKey('saveGateways', { body }), 200);
});
afterAll(() => api.stop());

type End = 'expired' | 'canceled';
const STATUS = { expired: 'failed', canceled: 'canceled' } as const;

/** A pix that has ended, and of which a part was paid after that. */
async function lateParts(end: End): Promise<PaymentBody> {
  const payment = await pendingPix(company.byKey, { amount: uniqueAmount() });
  if (end === 'expired') await advanceClockByHours(company.byKey, payment, 25);
  else expectStatus(await company.byKey('cancelPayment', to(payment)), 200);
  await untilStatus(company.byKey, payment, STATUS[end]);
  await api.engine.simulator.pay(payment.transaction_id, PART);
  await untilStuck(api.engine, payment);
  return payment;
}

async function detailOf(payment: PaymentBody) {
  return expectStatus(await company.byToken('getUserPayment', to(payment)), 200).body.data;
}

/** Waits until the workflow has ended: a question needs none. */
async function untilNothingRuns({ transaction_id }: PaymentBody): Promise<void> {
  const handle = api.engine.context.temporal.workflow.getHandle(`payment/${transaction_id}`);
  await waitFor(async () => (await handle.describe()).status.name === 'COMPLETED');
}

describe.each(['expired', 'canceled'] as const)(
  'a part of a pix that is paid after the pix was %s',
  (end) => {
    it('is shown and told, puts the payment into manual review, and is approved when an operator accepts it', async () => {
      const payment = await lateParts(end);
      const { payment: shown, desk, events, timeline } = await detailOf(payment);
      const underpaid = { message: 'underpaid', paid_amount: PART, captured_amount: 0 };
      expect(shown).toMatchObject({ status: STATUS[end], ...underpaid });
      expect(desk).toMatchObject({
        operation: 'charge',
        question: expect.stringContaining('Does it count as paid?'),
      });
      const type = `transaction.${STATUS[end]}`;
      expect(events.map(({ event }) => event)).toEqual(['transaction.pending', type, type]);
      expect(timeline.map(({ kind }) => kind)).toContain('payment_underpaid');
      await untilNothingRuns(payment);
      const absent = { outcome: 'absent', reason: 'nothing arrived' };
      expectStatus(await company.byToken('resolvePayment', to(payment, { body: absent })), 422);
      const accepted = { outcome: 'paid', reason: 'the customer pays the rest in the shop' };
      const { body } = expectStatus(
        await company.byToken('resolvePayment', to(payment, { body: accepted })),
        200,
      );
      expect(body).toMatchObject({
        status: 'approved',
        code: null,
        captured_amount: PART,
        paid_amount: PART,
      });
      expect((await detailOf(payment)).desk).toBeNull();
    });

    it('can be refunded, which ends the manual review', async () => {
      const payment = await lateParts(end);
      const tooMuch = to(payment, { body: { amount: PART + 1 } });
      expectStatus(await company.byKey('refundPayment', tooMuch), 422);
      const part = expectStatus(
        await company.byKey('refundPayment', to(payment, { body: { amount: 400 } })),
        200,
      );
      expect(part.body).toMatchObject({ status: STATUS[end], refunded_amount: 400, message: 'underpaid' });
      expect((await detailOf(payment)).desk).not.toBeNull();
      const { body } = expectStatus(await company.byKey('refundPayment', to(payment, { body: {} })), 200);
      expect(body).toMatchObject({
        status: STATUS[end],
        refunded_amount: PART,
        paid_amount: PART,
        message: end,
      });
      expect(await ledgerOf(api.engine, payment)).toMatchObject({ captured: PART, refunded: PART });
      const { desk, events } = await detailOf(payment);
      expect(desk).toBeNull();
      expect(events.slice(-2).map(({ event }) => event)).toEqual([
        'transaction.refunded',
        'transaction.refunded',
      ]);
      expectStatus(await company.byKey('refundPayment', to(payment, { body: {} })), 409);
    });
  },
);

it('a resolution to ask again makes one inquiry, and the question stays if nothing has changed', async () => {
  const payment = await lateParts('expired');
  await untilNothingRuns(payment);
  const inquiries = async () =>
    (await api.engine.simulator.requests(payment.transaction_id)).filter(
      ({ operation }) => operation === 'inquiry',
    ).length;
  const before = await inquiries();
  const retry = { outcome: 'retry', reason: 'the rest should have arrived' };
  expectStatus(await company.byToken('resolvePayment', to(payment, { body: retry })), 202);
  await waitFor(async () => (await inquiries()) === before + 1);
  await untilNothingRuns(payment);
  expect((await detailOf(payment)).desk).not.toBeNull();
});

it('a part of a pix that is still pending can be refunded, and the pix is approved if it is paid in full after that', async () => {
  const payment = await pendingPix(company.byKey, { amount: uniqueAmount() });
  await api.engine.simulator.pay(payment.transaction_id, PART);
  await waitFor(async () => (await found(company.byKey, payment)).paid_amount === PART);
  const { body } = expectStatus(await company.byKey('refundPayment', to(payment, { body: {} })), 200);
  expect(body).toMatchObject({ status: 'pending', message: 'pending', refunded_amount: PART });
  await api.engine.simulator.pay(payment.transaction_id, payment.amount - PART);
  expect(await untilStatus(company.byKey, payment, 'approved')).toMatchObject({
    ...{ captured_amount: payment.amount, refunded_amount: PART, message: 'partially refunded' },
  });
});
