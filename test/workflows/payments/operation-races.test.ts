import { randomUUID } from 'node:crypto';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { startEngine, type Engine } from '../../support/stack/engine';
import { allAtOnce, claimed } from '../../support/scenarios/interleaving';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  ask,
  askUntilKnown,
  becomes,
  forgetWorkflow,
  now,
  operationsOf,
  purchase,
  requestsOf,
  wake,
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

/** The gateway takes its time over this operation, and the caller's request is under way once it has come there. */
async function underWay(subject: Purchase, operation: 'capture' | 'cancel' | 'refund', amount?: number) {
  const { transaction_id } = subject.body;
  await engine.simulator.script({ operation, transaction_id }, { delay_ms: 600 });
  const answer = ask(engine, subject, operation, amount === undefined ? {} : { amount });
  await waitFor(async () => (await requestsOf(engine, subject, operation)).length === 1);
  return answer;
}

describe('a capture against a cancel', () => {
  it('asked for at once: one of them is carried out, and the other is refused for the state', async () => {
    for (let round = 0; round < 3; round += 1) {
      const subject = await purchase(engine, company, 'authorization');
      const answers = await allAtOnce(engine, subject, [
        () => ask(engine, subject, 'capture'),
        () => ask(engine, subject, 'cancel'),
      ]);
      expect(statuses(answers)).toEqual([200, 409]);
      const { captured, held, canceled } = await ledgerOf(engine, subject.body);
      const { amount } = subject.body;
      expect({ captured: captured + canceled, held }).toEqual({ captured: amount, held: 0 });
      const status = captured === amount ? 'approved' : 'canceled';
      expect(await now(engine, subject)).toMatchObject({ status, captured_amount: captured });
    }
  });

  it.each(['capture', 'cancel'] as const)('that comes while a %s is in flight is refused', async (first) => {
    const subject = await purchase(engine, company, 'authorization');
    const answer = underWay(subject, first);
    await waitFor(async () => (await requestsOf(engine, subject, first)).length === 1);
    const second = await ask(engine, subject, first === 'capture' ? 'cancel' : 'capture');
    expect(second).toMatchObject({ status: 409, code: 'invalid_state' });
    expect(await answer).toMatchObject({ status: 200 });
    expect(await now(engine, subject)).toMatchObject({
      status: first === 'capture' ? 'approved' : 'canceled',
    });
    await ledgerOf(engine, subject.body);
  });

  it('that was asked for and not yet sent is refused too', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await ask({ payments: engine.idlePayments }, subject, 'capture');
    expect(await ask(engine, subject, 'cancel')).toMatchObject({ status: 409 });
    await wake(engine, subject);
    await becomes(engine, subject, { status: 'approved' });
  });

  it('is free again once the gateway has refused the first', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const { transaction_id } = subject.body;
    await engine.simulator.script({ operation: 'capture', transaction_id }, { decline: '91' });
    expect(await ask(engine, subject, 'capture')).toMatchObject({ status: 422, code: 'gateway_refused' });
    expect(await ask(engine, subject, 'cancel')).toMatchObject({ status: 200 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: 0, held: 0 });
  });
});

describe('two captures', () => {
  it('asked for at once: one is carried out', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const amount = subject.body.amount - 1;
    const answers = await allAtOnce(engine, subject, [
      () => ask(engine, subject, 'capture', { amount }),
      () => ask(engine, subject, 'capture', { amount }),
    ]);
    expect(statuses(answers)).toEqual([200, 409]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount, held: 0 });
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
  });

  it('of which Postgres would see only one: the other cannot be inserted', async () => {
    const subject = await purchase(engine, company, 'authorization');
    await ask({ payments: engine.idlePayments }, subject, 'capture');
    const insertAgain = engine.parts.db.query(
      `INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, purpose, gateway_slug,
         account_fingerprint, reference, status, amount_cents, target_attempt_id, created_at, updated_at)
       SELECT gen_random_uuid(), payment_id, company_id, attempt, 'cancel', purpose, gateway_slug,
         account_fingerprint, reference || '-again', 'requested', amount_cents, target_attempt_id, now(), now()
       FROM gateway_attempts WHERE operation = 'capture' AND reference LIKE $1`,
      [`${subject.body.transaction_id}%`],
    );
    await expect(insertAgain).rejects.toMatchObject({
      parent: { constraint: 'gateway_attempts_one_capture_or_cancel' },
    });
  });
});

