import type { FailpointName } from '../../src/failpoints';
import type { GatewaySlug } from '../../src/domain/gateway-slug';
import { wakeSignal } from '../../workflows/messages';
import { waitFor } from '../support/wait-for';
import { FaultStack, WORKERS, type WorkerName } from './support/fault-stack';
import { untilSettled, violations } from './support/invariants';
import { Merchant, resultOf, type Order } from './support/merchant';
import { Person } from './support/person';

type Story = readonly [FailpointName, GatewaySlug];
/** Two at a time, one in each worker; last those whose payments try another gateway, and pass every failpoint again. */
const WORKER_STORIES: ReadonlyArray<readonly [Story, Story]> = [
  [
    ['outcome-committed', 'gateway_3'],
    ['gateway-answered', 'gateway_1'],
  ],
  [
    ['gateway-answered', 'gateway_2'],
    ['gateway-answered', 'gateway_3'],
  ],
  [
    ['outcome-committed', 'gateway_1'],
    ['attempt-claimed', 'gateway_1'],
  ],
  [
    ['attempt-claimed', 'gateway_2'],
    ['attempt-claimed', 'gateway_3'],
  ],
];

let stack: FaultStack;
let person: Person;
const stories = new Map<string, Order>();

// The workers are killed here; their payments settle while other tests run.
beforeAll(async () => {
  stack = await FaultStack.start({ throughNetworks: true });
  person = new Person(stack);
  for (const wave of WORKER_STORIES) {
    await stack.workersReady();
    for (const [failpoint, gateway] of wave) {
      const merchant = await Merchant.register(stack, [gateway, 'gateway_4']);
      const trap = stack.arm(failpoint, 'kill', WORKERS);
      const order = merchant.order();
      stories.set(`${failpoint} ${gateway}`, order);
      void merchant.pay(order);
      await trap.sprung();
    }
  }
}, 300_000);
afterAll(() => stack.stop(), 30_000);

/** Sends nothing after it has begun to die: what becomes of the payment is up to those who are left. */
async function statusOf(order: Order): Promise<string | undefined> {
  const row = await stack.db.queryOne<{ status: string }>(
    'SELECT status FROM payments WHERE idempotency_key = $1',
    [order.key],
  );
  return row?.status;
}

/** The gateway operations a reader is shown: `charge gateway_1 approved`. */
function operationsOf(order: Order): string[] {
  return (resultOf(order)?.transactions ?? [])
    .filter(({ operation }) => operation !== 'inquiry')
    .map(({ operation, gateway, status }) => `${operation} ${gateway} ${status}`);
}

describe('the API killed after the commit, before the start', () => {
  it('the sweeper has the payment made, and the key gets its result', async () => {
    const merchant = await Merchant.register(stack, ['gateway_1']);
    const order = merchant.order();
    const trap = stack.arm('payment-committed', 'kill', ['api']);
    const lost = merchant.post(order);
    await trap.sprung();
    expect(await lost).toMatchObject({ kind: 'none' });
    expect(await statusOf(order)).toBe('processing');
    await waitFor(async () => (await statusOf(order)) === 'approved');
    await merchant.pay(order);
    expect(await violations(stack, [order])).toEqual([]);
  });
});

describe('a worker killed', () => {
  beforeAll(() => untilSettled(stack, [...stories.values()]), 60_000);
  afterAll(() => person.leave());

  const story = (failpoint: FailpointName, gateway: GatewaySlug): Order => {
    const order = stories.get(`${failpoint} ${gateway}`);
    if (order === undefined) throw new Error('there is no such story');
    return order;
  };
  const wasAsked = (order: Order): boolean => person.asked.has(resultOf(order)?.transaction_id ?? '');

  it.each(['gateway_1', 'gateway_2'] as const)(
    'after the claim, before sending: the attempt at %s is proven absent, and the next gateway charges',
    (gateway) => {
      const order = story('attempt-claimed', gateway);
      expect(operationsOf(order)).toEqual([`charge ${gateway} abandoned`, 'charge gateway_4 approved']);
      expect(wasAsked(order)).toBe(false);
    },
  );

  it('after the claim, before sending: at gateway_3 a person sees that nothing arrived', () => {
    const order = story('attempt-claimed', 'gateway_3');
    expect(operationsOf(order)).toEqual(['charge gateway_3 abandoned', 'charge gateway_4 approved']);
    expect(wasAsked(order)).toBe(true);
  });

  it.each(['gateway_1', 'gateway_2'] as const)(
    'after %s answered: the charge is found by inquiry, and none is sent again',
    async (gateway) => {
      const order = story('gateway-answered', gateway);
      expect(operationsOf(order)).toEqual([`charge ${gateway} approved`]);
      const requests = await stack.simulator.requests(resultOf(order)?.transaction_id ?? '');
      expect(requests.filter(({ operation }) => operation === 'charge')).toHaveLength(1);
      expect(wasAsked(order)).toBe(false);
    },
  );

  it('after gateway_3 answered: a person finds the charge, and none is sent again', () => {
    const order = story('gateway-answered', 'gateway_3');
    expect(operationsOf(order)).toEqual(['charge gateway_3 approved']);
    expect(wasAsked(order)).toBe(true);
  });

  it.each(['gateway_1', 'gateway_3'] as const)(
    'after the outcome at %s was committed: it stands, and nobody is asked',
    (gateway) => {
      const order = story('outcome-committed', gateway);
      expect(operationsOf(order)).toEqual([`charge ${gateway} approved`]);
      expect(wasAsked(order)).toBe(false);
    },
  );

  it('leaves every invariant unbroken', async () => {
    expect(await violations(stack, [...stories.values()], person)).toEqual([]);
  });
});

