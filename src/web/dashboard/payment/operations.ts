import { answerOf, api, type Schema } from '../../api/client';

type Payment = Schema<'Payment'>;
export type Operation = 'capture' | 'cancel' | 'refund';

/** What may be done as far as this page can tell; the service has the last word. */
export function possibleOperations({
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

/** The whole of it, in cents. */
export function mostCents(
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

/** The payment afterwards; `processing` tells that the gateway has not answered. */
export function operate(
  operation: Operation,
  id: string,
  body: OperationRequest,
  key: string,
): Promise<Payment> {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  switch (operation) {
    case 'capture':
      return answerOf(api.POST('/user/payments/{id}/capture', { params, body }));
    case 'refund':
      return answerOf(api.POST('/user/payments/{id}/refund', { params, body }));
    case 'cancel':
      return answerOf(api.POST('/user/payments/{id}/cancel', { params }));
  }
}
