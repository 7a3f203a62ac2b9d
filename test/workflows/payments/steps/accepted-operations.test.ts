import { applyResolution } from '../../../../activities/payments/apply-resolution';
import { inquireAttempt } from '../../../../activities/payments/inquire-attempt';
import { pollPaymentStatus } from '../../../../activities/payments/poll-payment-status';
import { recordOperation } from '../../../../activities/payments/record-operation';
import type { InquiryResult, InquirySubject } from '../../../../src/gateways/gateway';
import { insertResolution } from '../../../support/scenarios/resolve';
import { startEngine, type Engine } from '../../../support/stack/engine';
import {
  ABSENT,
  SteppedPayment,
  declined,
  done,
  failed,
  withCallbacks,
  withInquiries,
} from './stepped-payment';

/* Captures, cancels and refunds that their gateway accepts at once and carries out, or refuses, later. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOT_FOUND: InquiryResult = { kind: 'not_found' };
const INCONCLUSIVE: InquiryResult = { kind: 'inconclusive', reason: 'no answer' };
const found = ({ outcome }: ReturnType<typeof done>): InquiryResult => ({ kind: 'found', outcome });
const pending = (amountCents: number) => found(done('pending', { amountCents }));

/** A sale of which 100 cents are being refunded: the gateway has accepted it. */
async function accepted() {
  const payment = await SteppedPayment.charged(engine);
  const { key, worker } = await payment.claimed('refund', { amount: 100 });
  await worker.record(done('pending', { amountCents: 100 }));
  const attempt = await payment.attempt(worker.attemptId);
  return { payment, key, worker, attempt, since: attempt.awaitedSince?.getTime() ?? 0 };
}

const reported = (payment: SteppedPayment, refundedCents: number) =>
  ({ status: 'approved', capturedCents: payment.amount, refundedCents, paidCents: 0 }) as const;

/** One poll at this instant, by a worker whose clock lags by `lagMs`. The gateway answers about the refund; its charge is approved and nothing of it refunded. */
async function poll(
  payment: SteppedPayment,
  at: number,
  answer: InquiryResult,
  { from = engine.deps, refundedCents = 0, requested = false, lagMs = 0 } = {},
) {
  const chargeState = reported(payment, refundedCents);
  const charge = found(done('approved', { amountCents: payment.amount, chargeState }));
  const isRefund = ({ reference }: InquirySubject) => reference.includes('-refund');
  const { deps, asked } = withInquiries(from, (subject) => (isRefund(subject) ? answer : charge));
  const input = {
    companyId: payment.subject.company.id,
    transactionId: payment.id,
    at,
    offsetMs: 0,
    requested,
  };
  const step = await pollPaymentStatus({ ...deps, now: () => new Date(at - lagMs) }, input);
  return { step, asked: asked.map((subject) => (isRefund(subject) ? 'refund' : 'charge')) };
}

