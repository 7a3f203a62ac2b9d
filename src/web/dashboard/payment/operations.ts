import { unwrapBody, api, type Schema } from '../../api/client';

export type Payment = Schema<'Payment'>;
export type Operation = 'capture' | 'cancel' | 'refund';

/** Operations that the payment's status allows; the API makes the final decision. */
export function allowedOperations(payment: Payment): readonly Operation[] {
  const refunds: readonly Operation[] = refundableCents(payment) > 0 ? ['refund'] : [];
  switch (payment.status) {
    case 'authorized':
      return ['capture', 'cancel'];
    case 'pending':
      return refunds.length > 0 ? refunds : ['cancel'];
    case 'approved':
    case 'failed':
    case 'canceled':
      return refunds;
    default:
      return [];
  }
}

/** How much an operation may be for, in cents. */
export interface AmountLimits {
  /** The full amount that is left. */
  readonly max: number;
  /** What the payment received, or may capture. */
  readonly total: number;
  /** What of it was refunded, is being refunded or is disputed. */
  readonly done: number;
}

export function amountLimits(operation: Operation, payment: Payment): AmountLimits {
  if (operation !== 'refund') return { max: payment.amount, total: payment.amount, done: 0 };
  const total = receivedCents(payment);
  const max = refundableCents(payment);
  return { max, total, done: total - max };
}

/** Of a pix or boleto that is not approved, the part that was paid. */
function receivedCents({ captured_amount: captured, paid_amount: paid }: Payment): number {
  return captured > 0 ? captured : (paid ?? 0);
}

/** Without what is refunded, what is being refunded, and what a dispute holds. */
function refundableCents(payment: Payment): number {
  const { refunded_amount: refunded, disputed_amount: disputed, pending_operations: pending } = payment;
  const refunding = pending
    .filter(({ operation }) => operation === 'refund')
    .reduce((sum, { amount }) => sum + amount, 0);
  return Math.max(0, receivedCents(payment) - refunded - disputed - refunding);
}

export interface OperationRequest {
  readonly amount?: number;
  readonly reason?: string;
  readonly bank_account?: Schema<'BankAccount'>;
}

/** Returns the updated payment; status `processing` means that the gateway has not responded. */
export function requestOperation(
  operation: Operation,
  id: string,
  body: OperationRequest,
  key: string,
): Promise<Payment> {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  switch (operation) {
    case 'capture':
      return unwrapBody(api.POST('/user/payments/{id}/capture', { params, body }));
    case 'refund':
      return unwrapBody(api.POST('/user/payments/{id}/refund', { params, body }));
    case 'cancel':
      return unwrapBody(api.POST('/user/payments/{id}/cancel', { params }));
  }
}
