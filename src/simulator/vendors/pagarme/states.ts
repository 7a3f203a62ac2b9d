import { assertNever } from '../../../domain/shared/assert-never';
import type { StoredCharge, StoredOperation } from '../../charge-store';
import { followUpDataOf, orderDataOf } from './record';

/** Charge states: pagarme/ecommerce-module-core, `ChargeStatus`. */
type ChargeState =
  | 'pending'
  | 'processing'
  | 'paid'
  | 'canceled'
  | 'failed'
  | 'underpaid'
  | 'overpaid'
  | 'chargedback';

/** `chargedback` is final: https://docs.pagar.me/page/chargeback-novo-status-na-cobrança */
export function chargeStateOf(charge: StoredCharge): ChargeState {
  if ((charge.disputes ?? []).length > 0) return 'chargedback';
  switch (charge.status) {
    case 'approved':
      return charge.paid > charge.amount ? 'overpaid' : 'paid';
    // Recorded `successful-authorize`: a charge that waits for its capture is pending.
    case 'authorized':
      return 'pending';
    case 'pending':
      return charge.paid > 0 ? 'underpaid' : 'pending';
    case 'declined':
      return 'failed';
    // Merchants report that an expired pix stays pending for days. Of a boleto it is not documented; the payment module knows a
    // transaction that is `expired`.
    case 'expired':
      return charge.paid > 0 ? 'underpaid' : charge.method === 'pix' ? 'pending' : 'failed';
    case 'canceled':
      return reviewOf(charge) === 'reproved' ? 'failed' : 'canceled';
    // A charge that is refunded in full is canceled, as in Pagar.me's webhook `charge.refunded`.
    case 'refunded':
      return 'canceled';
    default:
      return assertNever(charge.status);
  }
}

/** https://docs.pagar.me/reference/pedidos-1: pending, paid, canceled or failed. */
export function orderStateOf(charge: StoredCharge): 'pending' | 'paid' | 'canceled' | 'failed' {
  const state = chargeStateOf(charge);
  switch (state) {
    case 'paid':
    case 'overpaid':
    // The order stays as it is.
    case 'chargedback':
      return 'paid';
    case 'pending':
    case 'processing':
    case 'underpaid':
      return 'pending';
    case 'canceled':
    case 'failed':
      return state;
    default:
      return assertNever(state);
  }
}

/** What the anti-fraud service says of a charge; null if it did not look at it. */
export function reviewOf(charge: StoredCharge): 'pending' | 'approved' | 'reproved' | null {
  const { antifraud, in_review } = orderDataOf(charge);
  if (charge.status === 'declined' && charge.declineClass === 'fraud') return 'reproved';
  if (!in_review) return antifraud && charge.status !== 'declined' ? 'approved' : null;
  const outcome = charge.operations.find(isReview);
  if (outcome === undefined || outcome.pending !== undefined) return 'pending';
  return outcome.operation === 'capture' ? 'approved' : 'reproved';
}

/** Whether an operation is the outcome of a manual review, which is no transaction of its own. */
export function isReview(operation: StoredOperation): boolean {
  return followUpDataOf(operation).review;
}

/** The positions of the operations that are transactions; the last one is the charge's `last_transaction`. */
export function transactionPositions({ operations }: StoredCharge): number[] {
  return operations.flatMap((operation, position) => (isReview(operation) ? [] : [position]));
}

/** Transaction states: pagarme/ecommerce-module-core, `TransactionStatus`, and the recorded answers. */
export function transactionStateOf(charge: StoredCharge, position: number): string {
  const operation = charge.operations[position];
  switch (operation?.operation) {
    case undefined:
    case 'charge':
    case 'authorize':
      return firstStateOf(charge, operation);
    case 'capture':
      if (operation.pending !== undefined) return 'waiting_capture';
      if (operation.status === 'declined') return 'failed';
      return operation.amount < charge.amount ? 'partial_capture' : 'captured';
    case 'cancel':
      if (operation.pending !== undefined) return 'pending_refund';
      return operation.status === 'declined' ? 'failed' : 'voided';
    case 'refund':
      if (operation.pending !== undefined) return 'pending_refund';
      if (operation.status === 'declined') return 'failed';
      return operation.amount < charge.captured ? 'partial_refunded' : 'refunded';
  }
}

function firstStateOf(charge: StoredCharge, operation: StoredOperation | undefined): string {
  const { gateway_errors } = orderDataOf(charge);
  if (charge.method === 'card') {
    if (operation?.status === 'declined') return gateway_errors.length > 0 ? 'failed' : 'not_authorized';
    const review = reviewOf(charge);
    if (review === 'pending') return 'pending_review';
    if (review === 'reproved') return 'failed';
    return operation?.status === 'authorized' && !orderDataOf(charge).in_review
      ? 'authorized_pending_capture'
      : 'captured';
  }
  if (operation?.status === 'declined') return 'failed';
  if (charge.paid > charge.amount) return 'overpaid';
  if (charge.paid === charge.amount) return 'paid';
  if (charge.paid > 0) return 'underpaid';
  if (charge.method === 'pix') return 'waiting_payment';
  return charge.status === 'expired' ? 'expired' : 'generated';
}
