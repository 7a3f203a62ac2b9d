import { randomUUID } from 'node:crypto';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { startEngine, type Engine } from '../../support/stack/engine';
import { runConcurrently, claimNext } from '../../support/scenarios/interleaving';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  requestOperation,
  requestUntilSettled,
  waitForPayment,
  deleteWorkflow,
  reloadPurchase,
  operationsOf,
  purchase,
  requestsOf,
  signalWorkflow,
  type Purchase,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';

let engine: Engine;
let company: AuthenticatedCompany;
beforeAll(async () => {
  engine = await startEngine({ DATABASE_POOL: '30' });
  company = await newCompany(engine);
});
afterAll(() => engine.stop());

const statuses = (answers: ReadonlyArray<{ status: number }>): number[] =>
  answers.map(({ status }) => status).sort();

/** Requests an operation at a slow gateway, and returns once it has arrived there. */
async function requestSlowly(subject: Purchase, operation: 'capture' | 'cancel' | 'refund', amount?: number) {
  const { transaction_id } = subject.body;
  await engine.simulator.script({ operation, transaction_id }, { delay_ms: 600 });
  const answer = requestOperation(engine, subject, operation, amount === undefined ? {} : { amount });
  await waitFor(async () => (await requestsOf(engine, subject, operation)).length === 1);
  return answer;
}

describe('a capture against a cancel', () => {
  it('concurrent requests: one succeeds and the other is rejected by state', async () => {
    for (let round = 0; round < 3; round += 1) {
      const subject = await purchase(engine, company, 'authorization');
      const answers = await runConcurrently(engine, subject, [
        () => requestOperation(engine, subject, 'capture'),
        () => requestOperation(engine, subject, 'cancel'),
      ]);
      expect(statuses(answers)).toEqual([200, 409]);
      const { captured, held, canceled } = await ledgerOf(engine, subject.body);
      const { amount } = subject.body;
      expect({ captured: captured + canceled, held }).toEqual({ captured: amount, held: 0 });
      const status = captured === amount ? 'approved' : 'canceled';
      expect(await reloadPurchase(engine, subject)).toMatchObject({ status, captured_amount: captured });
    }
  });

  it.each(['capture', 'cancel'] as const)('the other is rejected while a %s is in flight', async (first) => {
    const subject = await purchase(engine, company, 'authorization');
    const answer = requestSlowly(subject, first);
    await waitFor(async () => (await requestsOf(engine, subject, first)).length === 1);
    const second = await requestOperation(engine, subject, first === 'capture' ? 'cancel' : 'capture');
    expect(second).toMatchObject({ status: 409, code: 'invalid_state' });
    expect(await answer).toMatchObject({ status: 200 });
    expect(await reloadPurchase(engine, subject)).toMatchObject({
      status: first === 'capture' ? 'approved' : 'canceled',
    });
    await ledgerOf(engine, subject.body);
  });

  it('a cancel is rejected while a capture is requested and not sent', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await requestOperation({ payments: engine.idlePayments }, subject, 'capture');
    expect(await requestOperation(engine, subject, 'cancel')).toMatchObject({ status: 409 });
    await signalWorkflow(engine, subject);
    await waitForPayment(engine, subject, { status: 'approved' });
  });

  it('a cancel is allowed after the gateway declined the capture', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const { transaction_id } = subject.body;
    await engine.simulator.script({ operation: 'capture', transaction_id }, { decline: '91' });
    expect(await requestOperation(engine, subject, 'capture')).toMatchObject({
      status: 422,
      code: 'gateway_refused',
    });
    expect(await requestOperation(engine, subject, 'cancel')).toMatchObject({ status: 200 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: 0, held: 0 });
  });
});

describe('two captures', () => {
  it('concurrent requests: one succeeds', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const amount = subject.body.amount - 1;
    const answers = await runConcurrently(engine, subject, [
      () => requestOperation(engine, subject, 'capture', { amount }),
      () => requestOperation(engine, subject, 'capture', { amount }),
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount, held: 0 });
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
  });

  it('a unique index prevents a second capture or cancel', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await requestOperation({ payments: engine.idlePayments }, subject, 'capture');
    const insertAgain = engine.context.db.query(
      `INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, purpose, gateway_slug,
         reference, status, amount_cents, target_attempt_id, created_at, updated_at)
       SELECT gen_random_uuid(), payment_id, company_id, attempt, 'cancel', purpose, gateway_slug,
         reference || '-again', 'requested', amount_cents, target_attempt_id, now(), now()
       FROM gateway_attempts WHERE operation = 'capture' AND reference LIKE $1`,
      [`${subject.body.transaction_id}%`],
    );
    await expect(insertAgain).rejects.toMatchObject({
      parent: { constraint: 'gateway_attempts_one_capture_or_cancel' },
    });
  });
});

