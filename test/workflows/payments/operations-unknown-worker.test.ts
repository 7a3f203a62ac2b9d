import { randomUUID } from 'node:crypto';
import { inquireAttempt } from '../../../activities/payments/inquire-attempt';
import type { Resolution } from '../../../workflows/messages';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { GATEWAY_SLUGS, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { GatewayRegistry } from '../../../src/gateways/registry';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';
import { freePort } from '../../../src/dev/ports';
import { startEngine, type Engine } from '../../support/stack/engine';
import { claimed, interrupted } from '../../support/scenarios/interleaving';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  ask,
  askUntilKnown,
  becomes,
  now,
  operationsOf,
  purchase,
  requestsOf,
  wake,
  type Purchase,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';
import { resolve as sayOf } from '../../support/scenarios/resolve';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ PAYMENT_SYNC_TIMEOUT: '2' });
});
afterAll(() => engine.stop());

const idle = (): Pick<Engine, 'payments'> => ({ payments: engine.idlePayments });

async function sale(gateway: GatewaySlug): Promise<Purchase> {
  return purchase(engine, await newCompany(engine, [gateway]), 'sale');
}

/** A part: the same refund a second time would not be refused for the amount. */
const PART = { amount: 100 };

function operationRow({ body }: Purchase, operation: string) {
  return engine.parts.db.queryOne<{ id: string; status: string; tries: number }>(
    'SELECT id, status, tries FROM gateway_attempts WHERE operation = $2 AND reference LIKE $1',
    [`${body.transaction_id}%`, operation],
  );
}

/** Waits until the operation has been sent again, by another worker, and is at the gateway now. */
async function untilSentAgain(subject: Purchase, operation: string): Promise<void> {
  await waitFor(async () => {
    expect(await operationRow(subject, operation)).toMatchObject({ status: 'sent', tries: 2 });
    return (await requestsOf(engine, subject, operation)).length === 1;
  });
}

