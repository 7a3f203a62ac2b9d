import type { FailpointName } from '../../../src/failpoints';
import { wakeSignal } from '../../../workflows/messages';
import { Merchant, resultOf, transactionIdOf, type MerchantOrder } from '../../support/merchant/merchant';
import { waitFor } from '../../support/stack/wait-for';
import { chargedGateways, isReviewed, operationsOf } from './charge-scenarios';
import { WORKERS, type FaultStack } from './fault-stack';
import { exclusiveScenario, expectEqual, type FailpointScenario } from './scenario';
import type { ProxiedProgram } from './stack-messages';

/** Longer than heartbeat timeouts, proofs of absence and the time until a payment is stuck, on a busy machine. */
const DECIDED_WITHIN_MS = 100_000;
const SLOW_MS = 600;

/** These scenarios need a stack with proxies. */
const frozenDuringCalls = exclusiveScenario(
  'a worker frozen during its gateway calls is replaced, and sends nothing after it resumes',
  async (context) => {
    const { stack, operator } = context;
    const slow: MerchantOrder[] = [];
    for (const gateway of ['gateway_1', 'gateway_2', 'gateway_3'] as const) {
      const merchant = await Merchant.register(stack, [gateway, 'gateway_4']);
      slow.push(merchant.order(), merchant.order(), merchant.order());
    }
    const claimed = (await Merchant.register(stack, ['gateway_2', 'gateway_4'])).order();
    const orders = [...slow, claimed];
    return {
      orders,
      injectFault: () =>
        operator.pauseDuring(async () => {
          for (const { amount } of slow) await stack.simulator.script({ amount }, { delay_ms: SLOW_MS });
          for (const order of slow) void order.merchant.pay(order);
          await waitFor(async () => (await countSentCharges(stack, slow)) === slow.length, {
            what: 'every call to have been sent',
          });
          const { companyId } = claimed.merchant;
          const claimedCall = stack.arm('charge-prepared', 'stop', WORKERS, companyId);
          void claimed.merchant.pay(claimed);
          const frozen = await claimedCall.triggered();
          disconnect(stack, frozen);
          await waitUntilDecided(stack, orders);
          const nextCall = stack.arm('gateway-answered', 'stop', [frozen]);
          reconnect(stack, frozen);
          // At the next failpoint the worker has either sent its claimed charge or dropped it.
          await nextCall.triggered();
          stack.resume(frozen);
        }),
      findViolations: async () => [
        ...expectEqual('operations', operationsOf(claimed), [
          'charge gateway_2 abandoned',
          'charge gateway_4 approved',
        ]),
        ...expectEqual('charges sent', await chargedGateways(context, claimed), ['gateway_4']),
        ...slow.flatMap((order) => expectEqual('a slow payment', resultOf(order)?.status, 'approved')),
      ],
    };
  },
);

const frozenWithAnswer = exclusiveScenario(
  'a worker frozen with a gateway answer records it after the payment became stuck: no review is needed',
  async (context) => {
    const { stack, operator } = context;
    const merchant = await Merchant.register(stack, ['gateway_3', 'gateway_4']);
    const order = merchant.order();
    return {
      orders: [order],
      injectFault: () =>
        operator.pauseDuring(async () => {
          const armed = stack.arm('gateway-answered', 'stop', WORKERS, merchant.companyId);
          const paying = merchant.pay(order);
          const frozen = await armed.triggered();
          disconnect(stack, frozen);
          await waitUntilDecided(stack, [order]);
          reconnect(stack, frozen);
          await paying;
          // The workflow of a stuck payment finds the result at its next poll; a signal, as a callback sends it, polls now.
          await stack.temporal.workflow.getHandle(`payment/${transactionIdOf(order)}`).signal(wakeSignal);
        }),
      findViolations: async () => [
        ...expectEqual('operations', operationsOf(order), ['charge gateway_3 approved']),
        ...expectEqual('a manual review was needed', await isReviewed(context, order), false),
      ],
    };
  },
);

