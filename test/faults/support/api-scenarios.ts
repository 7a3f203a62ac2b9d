import type { FailpointName } from '../../../src/failpoints';
import {
  Merchant,
  transactionIdOf,
  type MerchantOperation,
  type MerchantOrder,
} from '../../support/merchant/merchant';
import type { SendOutcome } from '../../support/merchant/requests';
import { waitFor } from '../../support/stack/wait-for';
import type { FaultStack } from './fault-stack';
import { createOperation, OPERATION_KINDS, operationScenarioViolations } from './operation-scenarios';
import { expectEqual, killAt, type FailpointScenario } from './scenario';

/** Includes the restart of the killed process on a busy machine. */
const COMPLETED_WITHIN_MS = 100_000;

/** A request during which the API is killed. */
interface InterruptedRequest {
  readonly order: MerchantOrder;
  readonly operation?: MerchantOperation;
  readonly send: () => Promise<SendOutcome>;
  readonly sendUntilFinal: () => Promise<void>;
}

const committed = crashScenario({
  title: 'killed after the commit of a payment, before its workflow starts: the sweeper starts it',
  failpoint: 'payment-committed',
  prepare: (stack) => createPayment(stack, 'gateway_1'),
  verify: (stack, { order }) => waitForStatus(stack, order, 'approved'),
});

const answerReady = crashScenario({
  title: 'killed before it sends the response: the resent request gets the recorded one',
  failpoint: 'answer-ready',
  prepare: (stack) => createPayment(stack, 'gateway_3'),
  verify: async (stack, { order }) => expectEqual('its status', await statusOf(stack, order), 'approved'),
});

const operationsCommitted = OPERATION_KINDS.map((kind) =>
  crashScenario({
    title: `killed after the commit of a ${kind}, before the workflow is signalled: the sweeper signals it`,
    failpoint: 'operation-committed',
    prepare: (stack) => prepareOperation(stack, kind),
    verify: (stack, { order }) => waitForExecution(stack, order, kind),
  }),
);

const operationAnswerReady = crashScenario({
  title: 'killed before it sends the response of a refund: the resent request gets the recorded one',
  failpoint: 'answer-ready',
  prepare: (stack) => prepareOperation(stack, 'refund'),
  verify: async (stack, { order }) => expectEqual('its status', await statusOf(stack, order), 'refunded'),
});

const callbackStored: FailpointScenario = {
  title:
    'the API killed after it stored a callback, before the workflow is signalled: the sweeper signals it',
  affects: 'api',
  resends: false,
  prepare: async ({ stack }) => {
    const merchant = await Merchant.register(stack, ['gateway_2']);
    const order = merchant.order({ method: 'pix' });
    await merchant.pay(order);
    return {
      orders: [order],
      injectFault: () =>
        killAt(stack, 'callback-stored', order, ['api'], () => stack.simulator.pay(transactionIdOf(order))),
      findViolations: async () => {
        const late = await waitForStatus(stack, order, 'approved');
        const { paid_amount } = await merchant.find(transactionIdOf(order));
        return [...late, ...expectEqual('paid', paid_amount, order.amount)];
      },
    };
  },
};

export const apiScenarios = {
  committed,
  answerReady,
  operationsCommitted,
  operationAnswerReady,
  callbackStored,
} as const;

interface CrashScenario {
  readonly title: string;
  readonly failpoint: FailpointName;
  readonly prepare: (stack: FaultStack) => Promise<InterruptedRequest>;
  /** Runs after the kill and before the request is resent, since a resend alone could complete the work. */
  readonly verify: (stack: FaultStack, request: InterruptedRequest) => Promise<string[]>;
}

/** Kills the API during a request. It is a violation if the client gets a response all the same. */
function crashScenario({ title, failpoint, prepare, verify }: CrashScenario): FailpointScenario {
  return {
    title: `the API ${title}`,
    affects: 'api',
    resends: false,
    prepare: async ({ stack }) => {
      const request = await prepare(stack);
      const { order, operation } = request;
      const violations: string[] = [];
      return {
        orders: [order],
        operations: operation === undefined ? [] : [operation],
        injectFault: async () => {
          let sent: Promise<SendOutcome> | undefined;
          await killAt(stack, failpoint, order, ['api'], () => (sent = request.send()));
          violations.push(...expectEqual('the lost response', (await sent)?.kind, 'none'));
          void verify(stack, request)
            .catch((error: unknown) => [String(error)])
            .then((found) => violations.push(...found))
            .then(request.sendUntilFinal);
        },
        findViolations: async () => [
          ...violations,
          ...(operation === undefined ? [] : await operationScenarioViolations({ stack }, operation)),
        ],
      };
    },
  };
}

async function createPayment(
  stack: FaultStack,
  gateway: 'gateway_1' | 'gateway_3',
): Promise<InterruptedRequest> {
  const merchant = await Merchant.register(stack, [gateway]);
  const order = merchant.order();
  return { order, send: () => merchant.sendOrder(order), sendUntilFinal: () => merchant.pay(order) };
}

async function prepareOperation(
  stack: FaultStack,
  kind: MerchantOperation['kind'],
): Promise<InterruptedRequest> {
  const operation = await createOperation({ stack }, kind);
  const { merchant } = operation.order;
  return {
    order: operation.order,
    operation,
    send: () => merchant.sendOperation(operation),
    sendUntilFinal: () => merchant.operate(operation),
  };
}

function waitForStatus(stack: FaultStack, order: MerchantOrder, status: string): Promise<string[]> {
  return completesInTime(`to be ${status}`, async () => {
    const current = await statusOf(stack, order);
    if (current !== status) throw new Error(`it is ${current}`);
    return true;
  });
}

function waitForExecution(stack: FaultStack, order: MerchantOrder, kind: string): Promise<string[]> {
  return completesInTime(`its ${kind} to be executed`, async () => {
    const { entries } = await stack.simulator.ledger(transactionIdOf(order));
    return entries.some(({ reference }) => reference.includes(`-${kind}`));
  });
}

function completesInTime(what: string, isComplete: () => Promise<boolean>): Promise<string[]> {
  return waitFor(isComplete, { what, withinMs: COMPLETED_WITHIN_MS, everyMs: 100 }).then(
    () => [],
    (error: unknown) => [String(error)],
  );
}

async function statusOf({ db }: FaultStack, { key }: MerchantOrder): Promise<string | undefined> {
  const row = await db.queryOne<{ status: string }>(
    'SELECT status FROM payments WHERE idempotency_key = $1',
    [key],
  );
  return row?.status;
}
