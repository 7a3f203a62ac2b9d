import { randomUUID } from 'node:crypto';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { createPayments } from '../../../src/composition/api-payments';
import { FIRST_TASK_TIMEOUT_MS } from '../../../src/temporal/first-tasks/payment-first-tasks';
import { newCompany } from '../../support/fixtures/payments';
import { ledgerOf, pay, uniqueAmount, type PayResult } from '../../support/scenarios/pay';
import { requestOperation } from '../../support/scenarios/purchase';
import { expectReplay } from '../../support/scenarios/replay';
import { startEngine, type Engine } from '../../support/stack/engine';
import { waitFor } from '../../support/stack/wait-for';

/** The gateway answers after the first task was prolonged, and before a worker would call its outcome unknown. */
const SLOW_MS = FIRST_TASK_TIMEOUT_MS + 2_000;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    GATEWAY_TIMEOUT: '10',
    ABSENCE_PROVEN_AFTER: '12',
    STUCK_AFTER: '14',
    PAYMENT_SYNC_TIMEOUT: '20',
  });
});
afterAll(() => engine.stop());

/** Resolves when a request of the company has been sent and not answered, with the payment's id. */
const untilSent = ({ id }: AuthenticatedCompany): Promise<{ id: string }> =>
  waitFor(() =>
    engine.context.db.queryOne<{ id: string }>(
      `SELECT p.transaction_id AS id FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
        WHERE p.company_id = $1 AND a.status = 'sent'`,
      [id],
    ),
  );

/** A payment at a gateway that takes long, and its id once the charge is sent. */
async function paySlowly(key = randomUUID()) {
  const company = await newCompany(engine);
  const amount = uniqueAmount();
  await engine.simulator.script({ amount, operation: 'charge' }, { delay_ms: SLOW_MS });
  const paying = pay(engine, company, { amount }, key);
  const { id } = await untilSent(company);
  return { company, amount, key, id, paying };
}

async function expectChargedOnce({ body }: PayResult): Promise<void> {
  expect(body.status).toBe('approved');
  const requests = await engine.simulator.requests(body.transaction_id);
  expect(requests.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
  expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount });
}

describe('a first task that is prolonged', () => {
  it('goes to a worker when a signal arrives, and the payment is charged once and answered', async () => {
    const { id, paying } = await paySlowly();
    const handle = engine.context.temporal.workflow.getHandle(`payment/${id}`);
    await handle.signal('wake');
    await expectChargedOnce(await paying);
    expect(await handle.result()).toEqual({ status: 'approved' });
    await expectReplay(engine, handle);
  });

  it('goes to a worker when an update arrives, and the payment is charged once and answered', async () => {
    const { id, amount, company, key, paying } = await paySlowly();
    const elsewhere = {
      payments: createPayments(engine.config, engine.context, () => undefined),
    };
    const repeated = pay(elsewhere, company, { amount }, key);
    await expectChargedOnce(await paying);
    await expectChargedOnce(await repeated);
    const handle = engine.context.temporal.workflow.getHandle(`payment/${id}`);
    expect(await handle.result()).toEqual({ status: 'approved' });
    await expectReplay(engine, handle);
  });

  it('replays after an update went to a worker with it, although the worker then saw the update with the start', async () => {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company, { amount: uniqueAmount() });
    const handle = engine.context.temporal.workflow.getHandle(`payment/${body.transaction_id}`);
    await handle.result();
    await engine.simulator.script({ amount: body.amount, operation: 'refund' }, { delay_ms: SLOW_MS });
    const elsewhere = createPayments(engine.config, engine.context, () => undefined);
    const key = randomUUID();
    const command = { company, operation: 'refund', id: body.transaction_id, idempotencyKey: key } as const;
    const refund = (by: Pick<Engine['payments'], 'operatePayment'>) =>
      by.operatePayment.execute({ ...command, request: {}, receivedAt: new Date() });
    const refunding = refund(engine.payments);
    await untilSent(company);
    await Promise.all([refunding, refund(elsewhere)]);
    await handle.result();
    const { events } = await handle.fetchHistory();
    expect(events?.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toBe(true);
    await expectReplay(engine, handle);
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount, refunded: body.amount });
  });

  it('is not asked for by its own caller, who is answered by the commit alone', async () => {
    const { id, paying } = await paySlowly();
    await expectChargedOnce(await paying);
    const { events } = await engine.context.temporal.workflow.getHandle(`payment/${id}`).fetchHistory();
    expect(events?.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toBe(false);
    expect(events?.some((event) => event.workflowTaskFailedEventAttributes)).toBe(false);
  });
});

describe('the task of a capture that is prolonged in the process that started the payment', () => {
  /** A capture that takes long, once it is sent. */
  async function captureSlowly() {
    const company = await newCompany(engine);
    const { body } = await pay(engine, company, { amount: uniqueAmount(), capture: false });
    await engine.simulator.script({ amount: body.amount, operation: 'capture' }, { delay_ms: SLOW_MS });
    const capturing = requestOperation(engine, { company, body }, 'capture');
    await untilSent(company);
    return {
      body,
      capturing,
      handle: engine.context.temporal.workflow.getHandle(`payment/${body.transaction_id}`),
    };
  }

  async function expectCapturedOnce({ body, capturing, handle }: Awaited<ReturnType<typeof captureSlowly>>) {
    expect(await capturing).toMatchObject({ status: 200, body: { status: 'approved' } });
    expect(await handle.result()).toEqual({ status: 'approved' });
    const requests = await engine.simulator.requests(body.transaction_id);
    expect(requests.filter(({ operation }) => operation === 'capture')).toHaveLength(1);
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount });
    await expectReplay(engine, handle);
  }

  it('ends there, and the payment is captured once', async () => {
    const capture = await captureSlowly();
    await expectCapturedOnce(capture);
    const { events } = await capture.handle.fetchHistory();
    expect(events?.some((event) => event.workflowTaskFailedEventAttributes)).toBe(false);
  });

  it('goes to a worker when a signal arrives, and the payment is captured once', async () => {
    const capture = await captureSlowly();
    await capture.handle.signal('wake');
    await expectCapturedOnce(capture);
  });
});
