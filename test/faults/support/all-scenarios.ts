import { apiStories } from './api-scenarios';
import { chargeStory, webhookStory } from './charge-scenarios';
import { frozenStories } from './frozen-scenarios';
import { KINDS, operationStory } from './operation-scenarios';
import type { Story } from './scenario';
import { renewalStory, subscriptionStories } from './subscription-scenarios';

const FAILPOINTS = ['gateway-answered', 'outcome-committed', 'attempt-claimed', 'charge-prepared'] as const;
/** One that replays keys, one that only looks up, one that does nothing to help. */
const GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3'] as const;

/** The long list: every failpoint of every operation, at gateways of each kind. */
export const ALL_STORIES: readonly Story[] = [
  webhookStory,
  ...FAILPOINTS.flatMap((failpoint) => [
    ...GATEWAYS.map((gateway) => chargeStory(failpoint, gateway)),
    ...KINDS.map((kind) => operationStory(failpoint, kind)),
  ]),
  apiStories.committed,
  apiStories.answerReady,
  ...apiStories.operationsCommitted,
  apiStories.operationAnswerReady,
  apiStories.callbackStored,
  ...subscriptionStories,
  ...frozenStories,
];

/** Where a lost or doubled charge is closest; one operation of each kind. Webhooks are lost and come again in any round. */
export const FEW_STORIES: readonly Story[] = [
  chargeStory('gateway-answered', 'gateway_3'),
  operationStory('gateway-answered', 'refund'),
  operationStory('outcome-committed', 'cancel'),
  chargeStory('attempt-claimed', 'gateway_2'),
  operationStory('charge-prepared', 'capture'),
  apiStories.committed,
  apiStories.callbackStored,
  renewalStory('subscription-step-committed'),
];
