import { randomUUID } from 'node:crypto';
import { inquireAttempt } from '../../../activities/payments/inquire-attempt';
import type { ResolutionOutcome } from '../../../src/domain/payments/manual-resolution';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { GATEWAY_SLUGS, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { GatewayRegistry } from '../../../src/gateways/registry';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';
import { freePort } from '../../../src/dev/ports';
import { startEngine, type Engine } from '../../support/stack/engine';
import { claimNext, withInterruption } from '../../support/scenarios/interleaving';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  requestOperation,
  requestUntilSettled,
  waitForPayment,
  reloadPurchase,
  operationsOf,
  purchase,
  requestsOf,
  signalWorkflow,
  type Purchase,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';
import { resolve as sendResolution } from '../../support/scenarios/resolve';
import { sameGateways } from '../../support/same-gateways';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ PAYMENT_SYNC_TIMEOUT: '2' });
});
afterAll(() => engine.stop());

const idle = (): Pick<Engine, 'payments'> => ({ payments: engine.idlePayments });

async function sale(gateway: GatewaySlug): Promise<Purchase> {
  return purchase(engine, await newCompany(engine, [gateway]), 'sale');
}

/** A partial refund: a second one would be within the amount, so only the service prevents it. */
const PART = { amount: 100 };

function operationRow({ body }: Purchase, operation: string) {
  return engine.context.db.queryOne<{ id: string; status: string; sendCount: number }>(
    'SELECT id, status, send_count AS "sendCount" FROM gateway_attempts WHERE operation = $2 AND reference LIKE $1',
    [`${body.transaction_id}%`, operation],
  );
}

/** Waits until another worker has sent the operation again and it has arrived at the gateway. */
async function untilSentAgain(subject: Purchase, operation: string): Promise<void> {
  await waitFor(async () => {
    expect(await operationRow(subject, operation)).toMatchObject({ status: 'sent', sendCount: 2 });
    return (await requestsOf(engine, subject, operation)).length === 1;
  });
}