const postgresKilled = exclusiveScenario(
  'a gateway answer that Postgres could not record is kept for the activity retry: gateway_3 needs no review',
  async (context) => {
    const { stack } = context;
    const merchant = await Merchant.register(stack, ['gateway_3', 'gateway_4']);
    const order = merchant.order();
    return {
      orders: [order],
      injectFault: async () => {
        const armed = stack.arm('gateway-answered', 'stop', WORKERS, merchant.companyId);
        void merchant.pay(order);
        const worker = await armed.triggered();
        await stack.kill('postgres');
        stack.resume(worker);
      },
      findViolations: async () => [
        ...expectEqual('operations', operationsOf(order), ['charge gateway_3 approved']),
        ...expectEqual('a manual review was needed', await isReviewed(context, order), false),
        ...((await firstActivityAttempts(stack, order)) > 1 ? [] : ['the activity was not retried']),
      ],
    };
  },
);

export const frozenWorkerScenarios: readonly FailpointScenario[] = [
  frozenDuringCalls,
  frozenWithAnswer,
  postgresKilled,
];

/**
 * Freezes the first of these processes that reaches the failpoint while working for the merchant, and resumes it once another
 * one has taken over. `send` starts that work.
 */
export async function freezeAt(
  stack: FaultStack,
  failpoint: FailpointName,
  { merchant }: Pick<MerchantOrder, 'merchant'>,
  names: readonly ProxiedProgram[],
  { send, waitUntilTakenOver }: { send: () => unknown; waitUntilTakenOver: () => Promise<void> },
): Promise<void> {
  const armed = stack.arm(failpoint, 'stop', names, merchant.companyId);
  void send();
  const frozen = await armed.triggered();
  disconnect(stack, frozen);
  await waitUntilTakenOver();
  reconnect(stack, frozen);
}

/**
 * Closes the frozen process's connections to Temporal. Otherwise its open polls would get tasks, each of which is lost
 * until it times out, and the scenario is about something else: what the worker does after it resumes.
 */
function disconnect(stack: FaultStack, frozen: ProxiedProgram): void {
  stack.proxy(frozen, 'temporal').setCondition({ kind: 'refused' });
}

function reconnect(stack: FaultStack, frozen: ProxiedProgram): void {
  stack.proxy(frozen, 'temporal').setCondition({ kind: 'normal' });
  stack.resume(frozen);
}

async function countSentCharges(
  { simulator }: FaultStack,
  orders: readonly MerchantOrder[],
): Promise<number> {
  const amounts = new Set(orders.map(({ amount }) => amount));
  const response = await fetch(`${simulator.url}/_admin/requests`);
  const { requests } = (await response.json()) as { requests: Array<{ amount: number | null }> };
  return requests.filter(({ amount }) => amount !== null && amounts.has(amount)).length;
}

/** Waits until each payment is final or stuck. */
export async function waitUntilDecided({ db }: FaultStack, orders: readonly MerchantOrder[]): Promise<void> {
  await waitFor(
    async () => {
      const undecided = await db.query(
        `SELECT transaction_id FROM payments
         WHERE idempotency_key = ANY($1) AND status = 'processing' AND stuck_at IS NULL`,
        [orders.map(({ key }) => key)],
      );
      if (undecided.length > 0) throw new Error(`undecided: ${JSON.stringify(undecided)}`);
      return true;
    },
    { what: 'the other worker to take over', withinMs: DECIDED_WITHIN_MS, everyMs: 100 },
  );
}

/** How many attempts the payment's first activity took. */
async function firstActivityAttempts({ temporal }: FaultStack, order: MerchantOrder): Promise<number> {
  const { events } = await temporal.workflow.getHandle(`payment/${transactionIdOf(order)}`).fetchHistory();
  const started = events?.find((event) => event.activityTaskStartedEventAttributes);
  return started?.activityTaskStartedEventAttributes?.attempt ?? 0;
}
