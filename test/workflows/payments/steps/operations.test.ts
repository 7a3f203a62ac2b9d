import type { OperationUpdate } from '../../../../activities/payments/operations/operation-result';
import { recordOperation } from '../../../../activities/payments/record-operation';
import type { UpdateSource } from '../../../../activities/payments/record-charge';
import { CHARGE_WINDOW_MS } from '../../../../src/domain/payments/payment';
import { NOT_SENT_LOCALLY } from '../../../../src/gateways/errors';
import type { AttemptRecord } from '../../../../src/persistence/payments/gateway-attempt-repository';
import { insertResolution } from '../../../support/scenarios/resolve';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { ABSENT, SteppedPayment, declined, done, failed, withCallbacks } from './stepped-payment';

/* What the result of a capture, cancel or refund does to its row, its payment and the recorded answer. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

const CALL = { kind: 'call' } as const;
const record = (
  payment: SteppedPayment,
  sent: Pick<AttemptRecord, 'id' | 'sendCount'>,
  update: OperationUpdate,
  source: UpdateSource = CALL,
  deps = engine.deps,
) => recordOperation(deps, payment.id, sent, update, source);

describe('the result of an operation', () => {
  it.each([
    ['sale', 'refund', 'refunded', { status: 'refunded' }],
    ['authorization', 'capture', 'approved', { status: 'approved' }],
    ['authorization', 'cancel', 'canceled', { status: 'canceled' }],
  ] as const)('of %s: a %s that is %s is answered 200 with the payment after it', async (...row) => {
    const [kind, operation, outcome, expected] = row;
    const payment = await SteppedPayment.charged(engine, kind);
    const { key, worker } = await payment.claimed(operation);
    await worker.record(done(outcome));
    expect(await payment.body()).toMatchObject(expected);
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ status: outcome, requestMs: 12 });
    const { id: companyId } = payment.subject.company;
    const recorded = await engine.context.idempotency.find(companyId, key);
    const customer = { name: expect.any(String) };
    expect(recorded).toMatchObject({ responseStatus: 200, responseBody: { ...expected, customer } });
    const stored = 'SELECT response_body AS body FROM idempotency_keys WHERE company_id = $1 AND key = $2';
    const sealed = { body: { ...expected, customer: { name: null } } };
    expect(await engine.context.db.queryOne(stored, [companyId, key])).toMatchObject(sealed);
  });

  it.each([
    ['a decline', 'declined', declined('57'), 422],
    ['a refused request', 'error', failed('invalid_request', '422'), 422],
    [
      'an error with the code of a request that was not sent',
      'error',
      failed('unsupported', NOT_SENT_LOCALLY),
      422,
    ],
    ['a lost answer', 'unknown', failed('ambiguous'), null],
    ['a state that the operation does not lead to', 'unknown', done('authorized'), null],
    ['a request that was not sent in time', 'requested', failed('not_sent', NOT_SENT_LOCALLY), null],
  ] as const)('is after %s: %s', async (_what, status, answer, answered) => {
    const payment = await SteppedPayment.charged(engine);
    const { key, worker } = await payment.claimed('refund');
    await worker.record(answer);
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ status });
    expect(await payment.answered(key)).toBe(answered);
    expect(await payment.body()).toMatchObject({ status: 'approved', refunded_amount: 0 });
  });

  it('is that it failed after the tenth request that was not sent in time', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { worker, attempt } = await payment.claimed('refund');
    for (const [sendCount, status] of [
      [9, 'requested'],
      [10, 'error'],
    ] as const) {
      await payment.changeAttempt(worker.attemptId, `status = 'sent', send_count = ${sendCount}`);
      await record(payment, { ...attempt, sendCount }, failed('not_sent', NOT_SENT_LOCALLY));
      expect(await payment.attempt(worker.attemptId)).toMatchObject({ status });
    }
  });

  it('of an earlier sending counts only if it succeeded, or if an operator knows that it did', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { worker, attempt } = await payment.claimed('refund', { amount: 100 });
    await payment.changeAttempt(worker.attemptId, 'send_count = 2');
    await record(payment, attempt, declined('57'));
    await record(payment, attempt, done('canceled'));
    await record(payment, attempt, failed('invalid_request'));
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ status: 'sent', responseCode: null });
    await record(payment, attempt, { kind: 'confirmed', message: 'seen' });
    expect(await payment.body()).toMatchObject({ refunded_amount: 100 });
    const second = await payment.claimed('refund', { amount: 50 });
    await payment.changeAttempt(second.attempt.id, 'send_count = 2');
    await record(payment, second.attempt, done('refunded'));
    expect(await payment.body()).toMatchObject({ refunded_amount: 150 });
  });

  it('tells the sweeper when to look at the payment again if it did not change the payment', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { worker } = await payment.claimed('refund');
    await payment.change(`recover_after = now() + interval '9 hours'`);
    await worker.record(failed('ambiguous'));
    const { recoverAfter } = await payment.row();
    expect((recoverAfter?.getTime() ?? 0) - Date.now()).toBeLessThan(3_600_000);
  });
});

describe('an operation that its gateway never received', () => {
  /** Claimed `sendCount` times, and `ageMs` old when its absence is proven. */
  async function absent(ageMs: number, sendCount: number) {
    const payment = await SteppedPayment.charged(engine);
    const { key, worker, attempt } = await payment.claimed('refund');
    await payment.changeAttempt(worker.attemptId, `send_count = ${sendCount}`);
    const deps = payment.depsAt(attempt.createdAt, ageMs);
    await record(payment, { ...attempt, sendCount }, ABSENT, CALL, deps);
    return [(await payment.attempt(worker.attemptId)).status, await payment.answered(key)];
  }

  it('is sent again while the request is recent, three times in all', async () => {
    expect(await absent(CHARGE_WINDOW_MS - 1, 2)).toEqual(['requested', null]);
    expect(await absent(CHARGE_WINDOW_MS, 2)).toEqual(['abandoned', 422]);
    expect(await absent(0, 3)).toEqual(['abandoned', 422]);
  });
});

