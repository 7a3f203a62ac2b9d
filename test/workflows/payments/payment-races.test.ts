import { pollPaymentStatus } from '../../../activities/payments/poll-payment-status';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { callbackBody, signed } from '../../api/callbacks/callback-api';
import { expectStatus } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import type { Engine } from '../../support/stack/engine';
import { claimNext, withInterruption } from '../../support/scenarios/interleaving';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  requestOperation,
  requestUntilSettled,
  waitForPayment,
  advanceClockTo,
  idlePurchase,
  reloadPurchase,
  operationsOf,
  purchase,
  signalWorkflow,
  type Purchase,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';

/** The gateway has no callback address: the tests send every callback themselves. */
let api: EngineApi;
let engine: Engine;
let company: AuthenticatedCompany;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  ({ engine } = api);
  company = await newCompany(engine);
});
afterAll(() => api.stop());

const MINUTE_MS = 60_000;

/** Sends a signed callback of the gateway. */
async function callBack({ body }: Purchase, kind = 'approved'): Promise<void> {
  const content = callbackBody(`${body.transaction_id}-1`, {
    kind,
    amount: body.amount,
    paid_amount: body.amount,
  });
  const request = { params: { gateway: 'gateway_1' }, body: content, headers: signed(content) };
  expectStatus(await api.anonymous('receiveCallback', request), 200);
}

function untilCallbacksProcessed({ body }: Purchase): Promise<true> {
  return waitFor(
    async () => (await engine.context.callbacks.listUnprocessed(body.transaction_id)).length === 0,
  );
}

const pay = ({ body }: Purchase, amount?: number) => engine.simulator.pay(body.transaction_id, amount);

const script = ({ body: { transaction_id } }: Purchase, operation: 'cancel' | 'refund', behavior: object) =>
  engine.simulator.script({ transaction_id, operation }, behavior);

/** When an unpaid payment fails: its expiry plus the grace period of five minutes. */
function decidedAt({ body }: Purchase): number {
  const expiresAt = body.transactions[0]?.pix?.expires_at ?? '';
  return Date.parse(expiresAt) + 5 * MINUTE_MS;
}

/** Polls the payment once, at the end of its grace period. */
function pollAtExpiry(subject: Purchase, deps = engine.deps) {
  const at = decidedAt(subject) + 1;
  const { transaction_id: transactionId } = subject.body;
  return pollPaymentStatus(deps, {
    companyId: company.id,
    transactionId,
    at,
    offsetMs: at - Date.now(),
  });
}

describe('a callback before the answer to the charge', () => {
  it('it triggers an inquiry, and the later answer does not revert the payment', async () => {
    const subject = await idlePurchase(engine, company, 'pix');
    const worker = await claimNext(engine, subject);
    const answer = await worker.send();
    await pay(subject);
    await callBack(subject);
    const paid = await waitForPayment(engine, subject, {
      status: 'approved',
      paid_amount: subject.body.amount,
      attempts: 1,
    });
    await worker.record(answer);
    expect(await reloadPurchase(engine, subject)).toEqual(paid);
    await untilCallbacksProcessed(subject);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });
});

describe('a callback for a payment whose workflow is closed', () => {
  it('it starts the workflow, which records a second payment of the same pix', async () => {
    const subject = await purchase(engine, company, 'pix');
    await pay(subject);
    await callBack(subject);
    await waitForPayment(engine, subject, { status: 'approved' });
    const handle = engine.context.temporal.workflow.getHandle(`payment/${subject.body.transaction_id}`);
    await handle.result();
    await pay(subject, 700);
    await callBack(subject);
    await waitForPayment(engine, subject, {
      status: 'approved',
      captured_amount: subject.body.amount,
      paid_amount: subject.body.amount + 700,
    });
    await untilCallbacksProcessed(subject);
    await waitFor(async () => (await handle.describe()).status.name === 'COMPLETED');
  });
});

describe('a refund during a callback', () => {
  it.each(['chargeback', 'approved'])(
    'a refund in flight during a callback of a %s is recorded once',
    async (kind) => {
      const subject = await purchase(engine, company, 'sale');
      await script(subject, 'refund', { delay_ms: 600 });
      const refund = requestOperation(engine, subject, 'refund');
      await waitFor(async () => operationsOf(await reloadPurchase(engine, subject), 'refund').length === 1);
      await callBack(subject, kind);
      expect(await refund).toMatchObject({ status: 200 });
      await callBack(subject, kind);
      await untilCallbacksProcessed(subject);
      const { amount } = subject.body;
      expect(await reloadPurchase(engine, subject)).toMatchObject({
        status: 'refunded',
        refunded_amount: amount,
      });
      expect(operationsOf(await reloadPurchase(engine, subject), 'refund')).toEqual([['refunded', amount]]);
      expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount, refunded: amount });
    },
  );

  it('a refund whose answer was lost is found, whatever a callback reports meanwhile', async () => {
    const subject = await purchase(engine, company, 'sale');
    await script(subject, 'refund', { drop: 'after' });
    const refund = requestUntilSettled(engine, subject, 'refund', { amount: 100 });
    await callBack(subject, 'chargeback');
    expect(await refund).toMatchObject({ status: 200 });
    await untilCallbacksProcessed(subject);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: 100 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: 100 });
  });
});

