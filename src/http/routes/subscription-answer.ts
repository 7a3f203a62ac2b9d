import { REPLAYED } from '../../application/payments/payment-answer';
import type { SubscriptionAnswer } from '../../application/subscriptions/subscription-answer';
import { presentSubscription } from '../../presenters/subscription';
import type { OperationResponse } from '../server/operation';

/** The subscription as it stands; the recorded answer of a key is given as it was recorded. */
export function presentSubscriptionAnswer(answer: SubscriptionAnswer): OperationResponse {
  if (answer.kind === 'recorded') {
    const { status, body, replayed } = answer;
    return { status, body, ...(replayed ? { headers: REPLAYED } : {}) };
  }
  return { status: answer.status, body: { data: presentSubscription(answer.subscription) } };
}