describe('an operation that the gateway has accepted', () => {
  it('is shown as pending, keeps its reservation and has no recorded answer', async () => {
    const { payment, key, attempt } = await accepted();
    expect(attempt).toMatchObject({ status: 'accepted', responseCode: '00', requestMs: 12 });
    const body = await payment.body();
    expect(body).toMatchObject({ status: 'approved', refunded_amount: 0 });
    expect(body.transactions.at(-1)).toMatchObject({ status: 'pending', decline_type: null });
    expect(body.pending_operations).toEqual([
      { id: attempt.id, operation: 'refund', amount: 100, since: attempt.sentAt?.toISOString() },
    ]);
    expect(await payment.answered(key)).toBeNull();
  });

  it('lets its caller go, and its workflow asks after a minute', async () => {
    const { payment, since } = await accepted();
    const { step, asked } = await poll(payment, since + 10_000, pending(100));
    expect([asked, step]).toMatchObject([
      [],
      { ready: false, openOperations: [], unknown: [], pollAt: since + MINUTE_MS },
    ]);
    const { recoverAfter, lastPolledAt } = await payment.row();
    expect(recoverAfter?.getTime()).toBeGreaterThan(since + MINUTE_MS);
    expect(lastPolledAt).toBeNull();
  });

  it('is asked about at once if a person asks, or by an unsigned callback, but not soon again', async () => {
    const { payment, attempt, since } = await accepted();
    const hint = { attemptId: attempt.id, trusted: false };
    const { deps: from } = withCallbacks(engine.deps, [hint]);
    const { hintPauseMs } = engine.deps.settings;
    const asks = async (...[at, options]: [number, { requested?: boolean; from?: Engine['deps'] }]) =>
      (await poll(payment, at, pending(100), options)).asked.includes('refund');
    expect(await asks(since + 1, { requested: true })).toBe(true);
    expect(await asks(since + hintPauseMs, { from })).toBe(false);
    expect(await asks(since + hintPauseMs + 1, { from })).toBe(true);
  });

  it('is no question for an operator once it has its result', async () => {
    const { payment, attempt, since } = await accepted();
    await poll(payment, since + MINUTE_MS, found(done('refunded', { amountCents: 100 })));
    await poll(payment, since + 31 * DAY_MS, INCONCLUSIVE, { refundedCents: 100 });
    expect(await payment.attempt(attempt.id)).toMatchObject({ status: 'refunded', escalatedAt: null });
  });

  it.each([
    ['says that it is pending', pending(100)],
    ['does not know it', NOT_FOUND],
    ['does not answer', INCONCLUSIVE],
    ['answers with another amount', found(done('refunded', { amountCents: 99 }))],
    ['answers with the state of another operation', found(done('canceled', { amountCents: 100 }))],
  ])('stays so while its gateway %s, and is asked about again later', async (_what, answer) => {
    const { payment, attempt, since } = await accepted();
    const at = since + MINUTE_MS;
    const { step, asked } = await poll(payment, at, answer);
    expect(asked).toEqual(['refund']);
    expect(step).toMatchObject({ unknown: [], needsOperator: null, pollAt: since + 3 * MINUTE_MS });
    expect(await payment.attempt(attempt.id)).toMatchObject({ status: 'accepted', notFoundCount: 0 });
  });

  it.each([
    ['carried out', done('refunded', { amountCents: 100 }), 'refunded', 200, 100],
    ['refused', declined('57'), 'declined', 422, 0],
  ] as const)(
    'gets its result, answer and inquiry when it is %s',
    async (_what, answer, status, answered, cents) => {
      const { payment, key, attempt, since } = await accepted();
      await poll(payment, since + MINUTE_MS, found(answer));
      expect(await payment.attempt(attempt.id)).toMatchObject({ status, requestMs: 12 });
      expect(await payment.answered(key)).toBe(answered);
      expect(await payment.body()).toMatchObject({ refunded_amount: cents, pending_operations: [] });
      expect((await payment.rows()).slice(1)).toEqual([
        `refund gateway_1 ${status}`,
        `inquiry gateway_1 ${status}`,
      ]);
    },
  );

  it.each([
    ['an unknown outcome', failed('ambiguous')],
    ['an error', failed('invalid_request')],
    ['a proof of absence', ABSENT],
  ])('is not changed by %s that another worker records late', async (_what, update) => {
    const { payment, worker, attempt } = await accepted();
    await worker.record(update);
    expect(await payment.attempt(attempt.id)).toMatchObject({ status: 'accepted' });
  });

  it('is found by an inquiry after a lost answer, which is listed as pending', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { worker } = await payment.claimed('refund', { amount: 100 });
    await worker.record(failed('ambiguous'));
    const { deps } = withInquiries(engine.deps, () => pending(100));
    const step = await inquireAttempt(deps, payment.id, worker.attemptId);
    expect(step).toMatchObject({ unknown: [], openOperations: [], attempt: { status: 'accepted' } });
    const { transactions, pending_operations } = await payment.body();
    expect(transactions.at(-1)).toMatchObject({ operation: 'inquiry', status: 'pending' });
    expect(pending_operations.map(({ id }) => id)).toEqual([worker.attemptId]);
  });

  it('is found after it was recorded as not made', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { worker, key } = await payment.claimed('refund', { amount: 100 });
    await worker.record(failed('rate_limited'));
    await worker.record(done('pending', { amountCents: 100 }));
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ status: 'accepted' });
    expect(await payment.answered(key)).toBe(422);
    await worker.record(done('refunded', { amountCents: 100 }));
    expect(await payment.body()).toMatchObject({ refunded_amount: 100 });
  });

  it('is not awaited again by a report of earlier that a worker records after the refusal', async () => {
    const { payment, worker, attempt, key, since } = await accepted();
    await poll(payment, since + MINUTE_MS, found(declined('57')));
    const late = done('pending', { amountCents: 100 });
    await recordOperation(engine.deps, payment.id, attempt, late, { kind: 'inquiry', requestMs: 12 });
    expect(await payment.attempt(attempt.id)).toMatchObject({ status: 'declined' });
    expect(await payment.answered(key)).toBe(422);
    await worker.record(done('refunded', { amountCents: 100 }));
    expect(await payment.body()).toMatchObject({ refunded_amount: 100 });
  });

  it('forbids another capture or cancel, also in the database', async () => {
    const payment = await SteppedPayment.charged(engine, 'authorization');
    const { worker } = await payment.claimed('capture', { amount: 100 });
    await worker.record(done('pending', { amountCents: 100 }));
    await expect(payment.request('cancel')).rejects.toThrow();
    const insert = engine.context.db.query(
      `INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, purpose, gateway_slug, reference, status,
         amount_cents, target_attempt_id, created_at, updated_at)
       SELECT gen_random_uuid(), payment_id, company_id, attempt, 'cancel', 'merchant_request', gateway_slug, reference || '-x',
         'requested', amount_cents, target_attempt_id, now(), now() FROM gateway_attempts WHERE id = $1`,
      [worker.attemptId],
    );
    await expect(insert).rejects.toMatchObject({ name: 'SequelizeUniqueConstraintError' });
  });
});

