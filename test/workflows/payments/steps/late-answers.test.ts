import { recordCharge } from '../../../../activities/payments/record-charge';
import type { ChargeUpdate } from '../../../../activities/payments/attempt-result-mapper';
import type { Accepted } from '../../../../src/gateways/gateway';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { ABSENT, SteppedPayment, declined, done, failed } from './stepped-payment';

/* What a success is worth that comes after another result was recorded: of a charge, or of an operation on one. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

const record = (payment: SteppedPayment, id: string, update: ChargeUpdate) =>
  recordCharge(engine.deps, payment.id, { id, sendCount: 1 }, update, { kind: 'call' });

async function claimed(kind: 'sale' | 'authorization' | 'pix' = 'sale') {
  const payment = await SteppedPayment.create(engine, kind, ['gateway_1', 'gateway_4']);
  const { attemptId } = await payment.next();
  return { payment, id: attemptId };
}

describe('an approval that comes after another result was recorded', () => {
  const SPLITS = [
    ...[{ recipientId: 're_1', type: 'flat', amountCents: 100, liable: true, chargeProcessingFee: true }],
  ].map((split) => ({ ...split, chargeRemainderFee: true }));

  /** The first charge was recorded as failed and another one is under way. */
  async function superseded(kind: 'sale' | 'authorization' | 'pix') {
    const { payment, id } = await claimed(kind);
    await record(payment, id, failed('rate_limited'));
    await payment.changeAttempt(id, `splits = '${JSON.stringify(SPLITS)}'`);
    await payment.next();
    await payment.change(`recover_after = now() + interval '9 hours', stuck_at = '2026-01-01'`);
    return { payment, id };
  }

  async function reversalsOf(payment: SteppedPayment, id: string) {
    const rows = await engine.context.attempts.listByTransaction(payment.id);
    return rows
      .filter(({ purpose, targetAttemptId }) => purpose === 'reversal' && targetAttemptId === id)
      .map(({ operation, amountCents, status, splits, gatewayTransactionId: chargeId }) => ({
        ...{ operation, amountCents, status, splits, chargeId },
      }));
  }

  const holding = (capturedCents: number, refundedCents = 0): Partial<Accepted> => ({
    chargeState: { status: 'approved', capturedCents, refundedCents, paidCents: capturedCents },
  });

  it.each([
    ['sale', 'approved', 'refund', SPLITS],
    ['authorization', 'authorized', 'cancel', null],
    ['pix', 'pending', 'cancel', null],
  ] as const)('of a superseded %s that is %s is returned by a %s at once', async (...row) => {
    const [kind, status, operation, splits] = row;
    const { payment, id } = await superseded(kind);
    const answer = done(status, { amountCents: payment.amount, gatewayTransactionId: 'ch_late' });
    const step = await record(payment, id, answer);
    expect(step).toMatchObject({ status: 'processing', ready: true });
    expect(step.openOperations).toHaveLength(1);
    await record(payment, id, answer);
    expect(await reversalsOf(payment, id)).toEqual([
      { operation, amountCents: payment.amount, status: 'requested', splits, chargeId: 'ch_late' },
    ]);
    const { recoverAfter, stuckAt } = await payment.row();
    expect(recoverAfter?.getTime()).toBeLessThanOrEqual(Date.now());
    expect(stuckAt).not.toBeNull();
  });

  it.each(['pending', 'canceled', 'refunded'] as const)(
    'of a superseded pix that is %s and partly paid returns what was paid, to nobody else',
    async (status) => {
      const { payment, id } = await superseded('pix');
      await record(payment, id, done(status, { amountCents: payment.amount, ...holding(300, 100) }));
      expect(await reversalsOf(payment, id)).toMatchObject([
        { operation: 'refund', amountCents: 200, splits: null },
      ]);
    },
  );

  it('that holds no money any more returns nothing', async () => {
    const { payment, id } = await superseded('pix');
    await record(payment, id, done('canceled', holding(300, 300)));
    await record(payment, id, done('canceled'));
    await record(payment, id, declined());
    await record(payment, id, failed('ambiguous'));
    expect(await reversalsOf(payment, id)).toEqual([]);
  });

  it('returns what the customer pays after the reversal was done, and nothing while it is under way', async () => {
    const { payment, id } = await superseded('pix');
    const paid = { gatewayTransactionId: 'ch_late', amountCents: payment.amount };
    await record(payment, id, done('pending', paid));
    await record(payment, id, done('pending', { ...paid, ...holding(300) }));
    expect(await reversalsOf(payment, id)).toHaveLength(1);
    await (await payment.next()).record(done('canceled'));
    const reports = done('canceled', { ...paid, ...holding(300) });
    await record(payment, id, reports);
    await record(payment, id, reports);
    expect(await reversalsOf(payment, id)).toMatchObject([
      { operation: 'cancel', status: 'canceled' },
      { operation: 'refund', status: 'requested', amountCents: 300 },
    ]);
  });

  it('returns what the customer pays also while the reversal of another charge is under way', async () => {
    const payment = await SteppedPayment.create(engine, 'pix', ['gateway_1', 'gateway_4', 'gateway_5']);
    const first = await payment.next();
    await first.record(failed('rate_limited'));
    const second = await payment.next();
    await second.record(failed('rate_limited'));
    await payment.next();
    const paid = { gatewayTransactionId: 'ch_1', amountCents: payment.amount };
    await first.record(done('pending', paid));
    await (await payment.next()).record(done('canceled'));
    await second.record(done('pending', { ...paid, gatewayTransactionId: 'ch_2' }));
    await first.record(done('canceled', { ...paid, ...holding(300) }));
    expect(await reversalsOf(payment, first.attemptId)).toMatchObject([
      { operation: 'cancel', status: 'canceled' },
      { operation: 'refund', status: 'requested', amountCents: 300 },
    ]);
  });

  it('returns what the customer pays of a charge that its gateway had returned', async () => {
    const { payment, id } = await claimed('pix');
    const returned = { gatewayTransactionId: 'ch_late' };
    await record(payment, id, done('canceled', returned));
    await record(payment, id, done('canceled', { ...returned, ...holding(300) }));
    expect(await reversalsOf(payment, id)).toMatchObject([{ operation: 'refund', amountCents: 300 }]);
  });

  it('of the payment’s own charge returns nothing, also after the merchant has refunded a part of it', async () => {
    const { payment, id } = await claimed();
    const approved = done('approved', { gatewayTransactionId: 'ch_1', ...holding(payment.amount) });
    await record(payment, id, approved);
    const { worker } = await payment.claimed('refund', { amount: 100 });
    await worker.record(done('refunded'));
    await record(payment, id, approved);
    expect(await payment.rows()).toEqual(['charge gateway_1 approved', 'refund gateway_1 refunded']);
  });

  it('becomes the charge of a payment that has no other, without the class and advice of the decline', async () => {
    const { payment, id } = await claimed();
    await record(payment, id, declined('91', '05'));
    expect(await payment.attempt(id)).toMatchObject({ status: 'declined', adviceCode: '05' });
    const step = await record(payment, id, done('approved'));
    expect(step).toMatchObject({ status: 'approved', attempt: { attemptId: id, status: 'approved' } });
    expect(await payment.body()).toMatchObject({ status: 'approved' });
    expect(await payment.attempt(id)).toMatchObject({
      status: 'approved',
      declineType: null,
      adviceCode: null,
    });
    // The first answer's time is counted already.
    expect(await payment.row()).toMatchObject({ gatewaysRequestMs: 12 });
  });

  it('of a part of a charge that has ended does not become the payment’s charge: that part is returned', async () => {
    const { payment, id } = await claimed('pix');
    await record(payment, id, failed('rate_limited'));
    await record(payment, id, done('canceled', holding(300)));
    expect(await payment.attempt(id)).toMatchObject({ status: 'error' });
    expect(await reversalsOf(payment, id)).toMatchObject([{ operation: 'refund', amountCents: 300 }]);
  });
});

