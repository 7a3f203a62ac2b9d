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

/** The full amount of the operation, in cents. */
export function maxCents(operation: Operation, payment: Payment): number {
  return operation === 'refund' ? refundableCents(payment) : payment.amount;
}

/** Of a pix or boleto that is not approved, the part that was paid. */
function refundableCents({ captured_amount, paid_amount, refunded_amount }: Payment): number {
  return (captured_amount > 0 ? captured_amount : (paid_amount ?? 0)) - refunded_amount;
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
