import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { FailpointName } from '../../../src/failpoints';
import { signalProcess } from '../../../src/dev/process-identity';
import { Merchant, resultOf, transactionIdOf, type MerchantOrder } from '../../support/merchant/merchant';
import { successIn } from '../../support/merchant/requests';
import { waitFor } from '../../support/stack/wait-for';
import {
  ATTEMPT_FAILPOINTS,
  chargedGateways,
  chargeScenario,
  GATEWAYS,
  isReviewed,
  operationsOf,
  SECOND_GATEWAY,
  webhookScenario,
} from './charge-scenarios';
import { FIRST_OPERATION_SCENARIOS } from './first-operation-scenarios';
import { freezeAt, waitUntilDecided } from './frozen-scenarios';
import { WORKERS, type FaultStack } from './fault-stack';
import { exclusiveScenario, expectEqual, killAt, type FailpointScenario } from './scenario';

/*
 * The API makes the first attempt of a payment inside the first task of its workflow. These scenarios stop it at every
 * line of that task; a worker takes the task over. They need the setting FIRST_ATTEMPTS_IN_API and a stack with proxies.
 */

const SLOW_MS = 1_000;
const COMPLETED_WITHIN_MS = 100_000;

const beforeClaim = firstAttemptScenario(
  'the API killed before it claims a charge: a worker charges, once and at the same gateway',
  'gateway_3',
  (stack, order) => killAt(stack, 'first-attempt-started', order, ['api'], () => pay(order)),
);

const whileGatewayWorks = firstAttemptScenario(
  'the API killed while the gateway works on a charge: an inquiry finds it',
  'gateway_2',
  async (stack, order) => {
    await payUntilCalled(stack, order);
    await stack.kill('api');
  },
);

const afterCommit = firstAttemptScenario(
  'the API killed after the commit, before its caller has the answer: the resent request gets the recorded one',
  'gateway_3',
  (stack, order) => killAt(stack, 'answer-committed', order, ['api'], () => pay(order)),
);

const unknownToTemporal = firstAttemptScenario(
  'the API killed after its answer, before Temporal hears of it: a worker ends the workflow and sends nothing',
  'gateway_3',
  async (stack, order) => {
    await payUntilCalled(stack, order);
    stack.proxy('api', 'temporal').setCondition({ kind: 'refused' });
    await waitFor(() => successIn(order.outcomes), { what: 'the answer', withinMs: COMPLETED_WITHIN_MS });
    await stack.kill('api');
    stack.proxy('api', 'temporal').setCondition({ kind: 'normal' });
    await stack.temporal.workflow.getHandle(`payment/${transactionIdOf(order)}`).result();
  },
);

const everyProcess = firstAttemptScenario(
  'the API killed with a gateway answer, and both workers after it: the charge is found and not sent again',
  'gateway_2',
  async (stack, order) => {
    await killAt(stack, 'gateway-answered', order, ['api'], () => pay(order));
    await Promise.all(WORKERS.map((worker) => stack.kill(worker)));
  },
);

const stopped = firstAttemptScenario(
  'the API stopped by SIGTERM during a charge: it finishes the charge and answers before it ends',
  'gateway_3',
  async (stack, order) => {
    await payUntilCalled(stack, order);
    signalProcess(stack.processOf('api'), 'SIGTERM');
  },
  (order) => expectEqual('requests until the answer', order.outcomes.length, 1),
);

/** At `frozenAt` the API freezes, a worker decides the payment, and the API resumes. */
function frozenScenario(
  frozenAt: FailpointName,
  title: string,
  expected: { readonly operations: readonly string[]; readonly sentTo: readonly GatewaySlug[] },
): FailpointScenario {
  return exclusiveScenario(title, async ({ stack, operator }) => {
    const order = (await Merchant.register(stack, ['gateway_2', SECOND_GATEWAY])).order();
    return {
      orders: [order],
      injectFault: () =>
        operator.pauseDuring(async () => {
          await stack.apiReady();
          await freezeAt(stack, frozenAt, order, ['api'], {
            send: () => pay(order),
            waitUntilTakenOver: () => waitUntilDecided(stack, [order]),
          });
        }),
      findViolations: async () => [
        ...expectEqual('operations', operationsOf(order), expected.operations),
        ...expectEqual('charges sent', await chargedGateways({ stack }, order), expected.sentTo),
        ...expectEqual('its status', resultOf(order)?.status, 'approved'),
      ],
    };
  });
}

