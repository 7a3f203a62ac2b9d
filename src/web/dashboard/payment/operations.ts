import { unwrapBody, api, type Schema } from '../../api/client';

export type Payment = Schema<'Payment'>;
export type Operation = 'capture' | 'cancel' | 'refund';

/** Operations that the payment's status allows; the API makes the final decision. */
export function allowedOperations({
  status,
  captured_amount,
  refunded_amount,
}: Payment): readonly Operation[] {
  switch (status) {
    case 'authorized':
      return ['capture', 'cancel'];
    case 'pending':
      return ['cancel'];
    case 'approved':
      return captured_amount > refunded_amount ? ['refund'] : [];
    default:
      return [];
  }
}

/** The full amount of the operation, in cents. */
export function maxCents(
  operation: Operation,
  { amount, captured_amount, refunded_amount }: Payment,
): number {
  return operation === 'refund' ? captured_amount - refunded_amount : amount;
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
