import type { GatewayAnswer } from '../../../../activities/payments/call-gateway';
import type { Capabilities } from '../../../../src/domain/routing/routing';
import { inquireAttempt } from '../../../../activities/payments/inquire-attempt';
import { GatewayRegistry, type GatewayRegistryOptions } from '../../../../src/gateways/registry';
import { GatewayError } from '../../../../src/gateways/errors';
import type { CallbackProof } from '../../../../src/gateways/callback';
import { startEngine, type Engine } from '../../../support/stack/engine';
import {
  chargeIdOf,
  pollSilently,
  type PollOptions,
  SilentDriver,
  state,
  withSilentGateway,
} from './silent-gateway';
import { SteppedPayment, declined, done, failed, withCallbacks } from './stepped-payment';
import { sameGateways } from '../../../support/same-gateways';

/* Callbacks of a gateway that answers no inquiries: signed over their body, they are facts. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

const poll = (payment: SteppedPayment, ...options: PollOptions) => pollSilently(engine, payment, ...options);
const chargeOf = (payment: SteppedPayment) => chargeIdOf(engine, payment);

async function acceptedRefund() {
  const payment = await SteppedPayment.charged(engine);
  const { worker, key } = await payment.claimed('refund', { amount: 100 });
  await worker.record(done('pending', { amountCents: 100 }));
  return { payment, key, refundId: worker.attemptId };
}

describe('a signed callback of a gateway without inquiries', () => {
  const paid = async () => {
    const payment = await SteppedPayment.charged(engine, 'pix');
    const { amount } = payment;
    const reportedState = state({ capturedCents: amount, paidCents: amount });
    return { payment, callback: { attemptId: await chargeOf(payment), reportedState } };
  };

  it('that reports a paid pix approves it', async () => {
    const { payment, callback } = await paid();
    expect(await poll(payment, [callback])).toMatchObject({ processed: 1, step: { status: 'approved' } });
    expect(await payment.body()).toMatchObject({ status: 'approved', paid_amount: payment.amount });
  });

  it('that reports a paid pix counts whether one that it expired arrives before or after it', async () => {
    for (const expiredLast of [true, false]) {
      const { payment, callback } = await paid();
      const expired = { ...callback, reportedState: state({ status: 'expired' }) };
      const callbacks = expiredLast ? [callback, expired] : [expired, callback];
      const { processed, step } = await poll(payment, callbacks);
      expect([processed, step.status, step.needsOperator]).toEqual([2, 'approved', null]);
    }
  });

  it.each([
    ['is not signed', { trusted: false }],
    ['has a signature that does not cover its body', { reportedState: null }],
  ])('changes nothing if it %s', async (_what, change) => {
    const { payment, callback } = await paid();
    const { processed } = await poll(payment, [{ ...callback, ...change }]);
    expect([processed, (await payment.body()).status]).toEqual([0, 'pending']);
  });

  it('changes nothing at a gateway with inquiries: it only makes it be asked', async () => {
    const { payment, callback } = await paid();
    const { processed } = await poll(payment, [callback], 'inquiry');
    expect([processed, (await payment.body()).status]).toEqual([0, 'pending']);
  });

  it('ends an accepted refund, as carried out by the state of the charge or as refused by its own', async () => {
    const first = await acceptedRefund();
    const attemptId = await chargeOf(first.payment);
    const refunded = state({ capturedCents: first.payment.amount, refundedCents: 100 });
    await poll(first.payment, [{ attemptId, reportedState: refunded }]);
    expect(await first.payment.body()).toMatchObject({ refunded_amount: 100, pending_operations: [] });
    expect(await first.payment.answered(first.key)).toBe(200);

    const second = await acceptedRefund();
    const refused = { attemptId: second.refundId, reportedState: state({ status: 'declined' }) };
    await poll(second.payment, [refused]);
    expect(await second.payment.attempt(second.refundId)).toMatchObject({ status: 'declined' });
    expect(await second.payment.answered(second.key)).toBe(422);
  });

  it('counts by the furthest of several, and an older one that arrives later changes nothing', async () => {
    const payment = await SteppedPayment.charged(engine);
    const attemptId = await chargeOf(payment);
    const report = (refundedCents: number) => ({
      attemptId,
      reportedState: state({ capturedCents: payment.amount, refundedCents }),
    });
    await poll(payment, [report(200), report(100)]);
    expect(await payment.body()).toMatchObject({ refunded_amount: 200 });
    const rows = await payment.rows();
    expect(await poll(payment, [report(100)])).toMatchObject({ processed: 1 });
    expect(await payment.rows()).toEqual(rows);
  });
});

describe('a signed callback about an operation', () => {
  const refunded = async () => {
    const { payment, key, refundId } = await acceptedRefund();
    const done = { attemptId: refundId, reportedState: state({ status: 'refunded', refundedCents: 100 }) };
    const failed = { attemptId: refundId, reportedState: state({ status: 'declined' }) };
    return { payment, key, refundId, done, failed };
  };

  it('is processed once its result is recorded, and asks nobody', async () => {
    const { payment, done } = await refunded();
    expect(await poll(payment, [done])).toMatchObject({ processed: 0 });
    expect(await payment.body()).toMatchObject({ refunded_amount: 100 });
    expect(await poll(payment, [done])).toMatchObject({ processed: 1, step: { needsOperator: null } });
  });

  it('that a refund has failed after it was made lets an operator look at once, and changes no amount', async () => {
    const { payment, done, failed } = await refunded();
    await poll(payment, [done]);
    const { processed, step } = await poll(payment, [failed]);
    expect(processed).toBe(1);
    expect(step.needsOperator).not.toBeNull();
    const { refunded_amount, transactions } = await payment.body();
    expect(refunded_amount).toBe(100);
    expect(transactions.at(-1)?.response_message).toContain('refunded R$ 0,00. Records: ');
    // An older callback about the charge does not agree with it.
    const older = state({ capturedCents: payment.amount });
    const again = await poll(payment, [{ attemptId: await chargeOf(payment), reportedState: older }]);
    expect(again.step.needsOperator).not.toBeNull();
  });

  it('that it has failed counts, whichever of the two arrives first', async () => {
    for (const inOrder of [true, false]) {
      const { payment, key, done, failed } = await refunded();
      await poll(payment, inOrder ? [done, failed] : [failed, done]);
      expect(await payment.body()).toMatchObject({ refunded_amount: 0, pending_operations: [] });
      expect(await payment.answered(key)).toBe(422);
      expect(await poll(payment, [done])).toMatchObject({ processed: 1 });
      expect(await payment.body()).toMatchObject({ refunded_amount: 0 });
    }
  });

  it('that a dispute was opened is processed: the timeline shows it', async () => {
    const payment = await SteppedPayment.charged(engine);
    const callback = { attemptId: await chargeOf(payment), kind: 'chargeback', reportedState: null } as const;
    expect(await poll(payment, [callback])).toMatchObject({ processed: 1, step: { needsOperator: null } });
  });
});

describe('a refund that a signed callback tells without the state of the charge', () => {
  const told = async (payment: SteppedPayment, refundCents: number, eventId = 'event') =>
    ({ attemptId: await chargeOf(payment), refundCents, eventId }) as const;

  it('is recorded for review, with all others and once each', async () => {
    const payment = await SteppedPayment.charged(engine);
    const [first, second] = [await told(payment, 100, 'first'), await told(payment, 250, 'second')];
    const { processed, step } = await poll(payment, [first, second, first]);
    expect(processed).toBe(3);
    expect(step.needsOperator).not.toBeNull();
    expect(await payment.body()).toMatchObject({ refunded_amount: 350 });
    await poll(payment, [await told(payment, payment.amount - 350, 'third')]);
    expect(await payment.body()).toMatchObject({ status: 'refunded', refunded_amount: payment.amount });
  });

  it('waits for the result of a refund of ours, which it may not be', async () => {
    const { payment, refundId } = await acceptedRefund();
    const refund = await told(payment, 100);
    expect(await poll(payment, [refund])).toMatchObject({ processed: 0 });
    expect(await payment.body()).toMatchObject({ refunded_amount: 0 });
    const ours = { attemptId: refundId, reportedState: state({ status: 'refunded', refundedCents: 100 }) };
    await poll(payment, [refund, ours]);
    expect(await payment.body()).toMatchObject({ refunded_amount: 200 });
  });

  it('and came back lets an operator look, and changes no amount', async () => {
    const payment = await SteppedPayment.charged(engine);
    await poll(payment, [await told(payment, 100)]);
    const { step } = await poll(payment, [await told(payment, -100, 'back')]);
    expect(step.needsOperator).not.toBeNull();
    expect(await payment.body()).toMatchObject({ refunded_amount: 100 });
  });
});

describe('a decline that a signed callback tells', () => {
  /** The inquiry about a charge whose answer was lost. `repeated`: the answer to the same key. */
  const inquired = async (repeated: GatewayAnswer, idempotency: 'replay' | 'none') => {
    const payment = await SteppedPayment.create(engine);
    const worker = await payment.next();
    await worker.record(failed('ambiguous'));
    const reported = { attemptId: worker.attemptId, reportedState: state({ status: 'declined' }) };
    const { deps } = withCallbacks(engine.deps, [reported]);
    const driver = new SilentDriver('signed_callback');
    const capabilities = { ...driver.capabilities('gateway_1'), idempotency, replayWindowMs: 86_400_000 };
    const charge = () =>
      repeated.kind === 'outcome'
        ? Promise.resolve(repeated.outcome)
        : Promise.reject(new GatewayError('ambiguous', 'no'));
    Object.assign(driver, { charge, capabilities: () => capabilities });
    const changed = { driver: () => driver, capabilities: () => capabilities };
    const registry = Object.assign(Object.create(deps.registries.of(1)) as GatewayRegistry, changed);
    await inquireAttempt({ ...deps, registries: sameGateways(registry) }, payment.id, worker.attemptId);
    return payment.attempt(worker.attemptId);
  };

  it('has the reason that the gateway answers to the same key', async () => {
    expect(await inquired(declined('51'), 'replay')).toMatchObject({
      status: 'declined',
      responseCode: '51',
    });
  });

  it('has no reason at a gateway that does not answer it again, and waits while that answer is lost, too', async () => {
    expect(await inquired(declined('51'), 'none')).toMatchObject({ status: 'declined', responseCode: null });
    expect(await inquired(failed('ambiguous'), 'replay')).toMatchObject({ status: 'unknown' });
  });
});

