import type { OperatePayment } from '../../application/payments/operate-payment';
import type { OperationBody } from '../../application/payments/prepare-operation';
import type { RequestInquiry } from '../../application/payments/request-inquiry';
import type { ResolvePayment } from '../../application/payments/resolve-payment';
import { auditActorOf } from '../../domain/companies/audit-actor';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import { presentInquiry } from '../../presenters/payment-detail';
import type { RouteHandlers, RouteRequest, RouteResponse } from '../server/route';
import { presentAnswer } from './payment-answer';

export interface UserPaymentRouteDeps {
  readonly operatePayment: OperatePayment;
  readonly resolvePayment: ResolvePayment;
  readonly requestInquiry: RequestInquiry;
}

type UserPaymentRouteId =
  | 'captureUserPayment'
  | 'cancelUserPayment'
  | 'refundUserPayment'
  | 'resolvePayment'
  | 'inquirePayment';
/** A user's request, without its body. */
type UserRequest = Omit<RouteRequest<'cancelUserPayment'>, 'body'>;

/** Operations on a payment by the company's users; the audit log names the user. */
export function userPaymentRoutes({
  operatePayment,
  resolvePayment,
  requestInquiry,
}: UserPaymentRouteDeps): Pick<RouteHandlers, UserPaymentRouteId> {
  const operate = async (
    operation: PaymentOperation,
    request: UserRequest,
    body: OperationBody,
  ): Promise<RouteResponse> => {
    const { company, params, idempotencyKey, receivedAt } = request;
    const command = { company, operation, id: params.id, idempotencyKey, request: body, receivedAt };
    return presentAnswer(await operatePayment.execute({ ...command, actor: auditActorOf(request) }));
  };
  return {
    captureUserPayment: (request) => operate('capture', request, request.body),
    cancelUserPayment: (request) => operate('cancel', request, {}),
    refundUserPayment: (request) => operate('refund', request, request.body),

    inquirePayment: async (request) => {
      const payment = await requestInquiry.execute(auditActorOf(request), request.params.id);
      return { status: 202, body: { data: presentInquiry(payment) } };
    },

    resolvePayment: async (request) => {
      const {
        outcome,
        reason,
        attempt_id: attemptId,
        gateway_transaction_id: gatewayTransactionId,
      } = request.body;
      const resolution = {
        outcome,
        reason,
        attemptId: attemptId?.toLowerCase() ?? null,
        gatewayTransactionId: gatewayTransactionId ?? null,
      };
      const { params, receivedAt } = request;
      return presentAnswer(
        await resolvePayment.execute({ actor: auditActorOf(request), id: params.id, resolution, receivedAt }),
      );
    },
  };
}