const FROZEN_SCENARIOS = [
  frozenScenario(
    'first-attempt-started',
    'the API frozen before it claims a charge: a worker charges, and the API sends nothing after it resumes',
    { operations: ['charge gateway_2 approved'], sentTo: ['gateway_2'] },
  ),
  frozenScenario(
    'charge-prepared',
    'the API frozen before it sends a claimed charge: the next gateway charges, and the API sends nothing after it resumes',
    {
      operations: ['charge gateway_2 abandoned', `charge ${SECOND_GATEWAY} approved`],
      sentTo: [SECOND_GATEWAY],
    },
  ),
  frozenScenario(
    'gateway-answered',
    'the API frozen with a gateway answer: an inquiry finds the charge, and the late answer changes nothing',
    { operations: ['charge gateway_2 approved'], sentTo: ['gateway_2'] },
  ),
] as const;

const postgresKilled = firstAttemptScenario(
  'a gateway answer that Postgres could not record in the first task is kept: gateway_3 needs no review',
  'gateway_3',
  async (stack, order) => {
    await stack.apiReady();
    const armed = stack.arm('gateway-answered', 'stop', ['api'], order.merchant.companyId);
    pay(order);
    await armed.triggered();
    await stack.kill('postgres');
    stack.resume('api');
  },
);

export const firstAttemptScenarios = {
  beforeClaim,
  whileGatewayWorks,
  afterCommit,
  unknownToTemporal,
  stopped,
} as const;

export const FIRST_ATTEMPT_SCENARIOS: readonly FailpointScenario[] = [
  beforeClaim,
  ...ATTEMPT_FAILPOINTS.flatMap((failpoint) =>
    GATEWAYS.map((gateway) => chargeScenario(failpoint, gateway, ['api'])),
  ),
  webhookScenario(['api']),
  ...FIRST_OPERATION_SCENARIOS,
  whileGatewayWorks,
  afterCommit,
  stopped,
  unknownToTemporal,
  everyProcess,
  postgresKilled,
  ...FROZEN_SCENARIOS,
];

/** One charge at one gateway, found without a review, whatever happened. */
function firstAttemptScenario(
  title: string,
  gateway: GatewaySlug,
  injectFault: (stack: FaultStack, order: MerchantOrder) => Promise<void>,
  findMore: (order: MerchantOrder) => string[] = () => [],
): FailpointScenario {
  return exclusiveScenario(title, async (context) => {
    const { stack } = context;
    const order = (await Merchant.register(stack, [gateway, SECOND_GATEWAY])).order();
    return {
      orders: [order],
      injectFault: () => injectFault(stack, order),
      findViolations: async () => [
        ...expectEqual('operations', operationsOf(order), [`charge ${gateway} approved`]),
        ...expectEqual('charges sent', await chargedGateways(context, order), [gateway]),
        ...expectEqual('a manual review was needed', await isReviewed(context, order), false),
        ...findMore(order),
      ],
    };
  });
}

function pay(order: MerchantOrder): void {
  void order.merchant.pay(order);
}

/** Returns while the gateway works on the charge, which the API sent. */
async function payUntilCalled(stack: FaultStack, order: MerchantOrder): Promise<void> {
  const { db, simulator } = stack;
  await stack.apiReady();
  await simulator.script({ amount: order.amount, operation: 'charge' }, { delay_ms: SLOW_MS });
  pay(order);
  await waitFor(
    async () => {
      const payment = await db.queryOne<{ id: string }>(
        'SELECT transaction_id AS id FROM payments WHERE idempotency_key = $1',
        [order.key],
      );
      return payment !== null && (await simulator.requests(payment.id)).length > 0;
    },
    { what: 'the gateway to be called', withinMs: COMPLETED_WITHIN_MS, everyMs: 10 },
  );
}