describe('an expiry during the payment', () => {
  it('it does not fail while inquiries are inconclusive', async () => {
    const subject = await purchase(engine, company, 'pix');
    const { transaction_id } = subject.body;
    await engine.simulator.script({ transaction_id, operation: 'inquiry' }, { status: 503 });
    await pay(subject);
    expect(await pollAtExpiry(subject)).toMatchObject({ status: 'pending' });
    expect(await pollAtExpiry(subject)).toMatchObject({ status: 'pending' });
    await callBack(subject);
    await waitForPayment(engine, subject, { status: 'approved' });
  });

  it('a payment between the last inquiry and its commit: it fails as expired, then is approved late', async () => {
    const subject = await purchase(engine, company, 'pix');
    const step = await pollAtExpiry(
      subject,
      withInterruption(engine.deps, () => pay(subject)),
    );
    expect(step.status).toBe('failed');
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'failed', code: 'expired' });
    await callBack(subject);
    await waitForPayment(engine, subject, {
      status: 'approved',
      code: null,
      captured_amount: subject.body.amount,
      paid_amount: subject.body.amount,
    });
  });

  it('a callback that is stored between the last inquiry and its commit is processed', async () => {
    const subject = await purchase(engine, company, 'pix');
    await pollAtExpiry(
      subject,
      withInterruption(engine.deps, async () => {
        await pay(subject);
        await callBack(subject);
      }),
    );
    await waitForPayment(engine, subject, { status: 'approved', paid_amount: subject.body.amount });
    await untilCallbacksProcessed(subject);
  });

  it('two concurrent polls, one of which sees the payment: it is approved whichever commits last', async () => {
    const late = await purchase(engine, company, 'pix');
    const nestedPoll = withInterruption(engine.deps, async () => {
      await pay(late);
      await pollAtExpiry(late);
    });
    await pollAtExpiry(late, nestedPoll);
    expect(await reloadPurchase(engine, late)).toMatchObject({ status: 'approved' });
  });

  it('a payment after it failed as expired approves it late', async () => {
    const subject = await purchase(engine, company, 'pix');
    await advanceClockTo(engine, subject, decidedAt(subject) + MINUTE_MS);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'failed', code: 'expired' });
    await pay(subject);
    await callBack(subject);
    await waitForPayment(engine, subject, {
      status: 'approved',
      code: null,
      paid_amount: subject.body.amount,
    });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });
});

describe('a cancel of a pix during its payment', () => {
  it('a payment before the cancel reaches the gateway: the cancel fails, and the payment is approved without a callback', async () => {
    const subject = await purchase(engine, company, 'pix');
    await requestOperation({ payments: engine.idlePayments }, subject, 'cancel');
    const worker = await claimNext(engine, subject);
    await pay(subject);
    await worker.record(await worker.send());
    await signalWorkflow(engine, subject);
    const paid = await waitForPayment(engine, subject, {
      status: 'approved',
      paid_amount: subject.body.amount,
    });
    expect(operationsOf(paid, 'cancel')).toEqual([['error', subject.body.amount]]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });

  it.each([
    ['with a callback', true],
    ['without a callback', false],
  ])(
    'a payment while the outcome of the cancel is unknown, %s: the payment is approved and the cancel fails',
    async (_, withCallback) => {
      const subject = await purchase(engine, company, 'pix');
      await script(subject, 'cancel', { hang: 'before' });
      const cancel = requestUntilSettled(engine, subject, 'cancel');
      await waitFor(async () => operationsOf(await reloadPurchase(engine, subject), 'cancel').length === 1);
      await pay(subject);
      if (withCallback) await callBack(subject);
      expect((await cancel).status).toBe(withCallback ? 409 : 422);
      await waitForPayment(engine, subject, { status: 'approved', paid_amount: subject.body.amount });
      await ledgerOf(engine, subject.body);
    },
  );

  it('a payment after a cancel whose answer was lost approves it late', async () => {
    const subject = await purchase(engine, company, 'pix');
    await script(subject, 'cancel', { drop: 'after' });
    expect(await requestUntilSettled(engine, subject, 'cancel')).toMatchObject({ status: 200 });
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'canceled' });
    await pay(subject);
    await callBack(subject);
    await waitForPayment(engine, subject, {
      status: 'approved',
      captured_amount: subject.body.amount,
      paid_amount: subject.body.amount,
    });
  });

  it('a payment between the cancel at the gateway and its recording: the payment is approved', async () => {
    const subject = await purchase(engine, company, 'pix');
    await requestOperation({ payments: engine.idlePayments }, subject, 'cancel');
    const worker = await claimNext(engine, subject);
    const answer = await worker.send();
    await pay(subject);
    await callBack(subject);
    await waitForPayment(engine, subject, { status: 'approved' });
    await worker.record(answer);
    expect(await reloadPurchase(engine, subject)).toMatchObject({
      status: 'approved',
      captured_amount: subject.body.amount,
    });
  });
});
