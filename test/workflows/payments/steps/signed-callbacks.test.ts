import { pollPaymentStatus } from '../../../../activities/payments/poll-payment-status';
import { GatewayRegistry, type GatewayRegistryOptions } from '../../../../src/gateways/registry';
import { SimulatorDriver } from '../../../../src/gateways/simulator/driver';
import type { CallbackProof } from '../../../../src/gateways/callback';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import type { ReportedChargeState } from '../../../../src/domain/payments/reported-charge-state';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { SteppedPayment, done, withCallbacks } from './stepped-payment';

/* Callbacks of a gateway that answers no inquiries: signed over their body, they are facts. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

/** The simulator's driver without inquiries. */
class SilentDriver extends SimulatorDriver {
  constructor(private readonly truth: 'inquiry' | 'signed_callback') {
    super();
  }

  override capabilities(slug: GatewaySlug) {
    return { ...super.capabilities(slug), truth: this.truth };
  }

  override inquire() {
    return Promise.resolve({ kind: 'inconclusive', reason: 'no inquiries' } as const);
  }
}

type Waiting = Parameters<typeof withCallbacks>[1];

/** One poll of a payment with these callbacks; returns how many were processed. */
async function poll(
  payment: SteppedPayment,
  callbacks: Waiting,
  truth: 'inquiry' | 'signed_callback' = 'signed_callback',
) {
  const { deps, processed } = withCallbacks(engine.deps, callbacks);
  const driver = () => new SilentDriver(truth);
  const registry = Object.assign(Object.create(deps.registry) as GatewayRegistry, { driver });
  const input = { companyId: payment.subject.company.id, transactionId: payment.id };
  const step = await pollPaymentStatus({ ...deps, registry }, { ...input, at: Date.now(), offsetMs: 0 });
  return { processed: processed.length, step };
}

async function chargeOf(payment: SteppedPayment): Promise<string> {
  const [charge] = await engine.context.attempts.listByTransaction(payment.id);
  return charge?.id ?? '';
}

const state = (change: Partial<ReportedChargeState>): ReportedChargeState => ({
  ...{ status: 'approved', capturedCents: 0, refundedCents: 0, paidCents: 0 },
  ...change,
});

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

describe('a deployment', () => {
  const start = (proof: Partial<CallbackProof>) => () => {
    const driver = Object.assign(new SilentDriver('signed_callback'), {
      callbackProof: { ...new SimulatorDriver().callbackProof, ...proof },
    });
    const options = { drivers: new Map([['gateway_5', driver]]), platformSecret: '' };
    return new GatewayRegistry(options as unknown as GatewayRegistryOptions);
  };

  it('does not start with a driver whose callbacks are facts without a signature over their body', () => {
    expect(start({})).not.toThrow();
    expect(start({ coversBody: false })).toThrow('no signature covers their body');
    expect(start({ kind: 'static_token' })).toThrow('no signature covers their body');
  });
});
