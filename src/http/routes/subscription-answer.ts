import type { SubscriptionAnswer } from '../../application/subscriptions/subscription-answer';
import { presentSubscription } from '../../presenters/subscription';
import type { RouteResponse } from '../server/route';
import { presentRecordedAnswer } from './recorded-answer';

/** The recorded answer of a key, or the subscription's current state. */
export function presentSubscriptionAnswer(answer: SubscriptionAnswer): RouteResponse {
  if (answer.kind === 'recorded') return presentRecordedAnswer(answer);
  return { status: answer.status, body: { data: presentSubscription(answer.subscription) } };
}
