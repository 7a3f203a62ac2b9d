import type { GatewayAnswer } from '../../../../activities/payments/call-gateway';
import type { InquiryResult } from '../../../../src/gateways/gateway';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { requestsOf } from '../../../support/scenarios/purchase';
import {
  INCONCLUSIVE,
  NOT_FOUND,
  SteppedPayment,
  declined,
  done,
  failed,
  found,
  withCallbacks,
  withCapabilities,
} from './stepped-payment';

/* What the answers to inquiries about an attempt of unknown outcome mean, and which callbacks they settle. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

/** A payment whose charge at the first gateway has an unknown outcome. */
async function unknown(...gateways: Parameters<typeof SteppedPayment.create>[2] & object) {
  const payment = await SteppedPayment.create(engine, 'sale', gateways.length === 0 ? undefined : gateways);
  const worker = await payment.next();
  await worker.record(failed('ambiguous'));
  return { payment, attemptId: worker.attemptId };
}

describe('an inquiry', () => {
  it('about a refund tells the amount, and what is recorded of the other refunds of its charge', async () => {
    const payment = await SteppedPayment.charged(engine);
    const refund = async (amount: number, answer: GatewayAnswer) => {
      const { worker } = await payment.claimed('refund', { amount });
      await worker.record(answer);
      return worker.attemptId;
    };
    await refund(10, done('refunded', { amountCents: 10 }));
    await refund(20, done('pending', { amountCents: 20 }));
    await refund(30, failed('invalid_request'));
    const lost = await refund(40, failed('ambiguous'));
    const asked = await refund(50, failed('ambiguous'));
    const { asked: subjects } = await payment.inquire(asked, NOT_FOUND);
    const others = [
      { amountCents: 10, status: 'refunded' },
      { amountCents: 20, status: 'accepted' },
      { amountCents: 40, status: 'unknown' },
    ];
    expect(subjects.map((subject) => subject.refund)).toEqual([{ amountCents: 50, others }]);
    expect((await payment.inquire(lost, NOT_FOUND)).asked[0]?.refund?.amountCents).toBe(40);
  });

  it('is not made about an attempt whose result is known', async () => {
    const payment = await SteppedPayment.charged(engine);
    const [charge] = await engine.context.attempts.listByTransaction(payment.id);
    const { step, asked } = await payment.inquire(charge?.id ?? '', NOT_FOUND);
    expect([asked, step]).toMatchObject([[], { status: 'approved', attempt: { attemptId: charge?.id } }]);
  });

  it('proves absence with the third "not found" in a row, once nothing sent can still be under way', async () => {
    const { payment, attemptId } = await unknown('gateway_1', 'gateway_4');
    const countAfter = async (answer: InquiryResult) => {
      await payment.inquire(attemptId, answer);
      return (await payment.attempt(attemptId)).notFoundCount;
    };
    expect(await countAfter(NOT_FOUND)).toBe(1);
    expect(await countAfter(INCONCLUSIVE)).toBe(0);
    await payment.changeAttempt(attemptId, `claimed_at = now() - interval '1 hour'`);
    expect([await countAfter(NOT_FOUND), await countAfter(NOT_FOUND)]).toEqual([1, 2]);
    expect(await payment.rows()).toEqual(['charge gateway_1 unknown']);
    await payment.changeAttempt(attemptId, 'claimed_at = now()');
    expect(await countAfter(NOT_FOUND)).toBe(3);
    expect(await payment.rows()).toEqual(['charge gateway_1 unknown']);
    await payment.changeAttempt(attemptId, `claimed_at = now() - interval '1 hour'`);
    await payment.inquire(attemptId, NOT_FOUND);
    expect(await payment.rows()).toEqual(['charge gateway_1 abandoned', 'inquiry gateway_1 abandoned']);
  });

  it('that finds the charge records it, with the time that the inquiry took', async () => {
    const { payment, attemptId } = await unknown();
    const answer = found(done('approved', { amountCents: payment.amount }));
    expect((await payment.inquire(attemptId, answer)).step).toMatchObject({
      status: 'approved',
      unknown: [],
    });
    const [charge, inquiry] = await engine.context.attempts.listByTransaction(payment.id);
    expect([charge?.requestMs, (inquiry?.requestMs ?? -1) < 5_000]).toEqual([12, true]);
    expect((await payment.row()).gatewaysRequestMs).toBeLessThan(5_000);
  });

  it('that finds another amount decides nothing', async () => {
    const { payment, attemptId } = await unknown();
    await payment.inquire(attemptId, found(done('approved', { amountCents: payment.amount - 1 })));
    expect(await payment.rows()).toEqual(['charge gateway_1 unknown']);
  });
});

