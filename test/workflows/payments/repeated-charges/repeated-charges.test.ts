import { inquireAttempt } from '../../../../activities/payments/inquire-attempt';
import type { GatewayAnswer } from '../../../../activities/payments/call-gateway';
import { CHARGE_WINDOW_MS } from '../../../../src/domain/payments/payment';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import type { Behavior } from '../../../../src/simulator/scripts';
import { newAttemptId } from '../../../../src/domain/shared/ids';
import { newCompany } from '../../../support/fixtures/payments';
import { REFUSALS } from '../../../support/fixtures/refusals';
import { claimNext, type SteppedWorker } from '../../../support/scenarios/interleaving';
import { ledgerOf } from '../../../support/scenarios/pay';
import {
  claimed,
  expectChargedOnce,
  isAnythingToSend,
  repeat,
  REPLAYING_GATEWAY,
  script,
  untilChargesReceived,
} from '../../../support/scenarios/replaying-gateway';
import {
  idlePurchase,
  operationsOf,
  reloadPurchase,
  requestOperation,
  requestsOf,
  type Purchase,
} from '../../../support/scenarios/purchase';
import { startEngine, type Engine } from '../../../support/stack/engine';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine(REPLAYING_GATEWAY, { workers: 'none' });
});
afterAll(() => engine.stop());

describe('a charge that another worker has repeated', () => {
  const refusals: ReadonlyArray<[string, Behavior | null]> = [
    ['sent nothing, because it was too slow', null],
    ['holds the gateway refusal 429', { status: 429 }],
    ['holds the gateway refusal 401', { status: 401 }],
    ['holds the gateway refusal 422', { status: 422 }],
  ];

  it.each(refusals)(
    'is not ended by its first sender, which %s: the repetition is approved and no other gateway charges',
    async (_title, refusal) => {
      const { subject, first } = await claimed(engine);
      const held = await holdAnswer(subject, first, refusal);
      await script(engine, subject, { delay_ms: 400 });
      const repetition = repeat(engine, subject, first);
      await untilChargesReceived(engine, subject, refusal === null ? 1 : 2);
      await first.record(held);
      expect(await isAnythingToSend(engine, subject)).toBe(false);
      await repetition;
      await expectChargedOnce(engine, subject);
    },
  );

  it('is asked about again when the answer to the repetition was lost and its first sender holds a refusal', async () => {
    const { subject, first } = await claimed(engine);
    const held = await holdAnswer(subject, first, { status: 429 });
    await script(engine, subject, { drop: 'after' });
    await repeat(engine, subject, first);
    await first.record(held);
    expect(await isAnythingToSend(engine, subject)).toBe(false);
    await repeat(engine, subject, first);
    await expectChargedOnce(engine, subject);
  });

  it('is recorded as approved by its first sender when that one holds an approval', async () => {
    const { subject, first } = await claimed(engine);
    const held = await first.send();
    await script(engine, subject, { status: 429 });
    await repeat(engine, subject, first);
    await first.record(held);
    await expectChargedOnce(engine, subject);
  });

  it('keeps the decline of its last sending', async () => {
    const { subject, first } = await claimed(engine);
    await script(engine, subject, { decline: '51' });
    const held = await first.send();
    await repeat(engine, subject, first);
    await first.record(held);
    const { transactions } = await reloadPurchase(engine, subject);
    expect(transactions.filter(({ operation }) => operation === 'charge')).toMatchObject([
      { status: 'declined', response_code: '51' },
    ]);
  });
});

describe('a charge that already has a result', () => {
  it('is not repeated by a worker that loaded it before', async () => {
    const { subject, first } = await claimed(engine);
    const refused = await holdAnswer(subject, first, { status: 429 });
    const { deps } = engine;
    const recordsFirst = {
      ...deps,
      vault: Object.assign(Object.create(deps.vault) as typeof deps.vault, {
        read: async (...parameters: Parameters<typeof deps.vault.read>) => {
          await first.record(refused);
          return deps.vault.read(...parameters);
        },
      }),
    };
    await inquireAttempt(recordsFirst, subject.body.transaction_id, first.attemptId);
    expect(await requestsOf(engine, subject, 'charge')).toHaveLength(1);
  });
});

describe('a repeated charge', () => {
  it('is not sent once the payment is as old as the charge window, because the customer has left', async () => {
    const { subject, first } = await claimed(engine);
    await engine.context.db.query(
      `UPDATE payments SET created_at = created_at - make_interval(secs => $2::float8) WHERE transaction_id = $1`,
      [subject.body.transaction_id, CHARGE_WINDOW_MS / 1000],
    );
    await repeat(engine, subject, first);
    expect(await requestsOf(engine, subject, 'charge')).toEqual([]);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'processing' });
  });

  it('counts as another sending of the attempt before it is sent', async () => {
    const { subject, first } = await claimed(engine);
    await script(engine, subject, { delay_ms: 400 });
    const repetition = repeat(engine, subject, first);
    await untilChargesReceived(engine, subject, 1);
    expect(await engine.context.attempts.find(first.attemptId)).toMatchObject({
      status: 'sent',
      sendCount: 2,
    });
    await repetition;
  });
});

