import type { StoredCharge } from '../../charge-store';
import { intentIdOf, refundIdOf, stripeChargeIdOf } from './ids';
import { followUpDataOf, intentDataOf } from './record';

export type StripeObject = Readonly<Record<string, unknown>>;

/** Epoch seconds. */
export const secondsOf = (instant: string): number => Math.floor(Date.parse(instant) / 1000);

/**
 * The refund that an operation of a charge made; null if it made none. Stripe releases the rest of a partial capture, and a
 * canceled authorization, as a refund: https://docs.stripe.com/payments/place-a-hold-on-a-payment-method, and the recorded
 * answer to a cancel, whose charge lists one.
 */
export function refundObject(charge: StoredCharge, position: number): StripeObject | null {
  const operation = charge.operations[position];
  const amount = releasedBy(charge, position);
  if (operation === undefined || amount === null) return null;
  const { reason, metadata } = followUpDataOf(operation);
  const isRefund = operation.operation === 'refund';
  const failed = operation.status === 'declined';
  return {
    id: refundIdOf(charge.id, position),
    object: 'refund',
    amount,
    // As in the recorded answers: what was captured has moved the balance, what is only released has not.
    balance_transaction:
      isRefund && !failed ? `txn_${refundIdOf(charge.id, position).slice('re_'.length)}` : null,
    charge: stripeChargeIdOf(charge.id),
    created: secondsOf(operation.at),
    currency: charge.currency.toLowerCase(),
    customer: null,
    customer_account: null,
    destination_details: destinationOf(charge),
    ...(failed && { failure_reason: 'declined' }),
    metadata: isRefund ? metadata : {},
    payment_intent: intentIdOf(charge.id),
    payment_method: intentDataOf(charge).payment_method,
    reason: reason === 'abandoned' ? null : reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: failed ? 'failed' : operation.pending === undefined ? 'succeeded' : 'pending',
    transfer_reversal: null,
  };
}

/** Newest first. */
export function refundsOf(charge: StoredCharge): StripeObject[] {
  return charge.operations
    .map((_, position) => refundObject(charge, position))
    .filter((refund) => refund !== null)
    .toReversed();
}

/** What has gone back to the customer, in cents: refunds and released parts of an authorization. */
export function amountRefundedOf(charge: StoredCharge): number {
  return charge.operations.reduce(
    (sum, { status }, position) => sum + (status === 'declined' ? 0 : (releasedBy(charge, position) ?? 0)),
    0,
  );
}

/** The cents that an operation refunds or releases; null if it does neither. */
function releasedBy(charge: StoredCharge, position: number): number | null {
  const operation = charge.operations[position];
  if (operation === undefined) return null;
  switch (operation.operation) {
    case 'refund':
      return operation.amount;
    case 'capture': {
      const rest = charge.amount - operation.amount;
      return operation.status === 'declined' || rest === 0 ? null : rest;
    }
    case 'cancel':
      return wasAuthorized(charge) && operation.status !== 'declined' ? charge.amount : null;
    case 'charge':
    case 'authorize':
      return null;
  }
}

function wasAuthorized({ operations: [first] }: StoredCharge): boolean {
  return first?.status === 'authorized';
}

function destinationOf({ method }: StoredCharge): StripeObject {
  if (method === 'card') return { type: 'card', card: { type: 'refund' } };
  return method === 'pix' ? { type: 'pix', pix: {} } : { type: 'boleto' };
}
