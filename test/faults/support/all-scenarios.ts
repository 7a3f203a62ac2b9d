import { apiScenarios } from './api-scenarios';
import { chargeScenario, webhookScenario } from './charge-scenarios';
import { firstAttemptScenarios } from './first-attempt-scenarios';
import { frozenWorkerScenarios } from './frozen-scenarios';
import { OPERATION_KINDS, operationScenario } from './operation-scenarios';
import type { FailpointScenario } from './scenario';
import { renewalScenario, subscriptionScenarios } from './subscription-scenarios';

const FAILPOINTS = ['gateway-answered', 'outcome-committed', 'attempt-claimed', 'charge-prepared'] as const;
/** One that replays idempotency keys, one that supports only lookup by reference, one that supports neither. */
const GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3'] as const;

/** Every failpoint of every operation, at gateways of each kind, where the workers make all attempts. */
export const FAILPOINT_SCENARIOS: readonly FailpointScenario[] = [
  webhookScenario,
  ...FAILPOINTS.flatMap((failpoint) => [
    ...GATEWAYS.map((gateway) => chargeScenario(failpoint, gateway)),
    ...OPERATION_KINDS.map((kind) => operationScenario(failpoint, kind)),
  ]),
  apiScenarios.committed,
  apiScenarios.answerReady,
  ...apiScenarios.operationsCommitted,
  apiScenarios.operationAnswerReady,
  apiScenarios.callbackStored,
  ...subscriptionScenarios,
  ...frozenWorkerScenarios,
];

/** Those with the highest risk of a lost or duplicate charge, and one operation of each kind. Rounds cover webhooks. */
export const SELECTED_SCENARIOS: readonly FailpointScenario[] = [
  chargeScenario('gateway-answered', 'gateway_3', ['api']),
  operationScenario('gateway-answered', 'refund'),
  operationScenario('outcome-committed', 'cancel'),
  chargeScenario('attempt-claimed', 'gateway_2', ['api']),
  firstAttemptScenarios.afterCommit,
  operationScenario('charge-prepared', 'capture'),
  apiScenarios.committed,
  apiScenarios.callbackStored,
  renewalScenario('subscription-step-committed'),
];
