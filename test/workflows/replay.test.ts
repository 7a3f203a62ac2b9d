import { Worker } from '@temporalio/worker';
import { resolveUpdate } from '../../workflows/messages';
import type { PaymentRequest } from '../../src/application/payment-request';
import type { GatewaySlug } from '../../src/domain/gateway-slug';
import { startEngine, type Engine } from '../support/engine';
import { recordedHistories, recording, saveHistory, type History } from '../support/histories';
import { pay, uniqueAmount } from '../support/pay';
import { newCompany, rawCard } from '../support/payments';
import { readStack } from '../support/stack';
import { waitFor } from '../support/wait-for';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({ STUCK_AFTER: '2', PAYMENT_SYNC_TIMEOUT: '5' });
});
afterAll(() => engine.stop());

/** The stories a payment can have, each by the way its gateways behave. */
const STORIES: Readonly<Record<string, () => Promise<string>>> = {
  'payment-approved': () => story(['gateway_1']),
  'payment-declined': () => story(['gateway_1'], {}, { card: rawCard('4000000000009987') }),
  'payment-failed-over': () => story(['gateway_1', 'gateway_2'], { decline: '91' }),
  'payment-found-by-inquiry': () => story(['gateway_2'], { drop: 'after' }),
  'payment-proven-absent': () => story(['gateway_2', 'gateway_1'], { drop: 'before' }),
  'payment-resolved-by-person': async () => {
    const id = await story(['gateway_3', 'gateway_1'], { drop: 'before' });
    const handle = engine.parts.temporal.workflow.getHandle(`payment/${id}`);
    const resolution = { outcome: 'absent', reason: 'not at the gateway', resolvedBy: '1' } as const;
    await waitFor(() => handle.executeUpdate(resolveUpdate, { args: [resolution] }));
    await handle.result();
    return id;
  },
};

async function story(
  gateways: readonly GatewaySlug[],
  behavior: object = {},
  change: Partial<PaymentRequest> = {},
): Promise<string> {
  const company = await newCompany(engine, gateways);
  const amount = uniqueAmount();
  const [gateway] = gateways;
  if (gateway !== undefined && Object.keys(behavior).length > 0) {
    await engine.simulator.script({ gateway, amount, operation: 'charge' }, behavior);
  }
  const { body } = await pay(engine, company, { amount, ...change });
  return body.transaction_id;
}

async function replay(histories: Array<{ workflowId: string; history: History }>): Promise<void> {
  const replayed: string[] = [];
  const options = {
    workflowBundle: { codePath: readStack().workflowBundlePath },
    dataConverter: engine.parts.dataConverter,
  };
  for await (const { workflowId, error } of Worker.runReplayHistories(options, histories)) {
    if (error) throw new Error(`${workflowId} does not replay`, { cause: error });
    replayed.push(workflowId);
  }
  expect(replayed).toHaveLength(histories.length);
}

describe('payment workflow code', () => {
  it.each(Object.keys(STORIES))('replays what it has just done: %s', async (name) => {
    const id = (await STORIES[name]?.()) ?? '';
    const handle = engine.parts.temporal.workflow.getHandle(`payment/${id}`);
    await handle.result();
    const history = await handle.fetchHistory();
    if (recording) saveHistory(name, history);
    await replay([{ workflowId: `payment/${id}`, history }]);
  });

  it('replays every history that an earlier version recorded', async () => {
    const histories = recordedHistories();
    expect(histories.length).toBeGreaterThanOrEqual(Object.keys(STORIES).length);
    await replay(histories);
  });
});