describe('an authorization that a signed callback tells', () => {
  it('counts only if all of the amount is reserved, because a part is not what the company asked for', async () => {
    for (const isWhole of [true, false]) {
      const payment = await SteppedPayment.create(engine, 'authorization');
      const worker = await payment.next();
      await worker.record(failed('ambiguous'));
      const authorizedCents = isWhole ? payment.amount : payment.amount - 1;
      const reportedState = state({ status: 'authorized', authorizedCents });
      const callback = { attemptId: worker.attemptId, gatewayTransactionId: 'psp-1', reportedState };
      await inquireAttempt(withSilentGateway(engine, [callback]).deps, payment.id, worker.attemptId);
      const { status } = await payment.attempt(worker.attemptId);
      expect(status).toBe(isWhole ? 'authorized' : 'unknown');
    }
  });
});

describe('an expiry that a signed callback tells', () => {
  it('ends an unpaid pix at its deadline, without an operator', async () => {
    const payment = await SteppedPayment.create(engine, 'pix');
    const deadline = Date.now() + 600_000;
    const pix = { qrCode: '0002', expiresAt: new Date(deadline).toISOString(), endToEndId: null };
    await (await payment.next()).record(done('pending', { amountCents: payment.amount, pix }));
    const expired = { attemptId: await chargeOf(payment), reportedState: state({ status: 'expired' }) };
    expect(await poll(payment, [expired])).toMatchObject({ processed: 0, step: { status: 'pending' } });
    const { processed, step } = await poll(payment, [expired], 'signed_callback', deadline + 5 * 60_000);
    expect([processed, step.status, step.needsOperator]).toEqual([1, 'failed', null]);
  });

  it('of an authorization ends the cancel that its gateway refused because of it', async () => {
    const payment = await SteppedPayment.charged(engine, 'authorization');
    const { captureBefore } = await payment.row();
    await poll(payment, [], 'signed_callback', (captureBefore?.getTime() ?? 0) + 1);
    const worker = await payment.next();
    await worker.record(declined('57'));
    const reported = { attemptId: await chargeOf(payment), reportedState: state({ status: 'expired' }) };
    const { deps } = withCallbacks(engine.deps, [reported]);
    const driver = () => new SilentDriver('signed_callback');
    const registry = Object.assign(Object.create(deps.registries.of(1)) as GatewayRegistry, { driver });
    await inquireAttempt({ ...deps, registries: sameGateways(registry) }, payment.id, worker.attemptId);
    expect(await payment.body()).toMatchObject({ status: 'canceled' });
  });

  it('of the rest of an authorization says nothing about what was captured', async () => {
    const payment = await SteppedPayment.charged(engine, 'authorization');
    const { worker } = await payment.claimed('capture', { amount: 100 });
    await worker.record(done('approved', { amountCents: 100 }));
    const expired = { attemptId: await chargeOf(payment), reportedState: state({ status: 'expired' }) };
    const { processed, step } = await poll(payment, [expired]);
    expect([processed, step.status, step.needsOperator]).toEqual([1, 'approved', null]);
  });
});

