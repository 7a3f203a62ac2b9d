import { inquireAttempt } from '../../../../activities/payments/inquire-attempt';
import type { GatewayRegistry } from '../../../../src/gateways/registry';
import { GatewayError } from '../../../../src/gateways/errors';
import type { FollowUp, GatewayContext, Outcome } from '../../../../src/gateways/gateway';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { SteppedPayment, declined, done, failed } from './stepped-payment';
import { sameGateways } from '../../../support/same-gateways';

/* Captures, cancels and refunds of unknown outcome at a gateway that answers no inquiries, and replays keys for a day. */

const DAY_MS = 86_400_000;

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

/** A refund whose answer was lost, and the gateway's answers to its repetitions. */
async function lostRefund(answer: () => Promise<Outcome>, replayWindowMs = DAY_MS) {
  const payment = await SteppedPayment.charged(engine);
  const { worker, key } = await payment.claimed('refund', { amount: 100 });
  await worker.record(failed('ambiguous'));
  const sent: Array<{ readonly key: string; readonly operation: FollowUp }> = [];
  const refund = ({ idempotencyKey }: GatewayContext, operation: FollowUp) => {
    sent.push({ key: idempotencyKey, operation });
    return answer();
  };
  const capabilities = {
    ...engine.deps.registries.of(1).capabilities('gateway_1'),
    ...({ truth: 'signed_callback', idempotency: 'replay', replayWindowMs } as const),
  };
  const driver = Object.assign(Object.create(engine.deps.registries.of(1).driver('gateway_1')) as object, {
    refund,
  });
  const changed = { driver: () => driver, capabilities: () => capabilities };
  const registry = Object.assign(Object.create(engine.deps.registries.of(1)) as GatewayRegistry, changed);
  const inquire = () =>
    inquireAttempt({ ...engine.deps, registries: sameGateways(registry) }, payment.id, worker.attemptId);
  return { payment, worker, key, sent, inquire, attempt: () => payment.attempt(worker.attemptId) };
}

const accepted = (): Promise<Outcome> => Promise.resolve(done('pending', { amountCents: 100 }).outcome);

it('an operation whose answer was lost is sent again with the same key and reference, and is accepted once', async () => {
  const { payment, worker, sent, inquire, attempt } = await lostRefund(accepted);
  await inquire();
  const { reference } = await attempt();
  expect(sent).toMatchObject([{ key: worker.attemptId, operation: { reference, amountCents: 100 } }]);
  expect(await attempt()).toMatchObject({ status: 'accepted', sendCount: 2 });
  expect(await payment.body()).toMatchObject({ pending_operations: [{ operation: 'refund', amount: 100 }] });
  await inquire();
  expect(sent).toHaveLength(1);
});

it('a refusal of the repeated operation is its result', async () => {
  const { payment, key, inquire } = await lostRefund(() => Promise.resolve(declined('57').outcome));
  await inquire();
  expect(await payment.answered(key)).toBe(422);
});

it('an error about the repeated operation says nothing about the first one', async () => {
  const refused = () => Promise.reject(new GatewayError('invalid_request', 'no such charge', '422'));
  const { sent, inquire, attempt } = await lostRefund(refused);
  await inquire();
  expect(sent).toHaveLength(1);
  expect(await attempt()).toMatchObject({ status: 'unknown', sendCount: 2 });
});

it('an operation is not sent again when the gateway may have forgotten its key', async () => {
  const { sent, inquire, attempt } = await lostRefund(accepted, 1_000);
  await inquire();
  expect(sent).toEqual([]);
  expect(await attempt()).toMatchObject({ status: 'unknown', sendCount: 1 });
});
