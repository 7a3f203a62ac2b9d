import { signalProcess } from '../../../src/dev/process-identity';
import type { MerchantOperation } from '../../support/merchant/merchant';
import { waitFor } from '../../support/stack/wait-for';
import { ATTEMPT_FAILPOINTS, type AttemptFailpoint } from './charge-scenarios';
import type { FaultStack } from './fault-stack';
import { freezeAt } from './frozen-scenarios';
import {
  createOperation,
  EVERY_MAKER,
  OPERATION_KINDS,
  operationScenario,
  operationScenarioViolations,
} from './operation-scenarios';
import { exclusiveScenario, expectEqual, type FailpointScenario } from './scenario';

/*
 * The API sends a refund of a finished payment inside the first task of a new run, and a capture or cancel inside the task
 * that brings its update. It is stopped while it does.
 */

const TAKEN_OVER_WITHIN_MS = 100_000;

const frozen = refundScenario(
  'the API frozen with the answer to a refund: a worker takes it over without sending it, and the late answer adds nothing',
  (stack, operation) => freezeApi(stack, 'gateway-answered', operation),
);

const frozenBeforeSend = refundScenario(
  'the API frozen before it sends a claimed refund: a worker settles it, and the API sends nothing after it resumes',
  (stack, operation) => freezeApi(stack, 'charge-prepared', operation),
);

const stopped = refundScenario(
  'the API stopped by SIGTERM with the answer to a refund: it records the answer and sends it before it ends',
  async (stack, operation) => {
    const armed = stack.arm('gateway-answered', 'stop', ['api'], operation.order.merchant.companyId);
    refund(operation);
    await armed.triggered();
    signalProcess(stack.processOf('api'), 'SIGTERM');
    stack.resume('api');
  },
  (operation) => expectEqual('requests until the answer', operation.outcomes.length, 1),
);

export const FIRST_OPERATION_SCENARIOS: readonly FailpointScenario[] = [
  ...ATTEMPT_FAILPOINTS.flatMap((failpoint) =>
    OPERATION_KINDS.map((kind) =>
      operationScenario(failpoint, kind, kind === 'refund' ? ['api'] : EVERY_MAKER),
    ),
  ),
  frozen,
  frozenBeforeSend,
  stopped,
];

/** One refund of a finished payment, which the API begins to send. It reaches the gateway once. */
function refundScenario(
  title: string,
  injectFault: (stack: FaultStack, operation: MerchantOperation) => Promise<void>,
  findMore: (operation: MerchantOperation) => string[] = () => [],
): FailpointScenario {
  return exclusiveScenario(title, async ({ stack, operator }) => {
    const operation = await createOperation({ stack }, 'refund');
    return {
      orders: [operation.order],
      operations: [operation],
      injectFault: async () => {
        await stack.apiReady();
        await operator.pauseDuring(() => injectFault(stack, operation));
      },
      findViolations: async () => [
        ...(await operationScenarioViolations({ stack }, operation)),
        ...findMore(operation),
      ],
    };
  });
}

async function freezeApi(
  stack: FaultStack,
  failpoint: AttemptFailpoint,
  operation: MerchantOperation,
): Promise<void> {
  await freezeAt(stack, failpoint, operation.order, ['api'], {
    send: () => refund(operation),
    waitUntilTakenOver: () => waitUntilTakenOver(stack, operation),
  });
}

function refund(operation: MerchantOperation): void {
  void operation.order.merchant.operate(operation);
}

/** A worker has inquired about the refund: it is no longer as the API's claim left it. */
async function waitUntilTakenOver({ db }: FaultStack, { order }: MerchantOperation): Promise<void> {
  await waitFor(
    () =>
      db.queryOne(
        `SELECT 1 FROM gateway_attempts a JOIN payments p ON p.id = a.payment_id
          WHERE p.idempotency_key = $1 AND a.operation = 'refund'
            AND (a.status <> 'sent' OR p.stuck_at IS NOT NULL)`,
        [order.key],
      ),
    { what: 'a worker to take the refund over', withinMs: TAKEN_OVER_WITHIN_MS, everyMs: 100 },
  );
}