describe('two partial refunds that together exceed the amount', () => {
  const partOf = ({ body }: Purchase): number => Math.ceil(body.amount * 0.6);

  it('concurrent requests: one succeeds and the other exceeds the amount', async () => {
    const subject = await purchase(engine, company, 'sale');
    const amount = partOf(subject);
    const answers = await runConcurrently(engine, subject, [
      () => requestOperation(engine, subject, 'refund', { amount }),
      () => requestOperation(engine, subject, 'refund', { amount }),
    ]);
    expect(statuses(answers)).toEqual([200, 422]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: amount });
    expect(await reloadPurchase(engine, subject)).toMatchObject({
      status: 'approved',
      refunded_amount: amount,
    });
  });

  it('the amount of a refund in flight is reserved', async () => {
    const subject = await purchase(engine, company, 'sale');
    const amount = partOf(subject);
    const first = requestSlowly(subject, 'refund', amount);
    await waitFor(async () => (await requestsOf(engine, subject, 'refund')).length === 1);
    expect(await requestOperation(engine, subject, 'refund', { amount })).toMatchObject({
      status: 422,
      code: 'validation_error',
    });
    const remaining = await requestOperation(engine, subject, 'refund');
    expect(remaining).toMatchObject({ status: 200 });
    expect(await first).toMatchObject({ status: 200 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: subject.body.amount });
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'refunded' });
  });

  it('many concurrent refunds never exceed the captured amount', async () => {
    const subject = await purchase(engine, company, 'sale');
    const amount = Math.floor(subject.body.amount / 3);
    const answers = await runConcurrently(
      engine,
      subject,
      Array.from({ length: 7 }, () => () => requestOperation(engine, subject, 'refund', { amount })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: 3 * amount });
    expect((await reloadPurchase(engine, subject)).refunded_amount).toBe(3 * amount);
  });
});

describe('the idempotency key of a capture', () => {
  it('a repeated request returns the same answer and captures once', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const key = randomUUID();
    const first = await requestOperation(engine, subject, 'capture', { key });
    expect(first).toMatchObject({ status: 200, replayed: false });
    expect(await requestOperation(engine, subject, 'capture', { key })).toEqual({ ...first, replayed: true });
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
  });

  it('20 concurrent requests return one answer and capture once', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const { transaction_id, amount } = subject.body;
    await engine.simulator.script({ operation: 'capture', transaction_id }, { delay_ms: 300 });
    const key = randomUUID();
    const answers = await runConcurrently(
      engine,
      subject,
      Array.from({ length: 20 }, () => () => requestOperation(engine, subject, 'capture', { key })),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const bodies = new Set(answers.map(({ body }) => JSON.stringify(body)));
    expect(bodies.size).toBe(1);
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount });
    expect(operationsOf(await reloadPurchase(engine, subject), 'capture')).toEqual([['approved', amount]]);
  });

  it('a repeated request returns the same answer after Temporal deleted the workflow, and nothing is sent', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const key = randomUUID();
    const first = await requestOperation(engine, subject, 'capture', { key });
    await deleteWorkflow(engine, subject);
    expect(await requestOperation(engine, subject, 'capture', { key })).toEqual({ ...first, replayed: true });
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
  });

  it('a repeated request captures once after Temporal deleted the run that sent the capture', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const key = randomUUID();
    await requestOperation({ payments: engine.idlePayments }, subject, 'capture', { key });
    const worker = await claimNext(engine, subject);
    const answer = await worker.send();
    await deleteWorkflow(engine, subject);
    const again = await requestUntilSettled(engine, subject, 'capture', { key });
    expect(again).toMatchObject({ status: 200 });
    await worker.record(answer);
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });

  it('a request for another amount with the same key is rejected', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const key = randomUUID();
    await requestOperation(engine, subject, 'capture', { key });
    expect(await requestOperation(engine, subject, 'capture', { key, amount: 1 })).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
  });
});
