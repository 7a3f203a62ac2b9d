import { createPayments } from '../../../src/composition/api-payments';
import type { WorkflowHandle } from '@temporalio/client';
import { resolveUpdate, wakeSignal } from '../../../workflows/messages';
import { recordOperation } from '../../../activities/payments/record-operation';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { PaymentBody } from '../../../src/presenters/payment';
import { startEngine, type Engine } from '../../support/stack/engine';
import { reloadPayment, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { insertResolution, resolve } from '../../support/scenarios/resolve';

const HOUR_MS = 3_600_000;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ STUCK_AFTER: '2', PAYMENT_SYNC_TIMEOUT: '3' });
});
afterAll(() => engine.stop());

/** A stuck payment: the gateway lost the operation and its inquiries are inconclusive. */
async function withLost(operation: PaymentOperation, change: { capture: boolean }, times = 1) {
  const company = await newCompany(engine);
  const { body } = await pay(engine, company, { amount: uniqueAmount(), ...change });
  const { transaction_id } = body;
  await waitFor(async () => (await reloadPayment(engine, company, body)).status !== 'processing');
  await engine.simulator.script({ transaction_id, operation }, { drop: 'before' }, times);
  await engine.simulator.script({ transaction_id, operation: 'inquiry' }, { status: 500 }, 0);
  for (let time = 0; time < times; time += 1) await operate(company, body, operation);
  await waitFor(async () => (await row(company, body)).stuckAt, { what: 'the payment to be stuck' });
  return { company, body, handle: engine.context.temporal.workflow.getHandle(`payment/${transaction_id}`) };
}

async function operate(
  company: AuthenticatedCompany,
  { transaction_id: id }: PaymentBody,
  operation: PaymentOperation,
): Promise<void> {
  const request = operation === 'refund' ? { amount: 100 } : {};
  const command = { company, operation, id, idempotencyKey: null, request, receivedAt: new Date() };
  // A run that this starts takes its steps as regular activities, during which an update may arrive.
  const { operatePayment } = createPayments(engine.config, engine.context, () => undefined);
  await operatePayment.execute(command);
}

async function row(company: AuthenticatedCompany, { transaction_id }: PaymentBody) {
  const payment = await engine.context.payments.find(company.id, transaction_id);
  if (payment === null) throw new Error('the payment does not exist');
  return payment;
}

/** Both refunds wait for an operator. */
async function withTwoLostRefunds() {
  const lost = await withLost('refund', { capture: true }, 2);
  await waitFor(async () => (await countActivity(lost.handle, 'markStuck')) === 2);
  return lost;
}

async function countActivity(handle: WorkflowHandle, activity: string): Promise<number> {
  const { events } = await handle.fetchHistory();
  const scheduled = events?.map((event) => event.activityTaskScheduledEventAttributes?.activityType?.name);
  return scheduled?.filter((name) => name === activity).length ?? 0;
}

async function countLocalActivities(handle: WorkflowHandle): Promise<number> {
  const { events } = await handle.fetchHistory();
  return events?.filter((event) => event.markerRecordedEventAttributes).length ?? 0;
}

const operationsOf = async (company: AuthenticatedCompany, body: PaymentBody) =>
  (await engine.payments.findPayment.byId(company.id, body.transaction_id)).attempts;

describe('a stuck payment', () => {
  it('it stays stuck while another operation is unresolved, even if the payment changes', async () => {
    const { company, body } = await withTwoLostRefunds();
    await resolve(engine, body.transaction_id, 'paid');
    const payment = await row(company, body);
    expect(payment.refundedAmountCents).toBe(100);
    expect(payment.stuckAt).not.toBeNull();
  });

  it('it is not stuck after the last resolution, even if the payment does not change', async () => {
    const { company, body } = await withLost('capture', { capture: false });
    // An old request is not sent again.
    await engine.context.db.query(
      `UPDATE gateway_attempts SET created_at = created_at - interval '1 hour'
       WHERE operation = 'capture' AND company_id = $1`,
      [company.id],
    );
    await resolve(engine, body.transaction_id, 'absent');
    expect(await row(company, body)).toMatchObject({ status: 'authorized', stuckAt: null });
  });

  it('sweepers do not recover it more often than its own workflow polls', async () => {
    const { company, body, handle } = await withLost('capture', { capture: false });
    const recoverInMs = async () => ((await row(company, body)).recoverAfter?.getTime() ?? 0) - Date.now();
    await engine.context.payments.recordInquiry(body.transaction_id, 1, new Date());
    expect(await recoverInMs()).toBeGreaterThan(HOUR_MS);
    await handle.signal(wakeSignal);
    await waitFor(async () => (await handle.describe()).raw.pendingActivities?.length === 0);
    expect(await recoverInMs()).toBeGreaterThan(HOUR_MS);
  });

  it('any number of callbacks causes at most one inquiry in ten seconds', async () => {
    const { body, handle } = await withLost('capture', { capture: false });
    const countInquiries = async () =>
      (await engine.simulator.requests(body.transaction_id)).filter(
        ({ operation }) => operation === 'inquiry',
      ).length;
    const before = await countInquiries();
    const earlier = await countLocalActivities(handle);
    for (let hint = 0; hint < 5; hint += 1) {
      await handle.signal(wakeSignal);
      await waitFor(async () => (await countLocalActivities(handle)) > earlier + hint, { what: 'a poll' });
    }
    expect((await countInquiries()) - before).toBeLessThanOrEqual(1);
  });

  it('a resolution applies only to its own attempt, even if that attempt is resolved otherwise meanwhile', async () => {
    const { company, body, handle } = await withTwoLostRefunds();
    const [first] = (await operationsOf(company, body)).filter(({ operation }) => operation === 'refund');
    if (first === undefined) throw new Error('there is no refund');
    const { id: resolutionId } = await insertResolution(engine, body.transaction_id, 'paid');
    // Another worker records the first refund while the operator decides.
    const update = { kind: 'confirmed', message: 'seen by another worker' } as const;
    await recordOperation(engine.deps, body.transaction_id, first, update, { kind: 'call' });
    const handleOfUpdate = await engine.context.db.inTransaction(async (tx) => {
      await engine.context.payments.lock(tx, body.transaction_id);
      await handle.signal(wakeSignal);
      await waitFor(async () => (await handle.describe()).raw.pendingActivities?.length === 1);
      return handle.startUpdate(resolveUpdate, { args: [{ resolutionId }], waitForStage: 'ACCEPTED' });
    });
    await handleOfUpdate.result();
    const refunds = (await operationsOf(company, body)).filter(({ operation }) => operation === 'refund');
    expect(refunds.map(({ status }) => status)).toEqual(['refunded', 'unknown']);
  });
});
