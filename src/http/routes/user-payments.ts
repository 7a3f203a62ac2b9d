import type { OperatePayment } from '../../application/payments/operate-payment';
import type { OperationRequest as OperationBody } from '../../application/payments/prepare-operation';
import type { ResolvePayment } from '../../application/payments/resolve-payment';
import { auditActorOf } from '../../domain/companies/audit-actor';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import type { OperationHandlers, OperationRequest, OperationResponse } from '../server/operation';
import { presentAnswer } from './payment-answer';

export interface UserPaymentDeps {
  readonly operatePayment: OperatePayment;
  readonly resolvePayment: ResolvePayment;
}

type AdminPaymentId = 'captureUserPayment' | 'cancelUserPayment' | 'refundUserPayment' | 'resolvePayment';
/** What all of them have. */
type Asked = Omit<OperationRequest<'cancelUserPayment'>, 'body'>;

/** What a company's people do to a payment, as themselves. */
export function userPayments({
  operatePayment,
  resolvePayment,
}: UserPaymentDeps): Pick<OperationHandlers, AdminPaymentId> {
  const operate = async (
    operation: PaymentOperation,
    asked: Asked,
    request: OperationBody,
  ): Promise<OperationResponse> => {
    const { company, params, idempotencyKey, receivedAt } = asked;
    const command = { company, operation, id: params.id, idempotencyKey, request, receivedAt };
    return presentAnswer(await operatePayment.execute({ ...command, actor: auditActorOf(asked) }));
  };
  return {
    captureUserPayment: (asked) => operate('capture', asked, asked.body),
    cancelUserPayment: (asked) => operate('cancel', asked, {}),
    refundUserPayment: (asked) => operate('refund', asked, asked.body),

    resolvePayment: async (asked) => {
      const {
        outcome,
        reason,
        attempt_id: attemptId,
        gateway_transaction_id: gatewayTransactionId,
      } = asked.body;
      const word = {
        outcome,
        reason,
        attemptId: attemptId?.toLowerCase() ?? null,
        gatewayTransactionId: gatewayTransactionId ?? null,
      };
      const { params, receivedAt } = asked;
      return presentAnswer(
        await resolvePayment.execute({ actor: auditActorOf(asked), id: params.id, word, receivedAt }),
      );
    },
  };
}