describe('two refunds in part that together exceed the amount', () => {
  const part = ({ body }: Purchase): number => Math.ceil(body.amount * 0.6);

  it('asked for at once: one is carried out, and the other is too much', async () => {
    const subject = await purchase(engine, company, 'sale');
    const amount = part(subject);
    const answers = await allAtOnce(engine, subject, [
      () => ask(engine, subject, 'refund', { amount }),
      () => ask(engine, subject, 'refund', { amount }),
    ]);
    expect(statuses(answers)).toEqual([200, 422]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: amount });
    expect(await now(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: amount });
  });

  it('the second while the first is in flight: what the first may take is reserved', async () => {
    const subject = await purchase(engine, company, 'sale');
    const amount = part(subject);
    const first = underWay(subject, 'refund', amount);
    await waitFor(async () => (await requestsOf(engine, subject, 'refund')).length === 1);
    expect(await ask(engine, subject, 'refund', { amount })).toMatchObject({
      status: 422,
      code: 'validation_error',
    });
    const rest = await ask(engine, subject, 'refund');
    expect(rest).toMatchObject({ status: 200 });
    expect(await first).toMatchObject({ status: 200 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: subject.body.amount });
    expect(await now(engine, subject)).toMatchObject({ status: 'refunded' });
  });

  it('many at once never give back more than was taken', async () => {
    const subject = await purchase(engine, company, 'sale');
    const amount = Math.floor(subject.body.amount / 3);
    const answers = await allAtOnce(
      engine,
      subject,
      Array.from({ length: 7 }, () => () => ask(engine, subject, 'refund', { amount })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: 3 * amount });
    expect((await now(engine, subject)).refunded_amount).toBe(3 * amount);
  });
});

describe('one key used for a capture twice', () => {
  it('one after the other gets the same answer, and captures once', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const key = randomUUID();
    const first = await ask(engine, subject, 'capture', { key });
    expect(first).toMatchObject({ status: 200, replayed: false });
    expect(await ask(engine, subject, 'capture', { key })).toEqual({ ...first, replayed: true });
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
  });

  it('twenty times at once gets one answer, and captures once', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const { transaction_id, amount } = subject.body;
    await engine.simulator.script({ operation: 'capture', transaction_id }, { delay_ms: 300 });
    const key = randomUUID();
    const answers = await allAtOnce(
      engine,
      subject,
      Array.from({ length: 20 }, () => () => ask(engine, subject, 'capture', { key })),
    );
    expect(new Set(statuses(answers))).toEqual(new Set([200]));
    const bodies = new Set(answers.map(({ body }) => JSON.stringify(body)));
    expect(bodies.size).toBe(1);
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount });
    expect(operationsOf(await now(engine, subject), 'capture')).toEqual([['approved', amount]]);
  });

  it('again after Temporal has forgotten the payment gets the same answer, and nothing is sent', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const key = randomUUID();
    const first = await ask(engine, subject, 'capture', { key });
    await forgetWorkflow(engine, subject);
    expect(await ask(engine, subject, 'capture', { key })).toEqual({ ...first, replayed: true });
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
  });

  it('again after Temporal has lost the run that was to carry it out: it is carried out once', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const key = randomUUID();
    await ask({ payments: engine.idlePayments }, subject, 'capture', { key });
    const worker = await claimed(engine, subject);
    const answer = await worker.send();
    await forgetWorkflow(engine, subject);
    const again = await askUntilKnown(engine, subject, 'capture', { key });
    expect(again).toMatchObject({ status: 200 });
    await worker.record(answer);
    expect(await requestsOf(engine, subject, 'capture')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });

  it('for another amount is refused, whatever became of the first', async () => {
    const subject = await purchase(engine, company, 'authorization');
    const key = randomUUID();
    await ask(engine, subject, 'capture', { key });
    expect(await ask(engine, subject, 'capture', { key, amount: 1 })).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
  });
});
