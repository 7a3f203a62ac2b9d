import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { neverLeaves, type WorkerFailpoint } from './charge-scenarios';
import { WORKERS } from './fault-stack';
import { operationViolations } from './invariants';
import { idOf, Merchant, resultOf, type Operation, type OrderOptions } from './merchant';
import { expectSame, killAt, type Stage, type Story } from './scenario';

type Kind = Operation['kind'];

/** Each at a gateway of its own kind: one that replays keys, one that does nothing to help, one that only looks up. */
const SUBJECTS: Readonly<Record<Kind, { gateway: GatewaySlug; order: OrderOptions; becomes: string }>> = {
  capture: { gateway: 'gateway_1', order: { capture: false }, becomes: 'approved' },
  refund: { gateway: 'gateway_3', order: {}, becomes: 'refunded' },
  cancel: { gateway: 'gateway_2', order: { method: 'pix' }, becomes: 'canceled' },
};
export const KINDS = ['capture', 'refund', 'cancel'] as const satisfies readonly Kind[];

/** The same for a capture, refund or cancel. */
export function operationStory(failpoint: WorkerFailpoint, kind: Kind): Story {
  const end = neverLeaves(failpoint)
    ? 'it is proven absent, then sent once'
    : 'it was done, is known to be, and is not sent again';
  return {
    title: `a worker killed at ${failpoint} of a ${kind}: ${end}`,
    hurts: 'worker',
    sendsAgain: neverLeaves(failpoint),
    prepare: async ({ stack }) => {
      const operation = await requestable({ stack }, kind);
      const { order } = operation;
      return {
        orders: [order],
        operations: [operation],
        strike: () => killAt(stack, failpoint, order, WORKERS, () => order.merchant.carryOut(operation)),
        wrongs: () => operationWrongs({ stack }, operation),
      };
    },
  };
}

/** On a payment that has just been made. */
export async function requestable({ stack }: Pick<Stage, 'stack'>, kind: Kind): Promise<Operation> {
  const { gateway, order: options } = SUBJECTS[kind];
  const merchant = await Merchant.register(stack, [gateway]);
  const order = merchant.order(options);
  await merchant.pay(order);
  return merchant.operation(order, kind);
}

export async function operationWrongs(
  { stack }: Pick<Stage, 'stack'>,
  operation: Operation,
): Promise<string[]> {
  const { kind, order } = operation;
  const requests = await stack.simulator.requests(idOf(order));
  const sent = requests.filter((request) => request.operation === kind).length;
  return [
    ...expectSame(`the ${kind}'s result`, resultOf(operation)?.status, SUBJECTS[kind].becomes),
    ...expectSame(`times the ${kind} was sent`, sent, 1),
    ...(await operationViolations(stack, operation)),
  ];
}
