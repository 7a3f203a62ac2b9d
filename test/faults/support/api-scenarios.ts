import { waitFor } from '../../support/stack/wait-for';
import type { FailpointName } from '../../../src/failpoints';
import type { Answer } from './answers';
import { idOf, Merchant, type Order } from './merchant';
import { KINDS, operationWrongs, requestable } from './operation-scenarios';
import { expectSame, killAt, type Stage, type Story } from './scenario';

/** A part that was killed has to come back first, on a machine that may be busy. */
const CARRIED_OUT_WITHIN_MS = 100_000;

const committed: Story = apiStory(
  'killed after the commit of a payment, before its start: the sweeper has it made',
  {
    prepare: async ({ stack }) => {
      const merchant = await Merchant.register(stack, ['gateway_1']);
      const order = merchant.order();
      const wrongs: string[] = [];
      return {
        orders: [order],
        strike: async () => {
          wrongs.push(...(await lost(stack, 'payment-committed', order, () => merchant.post(order))));
          // Nobody asks for it again before it has come to its end.
          void untilStatus({ stack }, order, 'approved')
            .then((late) => wrongs.push(...late))
            .finally(() => merchant.pay(order));
        },
        wrongs: () => Promise.resolve(wrongs),
      };
    },
  },
);

const answerReady: Story = apiStory('killed with the answer ready: the key gets it when it is sent again', {
  prepare: async ({ stack }) => {
    const merchant = await Merchant.register(stack, ['gateway_3']);
    const order = merchant.order();
    const wrongs: string[] = [];
    return {
      orders: [order],
      strike: async () => {
        wrongs.push(...(await lost(stack, 'answer-ready', order, () => merchant.post(order))));
        wrongs.push(...expectSame('its status', await statusOf({ stack }, order), 'approved'));
        void merchant.pay(order);
      },
      wrongs: () => Promise.resolve(wrongs),
    };
  },
});

const operationsCommitted = KINDS.map((kind) =>
  apiStory(`killed after the commit of a ${kind}, before its start: the sweeper has it made`, {
    prepare: async ({ stack }) => {
      const operation = await requestable({ stack }, kind);
      const { order } = operation;
      const { merchant } = order;
      const wrongs: string[] = [];
      return {
        orders: [order],
        operations: [operation],
        strike: async () => {
          wrongs.push(
            ...(await lost(stack, 'operation-committed', order, () => merchant.request(operation))),
          );
          void untilDone({ stack }, order, kind)
            .then((late) => wrongs.push(...late))
            .finally(() => merchant.carryOut(operation));
        },
        wrongs: async () => [...wrongs, ...(await operationWrongs({ stack }, operation))],
      };
    },
  }),
);

const operationAnswerReady = apiStory(
  'killed with the answer of a refund ready: the key gets it when it is sent again',
  {
    prepare: async ({ stack }) => {
      const operation = await requestable({ stack }, 'refund');
      const { order } = operation;
      const { merchant } = order;
      const wrongs: string[] = [];
      return {
        orders: [order],
        operations: [operation],
        strike: async () => {
          wrongs.push(...(await lost(stack, 'answer-ready', order, () => merchant.request(operation))));
          wrongs.push(...expectSame('its status', await statusOf({ stack }, order), 'refunded'));
          void merchant.carryOut(operation);
        },
        wrongs: async () => [...wrongs, ...(await operationWrongs({ stack }, operation))],
      };
    },
  },
);

const callbackStored: Story = apiStory(
  'killed with a callback stored, before it wakes anybody: the sweeper does',
  {
    prepare: async ({ stack }) => {
      const merchant = await Merchant.register(stack, ['gateway_2']);
      const order = merchant.order({ method: 'pix' });
      await merchant.pay(order);
      return {
        orders: [order],
        strike: () =>
          killAt(stack, 'callback-stored', order, ['api'], () => stack.simulator.pay(idOf(order))),
        wrongs: async () => {
          const late = await untilStatus({ stack }, order, 'approved');
          const { paid_amount } = await merchant.find(idOf(order));
          return [...late, ...expectSame('paid', paid_amount, order.amount)];
        },
      };
    },
  },
);

export const apiStories = {
  committed,
  answerReady,
  operationsCommitted,
  operationAnswerReady,
  callbackStored,
} as const;

function apiStory(end: string, story: Pick<Story, 'prepare'>): Story {
  return { title: `the API ${end}`, hurts: 'api', sendsAgain: false, ...story };
}

/** Kills the API while it works for this request; wrong if the request is answered all the same. */
async function lost(
  stack: Stage['stack'],
  failpoint: FailpointName,
  order: Order,
  send: () => Promise<Answer>,
): Promise<string[]> {
  let answer: Promise<Answer> | undefined;
  await killAt(stack, failpoint, order, ['api'], () => (answer = send()));
  return expectSame('the lost answer', (await answer)?.kind, 'none');
}

function untilStatus({ stack }: Pick<Stage, 'stack'>, order: Order, status: string): Promise<string[]> {
  return inTime(`to be ${status}`, async () => {
    const now = await statusOf({ stack }, order);
    if (now !== status) throw new Error(`it is ${now}`);
    return true;
  });
}

function untilDone({ stack }: Pick<Stage, 'stack'>, order: Order, kind: string): Promise<string[]> {
  return inTime(`its ${kind} to be done`, async () => {
    const { entries } = await stack.simulator.ledger(idOf(order));
    return entries.some(({ reference }) => reference.includes(`-${kind}`));
  });
}

function inTime(what: string, ask: () => Promise<boolean>): Promise<string[]> {
  return waitFor(ask, { what, withinMs: CARRIED_OUT_WITHIN_MS, everyMs: 100 }).then(
    () => [],
    (error: unknown) => [String(error)],
  );
}

async function statusOf({ stack }: Pick<Stage, 'stack'>, { key }: Order): Promise<string | undefined> {
  const row = await stack.db.queryOne<{ status: string }>(
    'SELECT status FROM payments WHERE idempotency_key = $1',
    [key],
  );
  return row?.status;
}
