import type { GatewaySlug } from '../../src/domain/gateway-slug';
import type { FailpointName } from '../../src/failpoints';
import { waitFor } from '../support/wait-for';
import { FaultStack, WORKERS } from './support/fault-stack';
import { operationViolations, untilSettled, violations } from './support/invariants';
import {
  Merchant,
  outcomeOf,
  resultOf,
  type Operation,
  type Order,
  type OrderOptions,
} from './support/merchant';
import { Person } from './support/person';

type Kind = Operation['kind'];
type Story = readonly [FailpointName, Kind];

/** Each at a gateway of its own kind: one that replays keys, one that does nothing to help, one that only looks up. */
const SUBJECTS: Readonly<Record<Kind, { gateway: GatewaySlug; order: OrderOptions; becomes: string }>> = {
  capture: { gateway: 'gateway_1', order: { capture: false }, becomes: 'approved' },
  refund: { gateway: 'gateway_3', order: {}, becomes: 'refunded' },
  cancel: { gateway: 'gateway_2', order: { method: 'pix' }, becomes: 'canceled' },
};

/** Two at a time, one in each worker. */
const ANSWERED: ReadonlyArray<readonly [Story, Story]> = [
  [
    ['gateway-answered', 'capture'],
    ['outcome-committed', 'refund'],
  ],
  [
    ['gateway-answered', 'refund'],
    ['outcome-committed', 'cancel'],
  ],
  [
    ['gateway-answered', 'cancel'],
    ['outcome-committed', 'capture'],
  ],
];
/** Last, for what never left is sent again some seconds later, and passes every failpoint once more. */
const NEVER_SENT: ReadonlyArray<readonly [Story, Story]> = [
  [
    ['attempt-claimed', 'capture'],
    ['charge-prepared', 'refund'],
  ],
  [
    ['attempt-claimed', 'refund'],
    ['charge-prepared', 'cancel'],
  ],
  [
    ['attempt-claimed', 'cancel'],
    ['charge-prepared', 'capture'],
  ],
];

let stack: FaultStack;
let person: Person;
const operations = new Map<string, Operation>();
const merchants = new Map<Kind, Merchant>();
let neverStarted: Operation;
let neverWoken: Order;

beforeAll(async () => {
  stack = await FaultStack.start();
  person = new Person(stack);
  for (const kind of ['capture', 'refund', 'cancel'] as const) {
    merchants.set(kind, await Merchant.register(stack, [SUBJECTS[kind].gateway]));
  }
  await Promise.all([...ANSWERED, ...NEVER_SENT].flat().map(prepare));
  for (const wave of [...ANSWERED, ...NEVER_SENT]) await play(wave);
  // While it is being proven what never left, which takes its time, the API dies too.
  await killApiAfterCommit();
  await killApiAfterCallback();
  await untilOver();
}, 300_000);
afterAll(async () => {
  await person.leave();
  await stack.stop();
}, 30_000);

/** A payment to be captured, refunded or canceled. */
async function paid(kind: Kind): Promise<Order> {
  const merchant = merchants.get(kind);
  if (merchant === undefined) throw new Error('the merchant is not registered');
  const order = merchant.order(SUBJECTS[kind].order);
  await merchant.pay(order);
  return order;
}

async function prepare(story: Story): Promise<void> {
  const order = await paid(story[1]);
  operations.set(story.join(), order.merchant.operation(order, story[1]));
}

async function play(wave: readonly [Story, Story]): Promise<void> {
  await stack.workersReady();
  for (const story of wave) {
    const trap = stack.arm(story[0], 'kill', WORKERS);
    const operation = operationOf(...story);
    void operation.order.merchant.carryOut(operation);
    await trap.sprung();
  }
}

function operationOf(...story: Story): Operation {
  const operation = operations.get(story.join());
  if (operation === undefined) throw new Error('there is no such story');
  return operation;
}

function untilOver(): Promise<void> {
  return untilSettled(
    stack,
    [...operations.values()].map(({ order }) => order),
  );
}

async function expectDone(operation: Operation): Promise<void> {
  await waitFor(() => outcomeOf(operation), {
    what: `the ${operation.kind} to be answered`,
    withinMs: 100_000,
  });
  const { transaction_id: id, status } = outcomeOf(operation) ?? {};
  expect(status).toBe(SUBJECTS[operation.kind].becomes);
  const requests = await stack.simulator.requests(id ?? '');
  expect(requests.filter(({ operation: kind }) => kind === operation.kind)).toHaveLength(1);
  expect(await operationViolations(stack, operation)).toEqual([]);
}

// Parts that were killed have to come back first, on a machine that may be busy.
jest.setTimeout(120_000);

describe('a worker killed in the middle of an operation', () => {
  it.each(ANSWERED.flat())('at %s of a %s: it was done, is known to be, and is not sent again', (...story) =>
    expectDone(operationOf(...story)),
  );

  it.each(NEVER_SENT.flat())('at %s of a %s: it is proven absent, then sent once', (...story) =>
    expectDone(operationOf(...story)),
  );

  it('leaves every invariant unbroken', async () => {
    const orders = [...operations.values()].map(({ order }) => order);
    expect(await violations(stack, orders)).toEqual([]);
  });
});

async function killApiAfterCommit(): Promise<void> {
  const order = await paid('capture');
  neverStarted = order.merchant.operation(order, 'capture');
  const trap = stack.arm('operation-committed', 'kill', ['api']);
  const lost = order.merchant.request(neverStarted);
  await trap.sprung();
  expect(await lost).toMatchObject({ kind: 'none' });
  await untilApproved(order);
}

async function killApiAfterCallback(): Promise<void> {
  neverWoken = await paid('cancel');
  const trap = stack.arm('callback-stored', 'kill', ['api']);
  await stack.simulator.pay(resultOf(neverWoken)?.transaction_id ?? '');
  await trap.sprung();
  await untilApproved(neverWoken);
}

describe('the API killed', () => {
  it('after the commit of a capture, before its start: the sweeper has it made, and the key gets its result', async () => {
    await neverStarted.order.merchant.carryOut(neverStarted);
    await expectDone(neverStarted);
    expect(await violations(stack, [neverStarted.order])).toEqual([]);
  });

  it('with a callback stored, before it wakes anybody: the sweeper does', async () => {
    expect(await violations(stack, [neverWoken])).toEqual([]);
    expect(await neverWoken.merchant.find(resultOf(neverWoken)?.transaction_id ?? '')).toMatchObject({
      status: 'approved',
      paid_amount: neverWoken.amount,
    });
  });
});

async function untilApproved(order: Order): Promise<void> {
  await waitFor(async () => (await statusOf(order)) === 'approved', { withinMs: 100_000 });
}

async function statusOf(order: Order): Promise<string | undefined> {
  const row = await stack.db.queryOne<{ status: string }>(
    'SELECT status FROM payments WHERE idempotency_key = $1',
    [order.key],
  );
  return row?.status;
}
