import type { ListedRefund } from '../inquired-refund';
import type { PagarmeCharge, PagarmeTransaction, TransactionStatus } from './wire';

/** What the customer paid of a charge, and what went back. */
export interface ChargeMoney {
  /** Captured of a card, paid of a pix or boleto. */
  readonly paidCents: number;
  readonly refundedCents: number;
  /** Every refund, also those that are not carried out. */
  readonly refunds: readonly ListedRefund[];
}

const PAYMENTS: ReadonlySet<TransactionStatus> = new Set([
  'captured',
  'partial_capture',
  'paid',
  'underpaid',
  'overpaid',
  'chargedback',
]);

/** States of transactions that return a payment or release a reservation. A refund on the day of the capture is `voided` (recorded). */
const RETURNS: Readonly<Partial<Record<TransactionStatus, ListedRefund['state']>>> = {
  refunded: 'done',
  partial_refunded: 'done',
  voided: 'done',
  partial_void: 'done',
  pending_refund: 'pending',
  waiting_cancellation: 'pending',
  error_on_refunding: 'refused',
  error_on_voiding: 'refused',
};
/** A transaction in these states may be of any operation. */
const REFUSALS: ReadonlySet<TransactionStatus> = new Set(['failed', 'not_authorized']);

/** States of a charge that nobody has paid, unless it shows a paid amount. */
const UNPAID: ReadonlySet<PagarmeCharge['status']> = new Set(['pending', 'processing', 'failed']);

/** Whether the charge alone tells its money, without its transactions. */
export function tellsMoney(charge: PagarmeCharge): boolean {
  const last = charge.last_transaction ?? null;
  if (charge.status === 'canceled' || charge.pending_cancellation === true) return false;
  if ((charge.canceled_amount ?? 0) > 0) return false;
  const isUnpaid = UNPAID.has(charge.status) && charge.paid_amount === null;
  return isUnpaid || (last !== null && PAYMENTS.has(last.status));
}

/** By the charge alone, of which `tellsMoney` holds. */
export function moneyOf(charge: PagarmeCharge): ChargeMoney {
  return moneyByTransactions(charge, charge.last_transaction ? [charge.last_transaction] : []);
}

/**
 * By all transactions of the charge, oldest first. `paid_amount` is missing in a charge that was refunded in full
 * (https://docs.pagar.me/reference/exemplo-de-webhook-1), and a void counts as canceled amount too.
 */
export function moneyByTransactions(
  charge: PagarmeCharge,
  transactions: readonly PagarmeTransaction[],
): ChargeMoney {
  const paidCents = paidBy(charge, transactions);
  if (paidCents === 0) return { paidCents, refundedCents: 0, refunds: [] };
  const refunds = transactions.flatMap((transaction, position): ListedRefund[] => {
    const state = stateOfReturn(transaction, position);
    return state === null ? [] : [{ amountCents: transaction.amount, state }];
  });
  return { paidCents, refundedCents: refundedBy(charge, paidCents, refunds), refunds };
}

function paidBy(charge: PagarmeCharge, transactions: readonly PagarmeTransaction[]): number {
  const payments = transactions.filter(({ status }) => PAYMENTS.has(status));
  const listed = payments.map((payment) =>
    payment.status === 'underpaid' ? (payment.paid_amount ?? 0) : (payment.paid_amount ?? payment.amount),
  );
  const paid = Math.max(0, charge.paid_amount ?? 0, ...listed);
  // A transaction that was paid and then refunded may have kept its place in the list.
  const isReturned = transactions.some(
    ({ status }) => status === 'refunded' || status === 'partial_refunded',
  );
  return paid === 0 && isReturned ? charge.amount : paid;
}

function refundedBy(charge: PagarmeCharge, paidCents: number, refunds: readonly ListedRefund[]): number {
  if (charge.status === 'canceled') return paidCents;
  const listed = refunds
    .filter(({ state }) => state === 'done')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
  // After a partial capture it may count the rest, which was never captured.
  const total = paidCents >= charge.amount ? (charge.canceled_amount ?? 0) : 0;
  return Math.min(paidCents, Math.max(listed, total));
}

/** Null if the transaction returns nothing. The first one is the charge itself. */
function stateOfReturn(
  { status, operation_type: type }: PagarmeTransaction,
  position: number,
): ListedRefund['state'] | null {
  const state = RETURNS[status];
  if (state !== undefined) return state;
  if (position === 0 || (type !== null && type !== 'cancel')) return null;
  if (status === 'with_error') return 'pending';
  return REFUSALS.has(status) ? 'refused' : null;
}