describe('an operation that an inquiry finds', () => {
  const INQUIRY = { kind: 'inquiry', requestMs: 77 } as const;

  it.each([
    ['done', done('refunded'), ['refunded', 'refunded']],
    ['declined', declined('57'), ['declined', 'declined']],
    ['in a state of another operation', done('authorized'), ['unknown']],
    ['absent, so that it is sent again,', ABSENT, ['unknown']],
  ] as const)('%s is listed with the inquiry if that is its result', async (_what, update, statuses) => {
    const payment = await SteppedPayment.charged(engine);
    const { worker, attempt } = await payment.claimed('refund');
    await payment.changeAttempt(worker.attemptId, 'request_ms = 5');
    await record(payment, attempt, update, INQUIRY);
    const [, ...rows] = (await payment.body()).transactions;
    expect(rows.map(({ status }) => status)).toEqual(statuses);
    const stored = await engine.context.attempts.listByTransaction(payment.id);
    expect(stored.slice(1).map(({ requestMs }) => requestMs)).toEqual(statuses.length === 1 ? [5] : [5, 77]);
  });

  it('keeps the time of its own request, which an answer to it replaces', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { worker } = await payment.claimed('refund');
    await payment.changeAttempt(worker.attemptId, 'request_ms = 5');
    await worker.record(done('refunded'));
    expect(await payment.rows()).toEqual(['charge gateway_1 approved', 'refund gateway_1 refunded']);
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ requestMs: 12 });
  });
});

describe('an operation that an operator confirms', () => {
  it('counts once it was given to an operator, and once for each resolution', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { worker, attempt } = await payment.claimed('refund', { amount: 100 });
    await worker.record(failed('ambiguous'));
    const { id } = await insertResolution(engine, payment.id, 'paid');
    const resolution = await engine.context.resolutions.find((await payment.row()).id, id);
    if (resolution === null) throw new Error('no resolution');
    const source = { kind: 'operator', resolution } as const;
    const confirmed = { kind: 'confirmed', message: 'seen' } as const;
    await record(payment, attempt, confirmed, source);
    expect(await payment.body()).toMatchObject({ refunded_amount: 0 });
    await payment.changeAttempt(worker.attemptId, 'escalated_at = now()');
    const step = await record(payment, attempt, confirmed, source);
    expect(step).toMatchObject({ attempt: { status: 'refunded', responseMessage: 'seen' } });
    expect(await payment.body()).toMatchObject({ refunded_amount: 100 });
    await payment.changeAttempt(worker.attemptId, `status = 'unknown', escalated_at = now()`);
    const again = await record(payment, attempt, confirmed, source);
    expect(again).toMatchObject({ attempt: { status: 'unknown' } });
    expect(await payment.body()).toMatchObject({ refunded_amount: 100 });
  });
});

