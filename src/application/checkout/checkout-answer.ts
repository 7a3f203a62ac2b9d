import type { CheckoutParty } from '../../domain/checkout/checkout-session';
import { assertNever } from '../../domain/shared/assert-never';
import type { PaymentAnswer } from '../payments/payment-answer';
import type { SubscriptionAnswer } from '../subscriptions/subscription-answer';
import type { TryOutcome } from './card-testing-guard';
import { isFirstChargeDeclined } from './checkout-claim';

export type CheckoutAnswer =
  | { readonly kind: 'payment'; readonly answer: PaymentAnswer; readonly party: CheckoutParty }
  | { readonly kind: 'subscription'; readonly answer: SubscriptionAnswer; readonly party: CheckoutParty };

/** How a purchase counts for card testing. */
export function tryOutcomeOf(paid: CheckoutAnswer): TryOutcome {
  switch (paid.kind) {
    case 'payment':
      return ofPayment(paid.answer);
    case 'subscription':
      return ofSubscription(paid.answer);
    default:
      return assertNever(paid);
  }
}

/** The parts of a recorded answer's body that show whether the card was charged. */
interface RecordedBody {
  readonly status?: string;
  readonly code?: string | null;
  readonly data?: { readonly status?: string };
}

function ofPayment(answer: PaymentAnswer): TryOutcome {
  const { status, code } =
    answer.kind === 'recorded' ? (answer.body as RecordedBody) : answer.payment.payment;
  if (status === 'approved') return 'approved';
  return status === 'failed' && code === 'declined' ? 'declined' : 'other';
}

/** A subscription stays pending if its first charge was declined. A trial charges nothing. */
function ofSubscription(answer: SubscriptionAnswer): TryOutcome {
  if (answer.kind === 'subscription') {
    const { subscription } = answer;
    if (isFirstChargeDeclined(subscription)) return 'declined';
    return subscription.state.status === 'active' ? 'approved' : 'other';
  }
  const { data } = answer.body as RecordedBody;
  if (data?.status === 'pending') return 'declined';
  return data?.status === 'active' ? 'approved' : 'other';
}
