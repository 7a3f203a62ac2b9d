import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { FailpointName } from '../../../src/failpoints';
import { idempotencySupport } from '../../../src/gateways/simulator/profiles';
import { WORKERS } from './fault-stack';
import { Listener } from './listener';
import { idOf, Merchant, resultOf, type Order } from './merchant';
import { expectSame, killAt, type Stage, type Story } from './scenario';

export type WorkerFailpoint = Extract<
  FailpointName,
  'attempt-claimed' | 'charge-prepared' | 'gateway-answered' | 'outcome-committed'
>;

/** Before any byte leaves, in this order. */
export function neverLeaves(failpoint: WorkerFailpoint): boolean {
  return failpoint === 'attempt-claimed' || failpoint === 'charge-prepared';
}

const SECOND_GATEWAY: GatewaySlug = 'gateway_4';

/** The worker that charges is killed, with the charge claimed and not sent, sent and not recorded, or recorded. */
export function chargeStory(failpoint: WorkerFailpoint, gateway: GatewaySlug): Story {
  const sendsAgain = neverLeaves(failpoint);
  return {
    title: `a worker killed at ${failpoint} of a charge at ${gateway}: ${endOf(failpoint, gateway)}`,
    hurts: 'worker',
    sendsAgain,
    prepare: async (stage) => {
      const merchant = await Merchant.register(stage.stack, [gateway, SECOND_GATEWAY]);
      const order = merchant.order();
      return {
        orders: [order],
        strike: () => killAt(stage.stack, failpoint, order, WORKERS, () => merchant.pay(order)),
        wrongs: async () => [
          ...expectSame('operations', operationsOf(order), operationsAfter(failpoint, gateway)),
          ...expectSame('charges sent', await sendings(stage, order), [
            sendsAgain ? SECOND_GATEWAY : gateway,
          ]),
          ...expectSame('a person was asked', isAsked(stage, order), needsPerson(failpoint, gateway)),
        ],
      };
    },
  };
}

function endOf(failpoint: WorkerFailpoint, gateway: GatewaySlug): string {
  if (failpoint === 'outcome-committed') return 'it stands, and nobody is asked';
  const finder = needsPerson(failpoint, gateway) ? 'a person' : 'an inquiry';
  return neverLeaves(failpoint)
    ? `${finder} proves it absent, and the next gateway charges`
    : `${finder} finds it, and none is sent again`;
}

function operationsAfter(failpoint: WorkerFailpoint, gateway: GatewaySlug): string[] {
  return neverLeaves(failpoint)
    ? [`charge ${gateway} abandoned`, `charge ${SECOND_GATEWAY} approved`]
    : [`charge ${gateway} approved`];
}

function needsPerson(failpoint: WorkerFailpoint, gateway: GatewaySlug): boolean {
  return failpoint !== 'outcome-committed' && idempotencySupport(gateway) === 'none';
}

/** The receiver has the event, and who sent it does not live to note that. */
export const webhookStory: Story = {
  title: 'a worker killed at webhook-answered: the event comes again, under the same id',
  hurts: 'worker',
  sendsAgain: false,
  prepare: async ({ stack }) => {
    const listener = await Listener.start(stack, ['gateway_1']);
    const { merchant } = listener;
    const order = merchant.order();
    return {
      orders: [order],
      strike: () => killAt(stack, 'webhook-answered', order, WORKERS, () => merchant.pay(order)),
      wrongs: async () => {
        const violations = await listener.violations();
        const again = await listener.comesTo(idOf(order), 2);
        listener.close();
        return [...violations, ...(again ? [] : ['it came once'])];
      },
    };
  },
};

/** The gateway operations a reader is shown: `charge gateway_1 approved`. */
export function operationsOf(order: Order): string[] {
  return (resultOf(order)?.transactions ?? [])
    .filter(({ operation }) => operation !== 'inquiry')
    .map(({ operation, gateway, status }) => `${operation} ${gateway} ${status}`);
}

/** The gateways that received the charge. */
export async function sendings({ stack }: Stage, order: Order): Promise<string[]> {
  const requests = await stack.simulator.requests(idOf(order));
  return requests.filter(({ operation }) => operation === 'charge').map(({ gateway }) => gateway);
}

export function isAsked({ person }: Stage, order: Order): boolean {
  return person.asked.has(idOf(order));
}
