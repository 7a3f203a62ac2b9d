import { inquireAttempt } from '../../../../activities/payments/inquire-attempt';
import { pollPaymentStatus } from '../../../../activities/payments/poll-payment-status';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import type { GatewayRegistry } from '../../../../src/gateways/registry';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { chargeIdOf, pollSilently, state, withSilentGateway } from './silent-gateway';
import { declined, done, failed, found, SteppedPayment } from './stepped-payment';
import { sameGateways } from '../../../support/same-gateways';

/* Signed callbacks with our reference about another charge than ours, at a gateway that answers no inquiries. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

/** What was requested, with the gateway's id that it is about. */
async function requested(payment: SteppedPayment): Promise<unknown[]> {
  const attempts = await engine.context.attempts.listByTransaction(payment.id);
  return attempts
    .filter(({ status }) => status === 'requested')
    .map(({ operation, purpose, gatewayTransactionId: id, amountCents }) => [
      operation,
      purpose,
      id,
      amountCents,
    ]);
}

describe('a signed callback about another charge with our reference', () => {
  const other = async (payment: SteppedPayment, reportedState: ReturnType<typeof state>) => ({
    attemptId: await chargeIdOf(engine, payment),
    gatewayTransactionId: 'psp-2',
    reportedState,
  });

  it('that has charged the card again returns that charge once, and leaves ours as it is', async () => {
    const payment = await SteppedPayment.charged(engine);
    const callback = await other(payment, state({ capturedCents: payment.amount }));
    expect(await pollSilently(engine, payment, [callback])).toMatchObject({ processed: 1 });
    const reversal = ['refund', 'reversal', 'psp-2', payment.amount];
    expect(await requested(payment)).toEqual([reversal]);
    await pollSilently(engine, payment, [callback]);
    expect(await requested(payment)).toEqual([reversal]);
    expect(await payment.body()).toMatchObject({ status: 'approved', refunded_amount: 0 });
  });

  it('that was canceled or refused does not end ours', async () => {
    for (const status of ['canceled', 'declined', 'expired'] as const) {
      const payment = await SteppedPayment.charged(engine);
      const { processed, step } = await pollSilently(engine, payment, [
        await other(payment, state({ status })),
      ]);
      expect([processed, step.status, step.needsOperator]).toEqual([1, 'approved', null]);
    }
  });

  it('that has charged a card which was declined here returns that charge, and not the declined one', async () => {
    const payment = await SteppedPayment.create(engine);
    const worker = await payment.next();
    const { outcome, ...rest } = declined('14');
    await worker.record({ ...rest, outcome: { ...outcome, gatewayTransactionId: 'psp-1' } });
    expect(await payment.body()).toMatchObject({ status: 'failed' });
    const callback = await other(payment, state({ capturedCents: payment.amount }));
    await pollSilently(engine, payment, [callback]);
    expect(await requested(payment)).toEqual([['refund', 'reversal', 'psp-2', payment.amount]]);
  });

  it('is told from the one that holds the money, if the answer to the charge was lost', async () => {
    const payment = await SteppedPayment.create(engine);
    const worker = await payment.next();
    await worker.record(failed('ambiguous'));
    const attemptId = worker.attemptId;
    const callbacks = [
      {
        ...{ attemptId, gatewayTransactionId: 'psp-1' },
        reportedState: state({ capturedCents: payment.amount }),
      },
      { ...(await other(payment, state({ status: 'canceled' }))) },
    ];
    const { deps } = withSilentGateway(engine, callbacks);
    await inquireAttempt(deps, payment.id, attemptId);
    expect(await payment.attempt(attemptId)).toMatchObject({
      status: 'approved',
      gatewayTransactionId: 'psp-1',
    });
  });
});

it('a callback about a charge that was declined elsewhere is processed when that gateway answers, whatever the payment’s own gateway says', async () => {
  const payment = await SteppedPayment.create(engine, 'sale', ['gateway_1', 'gateway_2']);
  const first = await payment.next();
  await first.record(declined('91'));
  await (await payment.next()).record(done('approved', { amountCents: payment.amount }));
  const answers = { inquire: () => Promise.resolve(found(declined('91'))) };
  const { deps, processed } = withSilentGateway(engine, [{ attemptId: first.attemptId }]);
  const silent = deps.registries.of(1).driver.bind(deps.registries.of(1));
  const driver = (slug: GatewaySlug) => Object.assign(silent(slug), slug === 'gateway_1' && answers);
  const capabilities = (slug: GatewaySlug) => ({
    ...silent(slug).capabilities(slug),
    truth: slug === 'gateway_1' ? ('inquiry' as const) : ('signed_callback' as const),
  });
  const registry = Object.assign(Object.create(deps.registries.of(1)) as GatewayRegistry, {
    driver,
    capabilities,
  });
  const input = { companyId: payment.subject.company.id, transactionId: payment.id };
  const step = await pollPaymentStatus(
    { ...deps, registries: sameGateways(registry) },
    { ...input, at: Date.now(), offsetMs: 0 },
  );
  expect([processed.length, step.status, step.needsOperator]).toEqual([1, 'approved', null]);
});