describe('the API killed with the answer ready', () => {
  it('the key gets it when it is sent again', async () => {
    const merchant = await Merchant.register(stack, ['gateway_3']);
    const order = merchant.order();
    const trap = stack.arm('answer-ready', 'kill', ['api']);
    const lost = merchant.post(order);
    await trap.sprung();
    expect(await lost).toMatchObject({ kind: 'none' });
    expect(await statusOf(order)).toBe('approved');
    await merchant.pay(order);
    expect(await violations(stack, [order])).toEqual([]);
  });
});

/**
 * A frozen process still holds its open polls, and Temporal hands it a task for each, which is lost until it times out.
 * Breaking its connections leaves the question at hand: what it does when it wakes up.
 */
function cutOff(frozen: WorkerName): void {
  stack.network(frozen, 'temporal').set({ kind: 'refused' });
}

function wake(frozen: WorkerName): void {
  stack.network(frozen, 'temporal').set({ kind: 'fair' });
  stack.thaw(frozen);
}

describe('a worker frozen', () => {
  it('in the middle of its calls is replaced; when it wakes up it sends nothing', async () => {
    const slow: Order[] = [];
    for (const gateway of ['gateway_1', 'gateway_2', 'gateway_3'] as const) {
      const merchant = await Merchant.register(stack, [gateway, 'gateway_4']);
      slow.push(merchant.order(), merchant.order(), merchant.order());
    }
    const claimed = (await Merchant.register(stack, ['gateway_2', 'gateway_4'])).order();
    await stack.workersReady();
    for (const { amount } of slow) await stack.simulator.script({ amount }, { delay_ms: 600 });
    const paying = slow.map((order) => order.merchant.pay(order));
    await waitFor(async () => (await sentCharges(slow)) === slow.length, {
      what: 'all calls to be under way',
    });
    const trap = stack.arm('charge-prepared', 'stop', WORKERS);
    paying.push(claimed.merchant.pay(claimed));
    const frozen = await trap.sprung();
    cutOff(frozen);

    await claimed.merchant.pay(claimed);
    await waitFor(async () => (await undecided()) === 0, {
      what: 'the other worker to take over',
      withinMs: 50_000,
    });
    const awake = stack.arm('gateway-answered', 'stop', [frozen]);
    wake(frozen);
    // Whatever it had in mind to send has been sent, or not, when it comes to the next failpoint.
    await awake.sprung();
    stack.thaw(frozen);
    const person = new Person(stack);
    await Promise.all(paying);
    await untilSettled(stack, [...slow, claimed]);
    await person.leave();

    expect(operationsOf(claimed)).toEqual(['charge gateway_2 abandoned', 'charge gateway_4 approved']);
    expect(await sendings(claimed)).toEqual(['gateway_4']);
    expect(slow.map((order) => resultOf(order)?.status)).toEqual(slow.map(() => 'approved'));
    expect(await violations(stack, [...slow, claimed], person)).toEqual([]);
  }, 60_000);

  it('with an answer in its hands brings it even after a person was asked: nobody has to say anything', async () => {
    const merchant = await Merchant.register(stack, ['gateway_3', 'gateway_4']);
    const order = merchant.order();
    const trap = stack.arm('gateway-answered', 'stop', WORKERS);
    const paying = merchant.pay(order);
    const frozen = await trap.sprung();
    cutOff(frozen);
    await waitFor(async () => (await statusOf(order)) === 'processing' && (await undecided()) === 0, {
      what: 'the payment to wait for a person',
      withinMs: 50_000,
    });
    wake(frozen);
    await paying;
    await untilSettled(stack, [order]);
    expect(operationsOf(order)).toEqual(['charge gateway_3 approved']);
    // The workflow at the desk sees it at its next look, which a callback brings forward.
    const { transaction_id: id } = resultOf(order) ?? { transaction_id: '' };
    await stack.temporal.workflow.getHandle(`payment/${id}`).signal(wakeSignal);
    expect(await violations(stack, [order])).toEqual([]);
  }, 60_000);

  async function sentCharges(orders: readonly Order[]): Promise<number> {
    const amounts = new Set(orders.map(({ amount }) => amount));
    const response = await fetch(`${stack.simulator.url}/_admin/requests`);
    const { requests } = (await response.json()) as { requests: Array<{ amount: number | null }> };
    return requests.filter(({ amount }) => amount !== null && amounts.has(amount)).length;
  }

  /** Payments that are neither settled nor on a person's desk. */
  async function undecided(): Promise<number> {
    const rows = await stack.db.query(
      `SELECT 1 FROM payments WHERE status = 'processing' AND stuck_at IS NULL`,
    );
    return rows.length;
  }

  async function sendings(order: Order): Promise<string[]> {
    const requests = await stack.simulator.requests(resultOf(order)?.transaction_id ?? '');
    return requests.filter(({ operation }) => operation === 'charge').map(({ gateway }) => gateway);
  }
});
