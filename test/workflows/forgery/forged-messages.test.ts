import { Client, Connection } from '@temporalio/client';
import { RawValue } from '@temporalio/common';
import { defineUpdate } from '@temporalio/workflow';
import type { PaymentBody } from '../../../src/presenters/payment';
import { startEngine, type Engine } from '../../support/stack/engine';
import { readStack } from '../../support/stack/stack';
import { ledgerOf, pay, reloadPayment, uniqueAmount } from '../../support/scenarios/pay';
import { insertResolution, resolve } from '../../support/scenarios/resolve';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';

/** An attacker who reaches Temporal's network and has no key. */
let attacker: Client;
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ STUCK_AFTER: '2', PAYMENT_SYNC_TIMEOUT: '3' });
  const { temporalAddress, temporalNamespace: namespace } = readStack();
  const connection = await Connection.connect({ address: temporalAddress });
  attacker = new Client({ connection, namespace });
});
afterAll(async () => {
  await attacker.connection.close();
  await engine.stop();
});

/** A payment that no gateway has charged and that waits for an operator. */
async function unpaidPayment() {
  const company = await newCompany(engine, ['gateway_3']);
  const amount = uniqueAmount();
  await engine.simulator.script({ gateway: 'gateway_3', amount, operation: 'charge' }, { drop: 'before' });
  const { body } = await pay(engine, company, { amount });
  const isStuck = async () => (await engine.context.payments.get(body.transaction_id)).stuckAt !== null;
  await waitFor(isStuck, { what: 'the payment to be stuck' });
  return { body, status: async () => (await reloadPayment(engine, company, body)).status };
}

const forgedUpdate = defineUpdate<unknown, [unknown]>('resolve');
const workflowIdOf = ({ transaction_id }: PaymentBody) => `payment/${transaction_id}`;

/** The whole decision, as an operator's client might send it. */
async function decisionFor({ transaction_id: id }: PaymentBody) {
  const [attempt] = await engine.context.attempts.listByTransaction(id);
  return { resolutionId: id, attemptId: attempt?.id, outcome: 'paid', reason: 'paid', resolvedBy: '1' };
}

describe('an update that somebody forges at Temporal', () => {
  it('is rejected if it is not encrypted, and the workflow goes on: the operator can still resolve the payment', async () => {
    const { body, status } = await unpaidPayment();
    const handle = attacker.workflow.getHandle(workflowIdOf(body));
    const forged = handle.executeUpdate(forgedUpdate, { args: [await decisionFor(body)] });
    await expect(forged).rejects.toThrow('Workflow Update failed');
    expect(await status()).toBe('processing');
    expect(await resolve(engine, body.transaction_id, 'retry')).toEqual({ status: 'processing' });
  });

  it('decides nothing even if it is encrypted, because a decision is a row and the update only names it', async () => {
    const { body, status } = await unpaidPayment();
    const handle = engine.context.temporal.workflow.getHandle(workflowIdOf(body));
    await handle.executeUpdate(forgedUpdate, { args: [await decisionFor(body)] });
    expect(await status()).toBe('processing');
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 0 });
  });

  it('is rejected if it repeats a message that was encrypted for another workflow', async () => {
    const { body, status } = await unpaidPayment();
    const { id: resolutionId } = await insertResolution(engine, body.transaction_id, 'paid');
    const context = { type: 'workflow', namespace: 'default', workflowId: 'payment/another' } as const;
    const message = {
      metadata: { encoding: Buffer.from('json/plain') },
      data: Buffer.from(JSON.stringify({ resolutionId })),
    };
    const [stolen] =
      (await engine.context.dataConverter.payloadCodecs?.[0]?.encode([message], context)) ?? [];
    const handle = attacker.workflow.getHandle(workflowIdOf(body));
    const forged = handle.executeUpdate(forgedUpdate, { args: [RawValue.fromPayload(stolen ?? {})] });
    await expect(forged).rejects.toThrow('Workflow Update failed');
    expect(await status()).toBe('processing');
  });
});