// Neither of them answers a repeated key as before: whatever is sent twice is carried out twice.
describe.each(['gateway_2', 'gateway_3'] as const)('a worker that sleeps, at %s', (gateway) => {
  it('between claim and send: another sends, and what the sleeper brings is no word on that', async () => {
    const subject = await sale(gateway);
    const { transaction_id } = subject.body;
    await ask(idle(), subject, 'refund', PART);
    const sleeper = await claimed(engine, subject);
    await engine.simulator.script({ transaction_id, operation: 'refund' }, { delay_ms: 600 });
    await wake(engine, subject);
    await untilSentAgain(subject, 'refund');
    await sleeper.record(await sleeper.send(new Date(Date.now() - 1)));
    await becomes(engine, subject, { refunded_amount: PART.amount });
    expect(operationsOf(await now(engine, subject), 'refund')).toEqual([['refunded', PART.amount]]);
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('between claim and send, and wakes up in time: nobody has sent in its stead', async () => {
    const subject = await sale(gateway);
    await ask(idle(), subject, 'refund', PART);
    const sleeper = await claimed(engine, subject);
    await wake(engine, subject);
    // "Not found" is true by then, and proves nothing yet.
    await waitFor(async () => (await requestsOf(engine, subject, 'inquiry')).length >= 2);
    await sleeper.record(await sleeper.send());
    await becomes(engine, subject, { refunded_amount: PART.amount });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('between answer and record: others have found it out, and nothing changes any more', async () => {
    const subject = await sale(gateway);
    await ask(idle(), subject, 'refund', PART);
    const sleeper = await claimed(engine, subject);
    const answer = await sleeper.send();
    await wake(engine, subject);
    const known = await becomes(engine, subject, { refunded_amount: PART.amount });
    await sleeper.record(answer);
    await sleeper.record({
      kind: 'error',
      family: 'ambiguous',
      code: null,
      message: 'late',
      requestMs: 1,
    });
    expect(await now(engine, subject)).toEqual(known);
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('between the proof of absence and its commit: what was sent again since is not taken for absent', async () => {
    const subject = await sale(gateway);
    const { transaction_id } = subject.body;
    await ask(idle(), subject, 'refund', PART);
    await claimed(engine, subject);
    await engine.simulator.script({ transaction_id, operation: 'refund' }, { delay_ms: 600 });
    const { id } = await waitFor(() => operationRow(subject, 'refund'));
    await engine.parts.db.query(
      `UPDATE gateway_attempts SET not_found_count = 9, claimed_at = now() - interval '1 minute' WHERE id = $1`,
      [id],
    );
    const asleep = interrupted(engine.deps, async () => {
      await wake(engine, subject);
      await untilSentAgain(subject, 'refund');
    });
    await inquireAttempt(asleep, transaction_id, id);
    await becomes(engine, subject, { refunded_amount: PART.amount });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });
});

describe('a gateway that is not reached', () => {
  it('has refused: nothing left, and the payment is as it was', async () => {
    const subject = await sale('gateway_2');
    const key = randomUUID();
    await ask(idle(), subject, 'refund', { ...PART, key });
    const drivers = new Map(GATEWAY_SLUGS.map((slug) => [slug, new SimulatorDriver()]));
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const baseUrls = new Map(GATEWAY_SLUGS.map((slug) => [slug, nowhere]));
    const registry = new GatewayRegistry({ ...engine.config.gateways, drivers, baseUrls });
    const worker = await claimed(engine, subject, { ...engine.deps, registry });
    const answer = await worker.send();
    expect(answer).toMatchObject({ kind: 'error', family: 'not_sent' });
    await worker.record(answer);
    expect(await ask(engine, subject, 'refund', { ...PART, key })).toMatchObject({
      status: 422,
      code: 'gateway_refused',
      replayed: true,
    });
    expect(await now(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: 0 });
    expect(await ask(engine, subject, 'refund', PART)).toMatchObject({ status: 200 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });
});

describe('workers that are too slow to send', () => {
  async function tooSlow(subject: Purchase, times: number): Promise<void> {
    for (let time = 1; time <= times; time += 1) {
      const worker = await claimed(engine, subject);
      const late = await worker.send(new Date(Date.now() - 1));
      expect(late).toMatchObject({ kind: 'error', family: 'not_sent', code: NOT_SENT_LOCALLY });
      await worker.record(late);
    }
  }

  it('are no refusal of the gateway’s: the refund is sent by the one that is in time', async () => {
    const subject = await sale('gateway_2');
    const key = randomUUID();
    await ask(idle(), subject, 'refund', { ...PART, key });
    await tooSlow(subject, 9);
    expect(await requestsOf(engine, subject, 'refund')).toEqual([]);
    expect(await askUntilKnown(engine, subject, 'refund', { ...PART, key })).toMatchObject({ status: 200 });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('do not try for ever: in the end it is refused, and nothing was sent', async () => {
    const subject = await sale('gateway_2');
    const key = randomUUID();
    await ask(idle(), subject, 'refund', { ...PART, key });
    await tooSlow(subject, 10);
    expect(await ask(engine, subject, 'refund', { ...PART, key })).toMatchObject({
      status: 422,
      code: 'gateway_refused',
      replayed: true,
    });
    expect(await requestsOf(engine, subject, 'refund')).toEqual([]);
  });
});

async function replaceAccount({ id }: AuthenticatedCompany, fingerprint: string): Promise<void> {
  await engine.parts.db.query(
    'UPDATE gateway_credentials SET account_fingerprint = $2 WHERE company_id = $1',
    [id, fingerprint],
  );
}

describe('credentials of another account', () => {
  it('do not act on what the old account charged: refused, and nothing is sent', async () => {
    const subject = await sale('gateway_1');
    await replaceAccount(subject.company, 'another');
    expect(await ask(engine, subject, 'refund', PART)).toMatchObject({
      status: 422,
      code: 'gateway_refused',
    });
    expect(await requestsOf(engine, subject, 'refund')).toEqual([]);
    expect(await now(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: 0 });
  });
});

/** A refund that was sent, and about which nobody can be asked: its account's credentials were replaced meanwhile. */
async function escalated(behavior: object): Promise<{ subject: Purchase; key: string; oldAccount: string }> {
  const subject = await sale('gateway_2');
  const { transaction_id } = subject.body;
  const oldAccount = `sk_test_${subject.company.clientId}`;
  const key = randomUUID();
  await engine.simulator.script({ transaction_id, operation: 'refund' }, behavior);
  const refund = ask(engine, subject, 'refund', { ...PART, key });
  await waitFor(async () => (await requestsOf(engine, subject, 'refund')).length === 1);
  await replaceAccount(subject.company, 'another');
  expect(await refund).toMatchObject({ status: 202 });
  await waitFor(() => isOnDesk(subject), { what: 'the payment to wait for a person' });
  expect(operationsOf(await now(engine, subject), 'refund')).toEqual([['unknown', PART.amount]]);
  return { subject, key, oldAccount };
}

async function isOnDesk({ company, body }: Purchase): Promise<boolean> {
  return (await engine.parts.payments.find(company.id, body.transaction_id))?.stuckAt !== null;
}

function resolve({ body }: Purchase, outcome: Resolution['outcome']) {
  return sayOf(engine, body.transaction_id, outcome);
}

describe('an operation on the desk', () => {
  it('keeps what it may have taken reserved', async () => {
    const { subject } = await escalated({ hang: 'after' });
    const rest = subject.body.amount - PART.amount;
    expect(await ask(engine, subject, 'refund', { amount: rest + 1 })).toMatchObject({ status: 422 });
    await resolve(subject, 'paid');
  });

  it('was carried out, by the word of a person who saw it', async () => {
    const { subject, key } = await escalated({ hang: 'after' });
    await resolve(subject, 'paid');
    expect(await ask(engine, subject, 'refund', { ...PART, key })).toMatchObject({
      status: 200,
      replayed: true,
      body: { refunded_amount: PART.amount },
    });
    expect(await isOnDesk(subject)).toBe(false);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('is sent again, by the word of a person who saw that it never arrived', async () => {
    const { subject, key, oldAccount } = await escalated({ hang: 'before' });
    await replaceAccount(subject.company, oldAccount);
    await resolve(subject, 'absent');
    const answer = await askUntilKnown(engine, subject, 'refund', { ...PART, key });
    expect(answer).toMatchObject({ status: 200, body: { refunded_amount: PART.amount } });
    expect(await isOnDesk(subject)).toBe(false);
    const keys = (await requestsOf(engine, subject, 'refund')).map((request) => request.idempotency_key);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: PART.amount });
  });

  it('is asked about again on a person’s retry, and found', async () => {
    const { subject, key, oldAccount } = await escalated({ hang: 'after' });
    await replaceAccount(subject.company, oldAccount);
    await resolve(subject, 'retry');
    const answer = await askUntilKnown(engine, subject, 'refund', { ...PART, key });
    expect(answer).toMatchObject({ status: 200, body: { refunded_amount: PART.amount } });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
  });
});