describe('a gateway that cannot be asked by our reference', () => {
  it.each(['gateway_2', 'gateway_3'] as const)('%s is not sent the charge again', async (gateway) => {
    const { payment, attemptId } = await unknown(gateway);
    // The window of its idempotency keys does not matter, because it does not replay them.
    const deps = withCapabilities(engine.deps, { replayWindowMs: 86_400_000 });
    const { asked } = await payment.inquire(attemptId, NOT_FOUND, deps);
    expect(asked).toHaveLength(gateway === 'gateway_2' ? 1 : 0);
    expect(await requestsOf(engine, payment.subject, 'charge')).toEqual([]);
    expect((await payment.attempt(attemptId)).sendCount).toBe(1);
  });

  it('is asked by its own id of the charge once that is known', async () => {
    const { payment, attemptId } = await unknown('gateway_3');
    await payment.changeAttempt(attemptId, `gateway_transaction_id = 'ch_known'`);
    const { asked } = await payment.inquire(attemptId, found(declined('51')));
    expect(asked).toMatchObject([{ gatewayTransactionId: 'ch_known' }]);
    expect(await payment.body()).toMatchObject({ status: 'failed', code: 'declined' });
  });
});

describe('the gateway’s id of a charge that a callback names', () => {
  const ofAttempt = (attemptId: string) => (gatewayTransactionId: string | null) => ({
    attemptId,
    gatewayTransactionId,
  });

  it('is looked up, and the charge that it shows is recorded; a forged id shows none', async () => {
    const { payment, attemptId } = await unknown();
    const real = done('approved', { amountCents: payment.amount, gatewayTransactionId: 'ch_real' });
    const named = ['ch_forged', null, 'ch_real'].map(ofAttempt(attemptId));
    const { deps } = withCallbacks(engine.deps, [
      { attemptId: 'other', gatewayTransactionId: 'ch_other' },
      ...named,
    ]);
    const { asked } = await payment.inquire(
      attemptId,
      ({ gatewayTransactionId }) => (gatewayTransactionId === 'ch_real' ? found(real) : NOT_FOUND),
      deps,
    );
    expect(asked.map(({ gatewayTransactionId }) => gatewayTransactionId)).toEqual(['ch_forged', 'ch_real']);
    expect(await payment.attempt(attemptId)).toMatchObject({
      status: 'approved',
      gatewayTransactionId: 'ch_real',
    });
  });

  it('is one of at most three that are looked up, and then our own reference is', async () => {
    const { payment, attemptId } = await unknown();
    const named = ['a', 'b', 'b', 'c', 'd'].map(ofAttempt(attemptId));
    const { deps } = withCallbacks(engine.deps, named);
    const { asked } = await payment.inquire(attemptId, NOT_FOUND, deps);
    expect(asked.map(({ gatewayTransactionId }) => gatewayTransactionId)).toEqual(['a', 'b', 'c', null]);
  });

  it('is not looked up if the charge has one', async () => {
    const { payment, attemptId } = await unknown();
    await payment.changeAttempt(attemptId, `gateway_transaction_id = 'ch_known'`);
    const { deps } = withCallbacks(engine.deps, ['ch_forged'].map(ofAttempt(attemptId)));
    const { asked } = await payment.inquire(attemptId, NOT_FOUND, deps);
    expect(asked.map(({ gatewayTransactionId }) => gatewayTransactionId)).toEqual(['ch_known']);
  });
});

describe('the callbacks about an attempt', () => {
  /** Asks about a charge about which these callbacks wait; returns the numbers of those that were processed. */
  async function processedAfter(answer: (payment: SteppedPayment) => InquiryResult) {
    const { payment, attemptId } = await unknown();
    const report = { status: 'approved', refundedCents: 0, paidCents: 0 } as const;
    const { deps, processed } = withCallbacks(engine.deps, [
      { attemptId },
      { attemptId: 'other' },
      { attemptId, reportedState: { ...report, capturedCents: payment.amount } },
      { attemptId, reportedState: { ...report, capturedCents: payment.amount, refundedCents: 100 } },
      { attemptId, trusted: false, reportedState: { ...report, capturedCents: 1 } },
    ]);
    await payment.inquire(attemptId, answer(payment), deps);
    return processed;
  }

  it('are processed once its result is known, except for a signed one that reports more', async () => {
    const charged = (payment: SteppedPayment) => found(done('approved', { amountCents: payment.amount }));
    expect(await processedAfter(charged)).toEqual([1, 3, 5]);
  });

  it('wait while it is not known', async () => {
    expect(await processedAfter(() => INCONCLUSIVE)).toEqual([]);
  });

  it('are processed also while another attempt is open', async () => {
    const payment = await SteppedPayment.charged(engine);
    const one = await payment.claimed('refund', { amount: 100 });
    const two = await payment.claimed('refund', { amount: 50 });
    const { deps, processed } = withCallbacks(engine.deps, [{ attemptId: one.attempt.id }]);
    const answer = found(done('refunded', { amountCents: 100 }));
    const { step } = await payment.inquire(one.attempt.id, answer, deps);
    expect(step.unknown.map(({ attemptId }) => attemptId)).toEqual([two.attempt.id]);
    expect(processed).toEqual([1]);
  });
});