// Neither gateway replays idempotency keys: a request that is sent twice has two effects.
describe.each(['gateway_2', 'gateway_3'] as const)('a worker that pauses at %s', (gateway) => {
  it('a pause between claim and send: another worker sends, and the late result of the first is ignored', async () => {
    const subject = await sale(gateway);
    const { transaction_id } = subject.body;
    await requestOperation(idle(), subject, 'refund', PART);
    const paused = await claimNext(engine, subject);
    await engine.simulator.script({ transaction_id, operation: 'refund' }, { delay_ms: 600 });
    await signalWorkflow(engine, subject);
    await untilSentAgain(subject, 'refund');
    await paused.record(await paused.send(new Date(Date.now() - 1)));
    await waitForPayment(engine, subject, { refunded_amount: PART.amount });
    expect(operationsOf(await reloadPurchase(engine, subject), 'refund')).toEqual([
      ['refunded', PART.amount],
    ]);
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('a short pause between claim and send: no other worker has sent', async () => {
    const subject = await sale(gateway);
    await requestOperation(idle(), subject, 'refund', PART);
    const paused = await claimNext(engine, subject);
    await signalWorkflow(engine, subject);
    // "Not found" does not prove absence yet.
    await waitFor(async () => (await requestsOf(engine, subject, 'inquiry')).length >= 2);
    await paused.record(await paused.send());
    await waitForPayment(engine, subject, { refunded_amount: PART.amount });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('a pause between answer and record: an inquiry has found the result, and the late one changes nothing', async () => {
    const subject = await sale(gateway);
    await requestOperation(idle(), subject, 'refund', PART);
    const paused = await claimNext(engine, subject);
    const answer = await paused.send();
    await signalWorkflow(engine, subject);
    const known = await waitForPayment(engine, subject, { refunded_amount: PART.amount });
    await paused.record(answer);
    await paused.record({
      kind: 'error',
      family: 'ambiguous',
      code: null,
      message: 'late',
      requestMs: 1,
    });
    expect(await reloadPurchase(engine, subject)).toEqual(known);
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('a pause between proof of absence and commit: an operation that was sent again is not recorded as absent', async () => {
    const subject = await sale(gateway);
    const { transaction_id } = subject.body;
    await requestOperation(idle(), subject, 'refund', PART);
    await claimNext(engine, subject);
    await engine.simulator.script({ transaction_id, operation: 'refund' }, { delay_ms: 600 });
    const { id } = await waitFor(() => operationRow(subject, 'refund'));
    await engine.context.db.query(
      `UPDATE gateway_attempts SET not_found_count = 9, claimed_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    const interrupted = withInterruption(engine.deps, async () => {
      await signalWorkflow(engine, subject);
      await untilSentAgain(subject, 'refund');
    });
    await inquireAttempt(interrupted, transaction_id, id);
    await waitForPayment(engine, subject, { refunded_amount: PART.amount });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });
});

describe('an unreachable gateway', () => {
  it('the refund fails without being sent, and the payment is unchanged', async () => {
    const subject = await sale('gateway_2');
    const key = randomUUID();
    await requestOperation(idle(), subject, 'refund', { ...PART, key });
    const drivers = new Map(GATEWAY_SLUGS.map((slug) => [slug, new SimulatorDriver()]));
    const unreachable = { api: `http://127.0.0.1:${await freePort()}` };
    const endpoints = new Map(GATEWAY_SLUGS.map((slug) => [slug, unreachable]));
    const registry = new GatewayRegistry({ ...engine.config.gateways, drivers, endpoints });
    const worker = await claimNext(engine, subject, { ...engine.deps, registries: sameGateways(registry) });
    const answer = await worker.send();
    expect(answer).toMatchObject({ kind: 'error', family: 'not_sent' });
    await worker.record(answer);
    expect(await requestOperation(engine, subject, 'refund', { ...PART, key })).toMatchObject({
      status: 422,
      code: 'gateway_refused',
      replayed: true,
    });
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: 0 });
    expect(await requestOperation(engine, subject, 'refund', PART)).toMatchObject({ status: 200 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });
});

describe('workers that miss the send window', () => {
  async function missSendWindow(subject: Purchase, times: number): Promise<void> {
    for (let time = 1; time <= times; time += 1) {
      const worker = await claimNext(engine, subject);
      const late = await worker.send(new Date(Date.now() - 1));
      expect(late).toMatchObject({ kind: 'error', family: 'not_sent', code: NOT_SENT_LOCALLY });
      await worker.record(late);
    }
  }

  it('nine missed send windows do not fail the refund, and the next worker sends it', async () => {
    const subject = await sale('gateway_2');
    const key = randomUUID();
    await requestOperation(idle(), subject, 'refund', { ...PART, key });
    await missSendWindow(subject, 9);
    expect(await requestsOf(engine, subject, 'refund')).toEqual([]);
    expect(await requestUntilSettled(engine, subject, 'refund', { ...PART, key })).toMatchObject({
      status: 200,
    });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('ten missed send windows fail the refund, and nothing was sent', async () => {
    const subject = await sale('gateway_2');
    const key = randomUUID();
    await requestOperation(idle(), subject, 'refund', { ...PART, key });
    await missSendWindow(subject, 10);
    expect(await requestOperation(engine, subject, 'refund', { ...PART, key })).toMatchObject({
      status: 422,
      code: 'gateway_refused',
      replayed: true,
    });
    expect(await requestsOf(engine, subject, 'refund')).toEqual([]);
  });
});

/** Makes the gateway reject the secret that the company's charges were made with, or accept it again. */
async function setRevoked({ clientId }: AuthenticatedCompany, revoked: boolean): Promise<void> {
  await engine.simulator.setUpAccount(`sk_test_${clientId}`, { revoked });
}

/** A stuck refund: the secret of its account was revoked after it was sent, so no inquiry is possible. */
async function escalated(behavior: object): Promise<{ subject: Purchase; key: string }> {
  const subject = await sale('gateway_2');
  const { transaction_id } = subject.body;
  const key = randomUUID();
  await engine.simulator.script({ transaction_id, operation: 'refund' }, behavior);
  const refund = requestOperation(engine, subject, 'refund', { ...PART, key });
  await waitFor(async () => (await requestsOf(engine, subject, 'refund')).length === 1);
  await setRevoked(subject.company, true);
  expect(await refund).toMatchObject({ status: 202 });
  await waitFor(() => isStuck(subject), { what: 'the payment to be stuck' });
  expect(operationsOf(await reloadPurchase(engine, subject), 'refund')).toEqual([['unknown', PART.amount]]);
  return { subject, key };
}

async function isStuck({ company, body }: Purchase): Promise<boolean> {
  return (await engine.context.payments.find(company.id, body.transaction_id))?.stuckAt !== null;
}

function resolve({ body }: Purchase, outcome: ResolutionOutcome) {
  return sendResolution(engine, body.transaction_id, outcome);
}

describe('a stuck operation', () => {
  it('its amount stays reserved', async () => {
    const { subject } = await escalated({ hang: 'after' });
    const remaining = subject.body.amount - PART.amount;
    expect(await requestOperation(engine, subject, 'refund', { amount: remaining + 1 })).toMatchObject({
      status: 422,
    });
    await resolve(subject, 'paid');
  });

  it('an operator can resolve it as paid', async () => {
    const { subject, key } = await escalated({ hang: 'after' });
    await resolve(subject, 'paid');
    expect(await requestOperation(engine, subject, 'refund', { ...PART, key })).toMatchObject({
      status: 200,
      replayed: true,
      body: { refunded_amount: PART.amount },
    });
    expect(await isStuck(subject)).toBe(false);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('an operator can resolve it as absent, and it is sent again with the same key', async () => {
    const { subject, key } = await escalated({ hang: 'before' });
    await setRevoked(subject.company, false);
    await resolve(subject, 'absent');
    const answer = await requestUntilSettled(engine, subject, 'refund', { ...PART, key });
    expect(answer).toMatchObject({ status: 200, body: { refunded_amount: PART.amount } });
    expect(await isStuck(subject)).toBe(false);
    const keys = (await requestsOf(engine, subject, 'refund')).map((request) => request.idempotency_key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('an operator can restart inquiries, and its result is found', async () => {
    const { subject, key } = await escalated({ hang: 'after' });
    await setRevoked(subject.company, false);
    await resolve(subject, 'retry');
    const answer = await requestUntilSettled(engine, subject, 'refund', { ...PART, key });
    expect(answer).toMatchObject({ status: 200, body: { refunded_amount: PART.amount } });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
  });
});