describe('a callback while an operation is accepted', () => {
  it.each([
    ['shows the records', 0, true],
    ['shows the accepted refund already', 100, true],
    ['shows more than that', 150, false],
  ])(
    'makes the gateway be asked at once, and is processed if the charge %s',
    async (_what, refundedCents, isProcessed) => {
      const { payment, attempt, since } = await accepted();
      const reportedState = reported(payment, refundedCents);
      const callback = { attemptId: attempt.targetAttemptId ?? '', reportedState };
      const { deps, processed } = withCallbacks(engine.deps, [callback]);
      const { asked } = await poll(payment, since + 5_000, pending(100), { from: deps, refundedCents });
      expect(asked).toEqual(['refund', 'charge']);
      expect(processed.length === 1).toBe(isProcessed);
      expect(await payment.body()).toMatchObject({ refunded_amount: 0, status: 'approved' });
    },
  );

  it('waits if the gateway does not tell the result', async () => {
    const { payment, attempt, since } = await accepted();
    const callback = { attemptId: attempt.id, reportedState: reported(payment, 100) };
    const { deps, processed } = withCallbacks(engine.deps, [callback]);
    await poll(payment, since + 5_000, INCONCLUSIVE, { from: deps });
    expect(processed).toEqual([]);
  });
});

describe('an operation whose result does not come for 30 days', () => {
  async function overdue() {
    const subject = await accepted();
    // The clock of this worker lags behind the workflow's.
    const at = subject.since + 30 * DAY_MS;
    const { step } = await poll(subject.payment, at, pending(100), { lagMs: 2_000 });
    return { ...subject, step };
  }

  const resolve = async (payment: SteppedPayment, outcome: 'paid' | 'absent' | 'retry') => {
    const { id: resolutionId } = await insertResolution(engine, payment.id, outcome);
    const companyId = payment.subject.company.id;
    return applyResolution(engine.deps, { companyId, transactionId: payment.id, resolutionId });
  };

  it('is a question for an operator whatever a worker’s clock says, and is not asked about by schedule any more', async () => {
    const { payment, attempt, since, step } = await overdue();
    expect(step).toMatchObject({ needsOperator: attempt.id, pollAt: null });
    expect(await payment.row()).toMatchObject({ stuckAt: expect.any(Date) as Date, recoverAfter: null });
    const { escalatedAt } = await payment.attempt(attempt.id);
    expect((await poll(payment, since + 31 * DAY_MS, pending(100))).asked).toEqual([]);
    expect(await payment.attempt(attempt.id)).toMatchObject({ escalatedAt });
  });

  it('is recorded as the operator says, also as never received', async () => {
    const first = await overdue();
    await resolve(first.payment, 'paid');
    expect(await first.payment.body()).toMatchObject({ refunded_amount: 100, pending_operations: [] });
    const second = await overdue();
    await second.payment.changeAttempt(second.attempt.id, `created_at = created_at - interval '30 days'`);
    await resolve(second.payment, 'absent');
    expect(await second.payment.attempt(second.attempt.id)).toMatchObject({ status: 'abandoned' });
    expect(await second.payment.answered(second.key)).toBe(422);
    expect(await second.payment.row()).toMatchObject({ stuckAt: null });
  });

  it('is asked about for another 30 days if the operator says so', async () => {
    const { payment, attempt, since } = await overdue();
    const { step, restartedAttemptId } = await resolve(payment, 'retry');
    expect(restartedAttemptId).toBe(attempt.id);
    expect(step.needsOperator).toBeNull();
    const { awaitedSince } = await payment.attempt(attempt.id);
    expect(awaitedSince?.getTime()).toBeGreaterThan(since);
    const at = since + 30 * DAY_MS + MINUTE_MS;
    const asked = await poll(payment, at, pending(100), { requested: true });
    expect(asked.asked).toContain('refund');
  });
});

describe('an accepted reversal of a charge that its payment does not need', () => {
  it('ends the payment: nothing is charged again while the money is on its way back', async () => {
    const payment = await SteppedPayment.create(engine, 'sale', ['gateway_1', 'gateway_4', 'gateway_5']);
    const first = await payment.next();
    await first.record(failed('rate_limited'));
    const second = await payment.next();
    await first.record(done('approved', { amountCents: payment.amount }));
    await second.record(failed('rate_limited'));
    const reversal = await payment.next();
    const attempt = await payment.attempt(reversal.attemptId);
    const update = done('pending', { amountCents: payment.amount });
    await recordOperation(engine.deps, payment.id, attempt, update, { kind: 'call' });
    expect(await payment.claim()).toMatchObject({
      kind: 'nothing',
      step: { status: 'failed', ready: false },
    });
    expect((await payment.body()).pending_operations).toEqual([]);
  });
});
