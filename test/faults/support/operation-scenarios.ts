import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import {
  Merchant,
  resultOf,
  transactionIdOf,
  type MerchantOperation,
  type OrderOptions,
} from '../../support/merchant/merchant';
import { describeMakers, isBeforeSend, type AttemptFailpoint } from './charge-scenarios';
import { WORKERS } from './fault-stack';
import { operationViolations } from './invariants';
import type { FaultProcessName } from './stack-messages';
import { expectEqual, killAt, type FailpointScenario, type ScenarioContext } from './scenario';

type OperationKind = MerchantOperation['kind'];

/** Each at a gateway of another kind: one replays idempotency keys, one supports neither keys nor lookup, one only lookup. */
const CASES: Readonly<
  Record<OperationKind, { gateway: GatewaySlug; order: OrderOptions; resultStatus: string }>
> = {
  capture: { gateway: 'gateway_1', order: { capture: false }, resultStatus: 'approved' },
  refund: { gateway: 'gateway_3', order: {}, resultStatus: 'refunded' },
  cancel: { gateway: 'gateway_2', order: { method: 'pix' }, resultStatus: 'canceled' },
};
/** The processes of which one executes a capture or cancel. */
export const EVERY_MAKER: readonly FaultProcessName[] = ['api', ...WORKERS];
export const OPERATION_KINDS = ['capture', 'refund', 'cancel'] as const satisfies readonly OperationKind[];

/**
 * The process that executes the operation is killed at the failpoint: the API for a refund of a finished payment. A capture or
 * cancel is executed by the process that has the workflow in memory: the API, unless it was killed since. With
 * FIRST_ATTEMPTS_IN_API=false a worker executes all of them.
 */
export function operationScenario(
  failpoint: AttemptFailpoint,
  kind: OperationKind,
  makers: readonly FaultProcessName[] = WORKERS,
): FailpointScenario {
  const { killed, affects } = describeMakers(makers);
  const outcome = isBeforeSend(failpoint)
    ? 'it is proven absent, then sent once'
    : 'it was executed, is found, and is not sent again';
  return {
    title: `${killed} killed at ${failpoint} of a ${kind}: ${outcome}`,
    affects,
    resends: makers.includes('api') || isBeforeSend(failpoint),
    prepare: async ({ stack }) => {
      const operation = await createOperation({ stack }, kind);
      const { order } = operation;
      return {
        orders: [order],
        operations: [operation],
        injectFault: () => killAt(stack, failpoint, order, makers, () => order.merchant.operate(operation)),
        findViolations: () => operationScenarioViolations({ stack }, operation),
      };
    },
  };
}

/** An operation that has not been sent, on a new payment. */
export async function createOperation(
  { stack }: Pick<ScenarioContext, 'stack'>,
  kind: OperationKind,
): Promise<MerchantOperation> {
  const { gateway, order: options } = CASES[kind];
  const merchant = await Merchant.register(stack, [gateway]);
  const order = merchant.order(options);
  await merchant.pay(order);
  return merchant.operation(order, kind);
}

/** The operation has its expected result and was sent to the gateway once. */
export async function operationScenarioViolations(
  { stack }: Pick<ScenarioContext, 'stack'>,
  operation: MerchantOperation,
): Promise<string[]> {
  const { kind, order } = operation;
  const requests = await stack.simulator.requests(transactionIdOf(order));
  const sendCount = requests.filter((request) => request.operation === kind).length;
  return [
    ...expectEqual(`the result of the ${kind}`, resultOf(operation)?.status, CASES[kind].resultStatus),
    ...expectEqual(`times the ${kind} was sent`, sendCount, 1),
    ...(await operationViolations(stack, operation)),
  ];
}