describe('an operation that was recorded as not made', () => {
  it('keeps its first refusal, and becomes a success without the class of the decline', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { worker } = await payment.claimed('refund', { amount: 100 });
    await worker.record(declined('57'));
    for (const late of [declined('62'), failed('invalid_request'), done('canceled'), ABSENT])
      await worker.record(late);
    const first = { status: 'declined', responseCode: '57' };
    expect(await payment.attempt(worker.attemptId)).toMatchObject(first);
    expect((await payment.attempt(worker.attemptId)).declineType).not.toBeNull();
    await worker.record(done('refunded'));
    const second = { status: 'refunded', declineType: null, responseCode: '00' };
    expect(await payment.attempt(worker.attemptId)).toMatchObject(second);
    expect(await payment.body()).toMatchObject({ refunded_amount: 100 });
  });

  it('a cancel that nobody requested becomes a success too', async () => {
    const payment = await SteppedPayment.charged(engine, 'authorization');
    const { worker } = await payment.claimed('cancel');
    await payment.changeAttempt(worker.attemptId, `purpose = 'authorization_expired', status = 'error'`);
    await worker.record(done('canceled'));
    expect(await payment.body()).toMatchObject({ status: 'canceled' });
  });

  it('a capture is not recorded as made after all while another capture is under way', async () => {
    const payment = await SteppedPayment.charged(engine, 'authorization');
    const { worker } = await payment.claimed('capture', { amount: 100 });
    await worker.record(declined('57'));
    const { worker: second } = await payment.claimed('capture', { amount: 200 });
    await worker.record(done('approved'));
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ status: 'declined' });
    await second.record(done('approved'));
    expect(await payment.body()).toMatchObject({ captured_amount: 200 });
  });
});