describe('a reversal of a charge that its payment does not need', () => {
  /** The first charge succeeded after it was recorded as failed and the second was made; its reversal is claimed. */
  async function reversed(kind: 'sale' | 'authorization') {
    const payment = await SteppedPayment.create(engine, kind, ['gateway_1', 'gateway_4']);
    const first = await payment.next();
    await first.record(failed('rate_limited'));
    await (await payment.next()).record(done(kind === 'sale' ? 'approved' : 'authorized'));
    await first.record(done(kind === 'sale' ? 'approved' : 'authorized', { amountCents: payment.amount }));
    const worker = await payment.next();
    return { payment, worker, attempt: await payment.attempt(worker.attemptId), chargeId: first.attemptId };
  }

  it.each([
    ['sale', 'refunded', 'approved'],
    ['authorization', 'canceled', 'authorized'],
  ] as const)('of %s marks the charge as %s and leaves the payment %s', async (kind, status, left) => {
    const { payment, worker, chargeId } = await reversed(kind);
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ purpose: 'reversal', status: 'sent' });
    await worker.record(done(status));
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ status });
    expect(await payment.attempt(chargeId)).toMatchObject({ status });
    expect(await payment.body()).toMatchObject({ status: left, refunded_amount: 0 });
  });

  it.each([
    ['is declined', declined('57'), 1],
    ['fails', failed('invalid_request'), 1],
    ['never arrived, three times', ABSENT, 3],
  ] as const)('stays unknown until an operator resolves it when it %s', async (_what, update, sendCount) => {
    const { payment, worker, attempt } = await reversed('sale');
    await payment.changeAttempt(worker.attemptId, `send_count = ${sendCount}`);
    await record(payment, { ...attempt, sendCount }, update);
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ status: 'unknown' });
  });

  it('is sent again when it never arrived, however old it is', async () => {
    const { payment, worker, attempt } = await reversed('sale');
    const deps = payment.depsAt(attempt.createdAt, 9 * CHARGE_WINDOW_MS);
    await record(payment, attempt, ABSENT, CALL, deps);
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ status: 'requested' });
  });
});

describe('a callback that waits for the result of an operation', () => {
  async function refundedWith(
    callback: (payment: SteppedPayment, chargeId: string) => Parameters<typeof withCallbacks>[1][number],
  ) {
    const payment = await SteppedPayment.charged(engine);
    const { worker, attempt } = await payment.claimed('refund', { amount: 100 });
    const { deps, processed } = withCallbacks(engine.deps, [
      callback(payment, attempt.targetAttemptId ?? ''),
    ]);
    const { status, pollAt } = await record(payment, attempt, done('refunded'), CALL, deps);
    return { payment, worker, processed, status, isPolled: pollAt !== null };
  }

  const reported = (payment: SteppedPayment, refundedCents = 100) =>
    ({ status: 'approved', capturedCents: payment.amount, refundedCents, paidCents: 0 }) as const;

  it('and reports what is recorded now is processed', async () => {
    expect(
      await refundedWith((payment, attemptId) => ({ attemptId, reportedState: reported(payment) })),
    ).toMatchObject({ processed: [1], isPolled: false });
  });

  it.each([
    ['is not signed', { trusted: false }],
    ['says nothing', { reportedState: null }],
  ])('and %s is left, and the gateway is asked', async (_what, change) => {
    expect(
      await refundedWith((payment, attemptId) => ({
        ...{ attemptId, reportedState: reported(payment) },
        ...change,
      })),
    ).toMatchObject({ processed: [], status: 'approved', isPolled: true });
  });

  it('and reports another amount is left, and the gateway is asked', async () => {
    expect(
      await refundedWith((payment, attemptId) => ({ attemptId, reportedState: reported(payment, 90) })),
    ).toMatchObject({ processed: [], status: 'approved', isPolled: true });
  });

  it('is left alone while another operation may still change the charge', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { attempt } = await payment.claimed('refund', { amount: 100 });
    await payment.request('refund', { amount: 50 });
    const attemptId = attempt.targetAttemptId ?? '';
    const { deps, processed } = withCallbacks(engine.deps, [{ attemptId, reportedState: reported(payment) }]);
    const { pollAt } = await record(payment, attempt, done('refunded'), CALL, deps);
    expect([processed, pollAt]).toEqual([[], null]);
  });
});
