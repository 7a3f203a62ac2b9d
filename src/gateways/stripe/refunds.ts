import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { FollowUp, GatewayContext, Outcome } from '../gateway';
import { get } from './calls';
import { declinedByWord } from './declines';
import { REFERENCE_KEY } from './references';
import { refundList, type StripeIntent, type StripeRefund } from './wire';

/** Refunds of one PaymentIntent that are read; more are not counted, but refused as unreadable. */
const MAX_PAGES = 5;
const PAGE = 100;

/** All refunds of a PaymentIntent, newest first. The expanded charge lists the first ten. */
export async function refundsOf(ctx: GatewayContext, intent: StripeIntent): Promise<readonly StripeRefund[]> {
  const charge = chargeOf(intent);
  if (charge === null) return [];
  const listed = charge.refunds;
  if (listed !== null && listed !== undefined && !listed.has_more) return listed.data;
  const refunds: StripeRefund[] = [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { payment_intent: intent.id, limit: PAGE, starting_after: refunds.at(-1)?.id };
    const { data, has_more } = await get(ctx, 'refunds', query, refundList);
    refunds.push(...data);
    if (!has_more) return refunds;
  }
  throw new GatewayError('ambiguous', 'the charge has too many refunds to be read');
}

/** What went back to the customer of a captured charge. */
export function refundedAmount(intent: StripeIntent, refunds: readonly StripeRefund[]): number {
  const released = releaseOf(intent, refunds);
  return refunds
    .filter((refund) => refund.status === 'succeeded' && refund !== released)
    .reduce((sum, { amount }) => sum + amount, 0);
}

/**
 * Stripe also lists what was never captured: the rest of a partial capture, as one refund without our metadata and without
 * an effect on the balance. https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
 * A refund of the same amount that moved the balance was made in the dashboard: it counts.
 */
function releaseOf(intent: StripeIntent, refunds: readonly StripeRefund[]): StripeRefund | undefined {
  const rest = intent.amount - intent.amount_received;
  const isRelease = ({ amount, metadata, balance_transaction }: StripeRefund): boolean =>
    amount === rest && metadata[REFERENCE_KEY] === undefined && balance_transaction === null;
  // The oldest: a refund can only follow the capture.
  return rest > 0 ? refunds.findLast(isRelease) : undefined;
}

/** https://docs.stripe.com/refunds#failed-refunds, and `pending` until the balance allows it */
export function refundOutcome(refund: StripeRefund, intentId: string): Outcome {
  switch (refund.status) {
    case 'succeeded':
      return followUpOutcome('refunded', intentId, refund.amount);
    case 'failed':
    case 'canceled':
      return declinedByWord(refund.failure_reason ?? `refund_${refund.status}`, intentId);
    case 'pending':
    case 'requires_action':
      return followUpOutcome('pending', intentId, refund.amount);
  }
}

/** Whether Stripe answered for this refund. */
export function isRefundOf(refund: StripeRefund, operation: FollowUp): boolean {
  return (
    refund.payment_intent === operation.gatewayTransactionId &&
    refund.metadata[REFERENCE_KEY] === operation.reference &&
    refund.amount === operation.amountCents
  );
}

export function chargeOf({ latest_charge: charge }: StripeIntent) {
  if (charge === null || charge === undefined) return null;
  if (typeof charge === 'string') throw new GatewayError('ambiguous', 'the gateway did not show the charge');
  return charge;
}