describe('a deployment', () => {
  const start =
    (proof: Partial<CallbackProof>, changes: Partial<Capabilities> = {}) =>
    () => {
      const simulated = new SilentDriver('signed_callback');
      const capabilities = { ...simulated.capabilities('gateway_5'), subAccounts: false, ...changes };
      const driver = Object.assign(simulated, {
        callbackProof: { ...simulated.callbackProof, ...proof },
        capabilities: () => capabilities,
      });
      const options = { drivers: new Map([['gateway_5', driver]]), platformSecret: '' };
      return new GatewayRegistry(options as unknown as GatewayRegistryOptions);
    };

  it('does not start with a driver whose callbacks are facts without a signature over their body', () => {
    expect(start({})).not.toThrow();
    expect(start({ coversBody: false })).toThrow('no signature covers their body');
    expect(start({ kind: 'static_token' })).toThrow('no signature covers their body');
  });

  it('does not start with such a driver if companies charge through the platform’s account there', () => {
    const bySubAccounts = { subAccounts: true, splits: 'exact', maxRecipients: 50 } as const;
    const problem = 'companies could sign them for the platform';
    expect(start({}, { ...bySubAccounts, splitCosts: 'flagged' })).toThrow(problem);
    // There no credential can be a sub-account, so that companies charge through their own accounts only.
    expect(start({}, { ...bySubAccounts, splitCosts: 'platform' })).not.toThrow();
  });
});
