import { apiScenarios } from './api-scenarios';
import { ATTEMPT_FAILPOINTS, chargeScenario, GATEWAYS, webhookScenario } from './charge-scenarios';
import { firstAttemptScenarios } from './first-attempt-scenarios';
import { frozenWorkerScenarios } from './frozen-scenarios';
import { EVERY_MAKER, OPERATION_KINDS, operationScenario } from './operation-scenarios';
import type { FailpointScenario } from './scenario';
import { renewalScenario, subscriptionScenarios } from './subscription-scenarios';

/** Every failpoint of every operation, at gateways of each kind, where the workers make all attempts. */
export const FAILPOINT_SCENARIOS: readonly FailpointScenario[] = [
  webhookScenario(),
  ...ATTEMPT_FAILPOINTS.flatMap((failpoint) => [
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
  operationScenario('gateway-answered', 'refund', ['api']),
  operationScenario('outcome-committed', 'cancel', EVERY_MAKER),
  chargeScenario('attempt-claimed', 'gateway_2', ['api']),
  firstAttemptScenarios.afterCommit,
  operationScenario('charge-prepared', 'capture', EVERY_MAKER),
  apiScenarios.committed,
  apiScenarios.callbackStored,
  renewalScenario('subscription-step-committed'),
];