/** A payment that one worker has claimed at the first of these gateways. */
async function claimedAt(gateways: readonly GatewaySlug[]) {
  const subject = await idlePurchase(engine, await newCompany(engine, gateways), 'sale');
  const worker = await claimNext(engine, subject);
  return { subject, worker, answer: await worker.send() };
}

async function rowsOf(subject: Purchase): Promise<string[]> {
  const { transactions } = await reloadPurchase(engine, subject);
  return transactions.map(({ operation, gateway, status }) => `${operation} ${gateway} ${status}`);
}

describe('a late approval', () => {
  it.each(['error', 'declined'] as const)(
    'of a charge recorded as %s is accepted if the payment still needs a charge and no other was attempted',
    async (status) => {
      const { subject, worker, answer } = await claimedAt(['gateway_1', 'gateway_2']);
      await worker.record(REFUSALS[status]);
      await worker.record(answer);
      await expectChargedOnce(engine, subject);
      expect(await reloadPurchase(engine, subject)).toMatchObject({
        transactions: [{ status: 'approved', decline_type: null }],
      });
    },
  );

  it('of a superseded charge is not accepted while the payment goes on to a third gateway: it is returned', async () => {
    const { subject, worker, answer } = await claimedAt(['gateway_1', 'gateway_2', 'gateway_4']);
    await worker.record(REFUSALS.error);
    await (await claimNext(engine, subject)).record(REFUSALS.error);
    await worker.record(answer);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'processing' });
    expect(await rowsOf(subject)).toEqual([
      'charge gateway_1 error',
      'charge gateway_2 error',
      'refund gateway_1 unknown',
    ]);
  });
});

describe('a charge that its gateway has returned before its answer was recorded', () => {
  it('is not made again elsewhere after the merchant refunded it there, and its late approval returns nothing more', async () => {
    const { subject, worker, answer } = await claimedAt(['gateway_1', 'gateway_2']);
    await engine.simulator.refund(subject.body.transaction_id);
    await inquireAttempt(engine.deps, subject.body.transaction_id, worker.attemptId);
    await worker.record(answer);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'failed', code: 'gateway_error' });
    expect(await rowsOf(subject)).toEqual(['charge gateway_1 error', 'inquiry gateway_1 error']);
  });

  it('is not made again elsewhere after it was voided there', async () => {
    const { subject, worker, answer } = await claimedAt(['gateway_1', 'gateway_2']);
    if (answer.kind !== 'outcome' || answer.outcome.kind === 'declined') throw new Error('not accepted');
    await worker.record({ ...answer, outcome: { ...answer.outcome, kind: 'canceled' } });
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'failed', attempts: 1 });
  });
});

describe('a payment whose charge may hold money', () => {
  it.each(['sent', 'unknown', 'pending', 'authorized', 'approved'] as const)(
    'cannot have another charge while the first is %s',
    async (status) => {
      const { worker } = await claimedAt(['gateway_1']);
      const { attempts, db } = engine.context;
      await db.query('UPDATE gateway_attempts SET status = $2 WHERE id = $1', [worker.attemptId, status]);
      const first = await attempts.find(worker.attemptId);
      if (first === null) throw new Error('the attempt was not claimed');
      const another = { ...first, id: newAttemptId(), attempt: 2, reference: `${first.reference}-2`, status };
      await expect(db.inTransaction((tx) => attempts.insert(tx, another))).rejects.toMatchObject({
        parent: { constraint: 'gateway_attempts_one_charge' },
      });
    },
  );
});

describe('a refund that was sent again and then refused', () => {
  it('is recorded as refunded when its first sending succeeded after all', async () => {
    const { subject, worker, answer } = await claimedAt(['gateway_2']);
    await worker.record(answer);
    await requestOperation({ payments: engine.idlePayments }, subject, 'refund', { amount: 100 });
    const first = await claimNext(engine, subject);
    await proveAbsent(subject, first);
    const { transaction_id } = subject.body;
    await engine.simulator.script({ transaction_id, operation: 'refund' }, { decline: '57' });
    const second = await claimNext(engine, subject);
    await second.record(await second.send());
    expect(operationsOf(await reloadPurchase(engine, subject), 'refund')).toEqual([['declined', 100]]);
    const late = await first.send();
    await first.record(late);
    await first.record(late);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: 100 });
    expect(operationsOf(await reloadPurchase(engine, subject), 'refund')).toEqual([['refunded', 100]]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: 100 });
  });

  /** The gateway answers "not found" for long enough, so the refund is requested again. */
  async function proveAbsent({ body }: Purchase, { attemptId }: SteppedWorker): Promise<void> {
    await engine.context.db.query(
      `UPDATE gateway_attempts SET not_found_count = 9, claimed_at = now() - interval '1 minute' WHERE id = $1`,
      [attemptId],
    );
    await inquireAttempt(engine.deps, body.transaction_id, attemptId);
  }
});

/** The answer that the first worker has got and not recorded yet; null: it was too slow to send. */
async function holdAnswer(
  subject: Purchase,
  worker: SteppedWorker,
  refusal: Behavior | null,
): Promise<GatewayAnswer> {
  if (refusal === null) return worker.send(new Date(Date.now() - 1));
  await script(engine, subject, refusal);
  return worker.send();
}
