import { wakeSignal } from '../../../workflows/messages';
import { waitFor } from '../../support/stack/wait-for';
import { operationsOf, sendings } from './charge-scenarios';
import { WORKERS, type FaultStack, type WorkerName } from './fault-stack';
import { idOf, Merchant, resultOf, type Order } from './merchant';
import { expectSame, type Story } from './scenario';

/** Longer than heartbeats, proofs of absence and the way to the desk take, on a machine that may be busy. */
const WITHIN_MS = 100_000;
const SLOW_MS = 600;

/** These need a stack whose programs reach Temporal through networks. */
const midCall = everywhere(
  'a worker frozen in the middle of its calls is replaced; when it wakes up it sends nothing',
  {
    prepare: async (stage) => {
      const { stack, person } = stage;
      const slow: Order[] = [];
      for (const gateway of ['gateway_1', 'gateway_2', 'gateway_3'] as const) {
        const merchant = await Merchant.register(stack, [gateway, 'gateway_4']);
        slow.push(merchant.order(), merchant.order(), merchant.order());
      }
      const claimed = (await Merchant.register(stack, ['gateway_2', 'gateway_4'])).order();
      const orders = [...slow, claimed];
      return {
        orders,
        strike: () =>
          person.awayDuring(async () => {
            for (const { amount } of slow) await stack.simulator.script({ amount }, { delay_ms: SLOW_MS });
            for (const order of slow) void order.merchant.pay(order);
            await waitFor(async () => (await sentCharges(stack, slow)) === slow.length, {
              what: 'all calls to be under way',
            });
            const { companyId } = claimed.merchant;
            const trap = stack.arm('charge-prepared', 'stop', WORKERS, companyId);
            void claimed.merchant.pay(claimed);
            const frozen = await trap.sprung();
            cutOff(stack, frozen);
            await untilDecided(stack, orders);
            const awake = stack.arm('gateway-answered', 'stop', [frozen]);
            wake(stack, frozen);
            // Whatever it had in mind to send has been sent, or not, when it comes to the next failpoint.
            await awake.sprung();
            stack.thaw(frozen);
          }),
        wrongs: async () => [
          ...expectSame('operations', operationsOf(claimed), [
            'charge gateway_2 abandoned',
            'charge gateway_4 approved',
          ]),
          ...expectSame('charges sent', await sendings(stage, claimed), ['gateway_4']),
          ...slow.flatMap((order) => expectSame('the slow one', resultOf(order)?.status, 'approved')),
        ],
      };
    },
  },
);

const withAnswer = everywhere(
  'a worker frozen with an answer in its hands brings it even after a person was asked: nobody has to say anything',
  {
    prepare: async ({ stack, person }) => {
      const merchant = await Merchant.register(stack, ['gateway_3', 'gateway_4']);
      const order = merchant.order();
      return {
        orders: [order],
        strike: () =>
          person.awayDuring(async () => {
            const trap = stack.arm('gateway-answered', 'stop', WORKERS, merchant.companyId);
            const paying = merchant.pay(order);
            const frozen = await trap.sprung();
            cutOff(stack, frozen);
            await untilDecided(stack, [order]);
            wake(stack, frozen);
            await paying;
            // The workflow at the desk sees it at its next look, which a callback brings forward.
            await stack.temporal.workflow.getHandle(`payment/${idOf(order)}`).signal(wakeSignal);
          }),
        wrongs: () =>
          Promise.resolve([
            ...expectSame('operations', operationsOf(order), ['charge gateway_3 approved']),
            ...expectSame('a person was asked', person.asked.has(idOf(order)), false),
          ]),
      };
    },
  },
);

const withoutPostgres = everywhere(
  'an answer that Postgres could not take travels with the retry: at gateway_3 nobody need be asked',
  {
    prepare: async ({ stack, person }) => {
      const merchant = await Merchant.register(stack, ['gateway_3', 'gateway_4']);
      const order = merchant.order();
      return {
        orders: [order],
        strike: async () => {
          const trap = stack.arm('gateway-answered', 'stop', WORKERS, merchant.companyId);
          void merchant.pay(order);
          const worker = await trap.sprung();
          await stack.kill('postgres');
          stack.thaw(worker);
        },
        wrongs: async () => [
          ...expectSame('operations', operationsOf(order), ['charge gateway_3 approved']),
          ...expectSame('a person was asked', person.asked.has(idOf(order)), false),
          ...((await triesOfFirstActivity(stack, order)) > 1 ? [] : ['the activity ran once']),
        ],
      };
    },
  },
);

export const frozenStories: readonly Story[] = [midCall, withAnswer, withoutPostgres];

function everywhere(title: string, story: Pick<Story, 'prepare'>): Story {
  return { title, hurts: 'everywhere', sendsAgain: true, ...story };
}

/**
 * A frozen process still holds its open polls, and Temporal hands it a task for each, which is lost until it times out.
 * Breaking its connections leaves the question at hand: what it does when it wakes up.
 */
function cutOff(stack: FaultStack, frozen: WorkerName): void {
  stack.network(frozen, 'temporal').set({ kind: 'refused' });
}

function wake(stack: FaultStack, frozen: WorkerName): void {
  stack.network(frozen, 'temporal').set({ kind: 'fair' });
  stack.thaw(frozen);
}

async function sentCharges({ simulator }: FaultStack, orders: readonly Order[]): Promise<number> {
  const amounts = new Set(orders.map(({ amount }) => amount));
  const response = await fetch(`${simulator.url}/_admin/requests`);
  const { requests } = (await response.json()) as { requests: Array<{ amount: number | null }> };
  return requests.filter(({ amount }) => amount !== null && amounts.has(amount)).length;
}

/** Settled, or on a person's desk. */
async function untilDecided({ db }: FaultStack, orders: readonly Order[]): Promise<void> {
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
    { what: 'the other worker to take over', withinMs: WITHIN_MS, everyMs: 100 },
  );
}

/** How often the payment's first activity ran until it could complete. */
async function triesOfFirstActivity({ temporal }: FaultStack, order: Order): Promise<number> {
  const { events } = await temporal.workflow.getHandle(`payment/${idOf(order)}`).fetchHistory();
  const started = events?.find((event) => event.activityTaskStartedEventAttributes);
  return started?.activityTaskStartedEventAttributes?.attempt ?? 0;
}
