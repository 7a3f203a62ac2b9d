import type { AdvancePaymentClock } from '../../application/payments/advance-payment-clock';
import type { OperatePayment, OperatePaymentCommand } from '../../application/payments/operate-payment';
import type { OperationBody } from '../../application/payments/prepare-operation';
import { parseInstant } from '../../domain/time/instant';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import { presentPayment } from '../../presenters/payment';
import type { RouteHandlers } from '../server/route';
import { presentAnswer } from './payment-answer';

export interface PaymentCommandRouteDeps {
  readonly operatePayment: OperatePayment;
  readonly advanceClock: AdvancePaymentClock;
}

type PaymentCommandRouteId = 'capturePayment' | 'cancelPayment' | 'refundPayment' | 'movePaymentClock';

type PaymentRequestContext = Pick<OperatePaymentCommand, 'company' | 'idempotencyKey' | 'receivedAt'> & {
  readonly params: { readonly id: string };
};

/** Operations on a payment and the sandbox's test clock, by API key. */
export function paymentCommandRoutes({
  operatePayment,
  advanceClock,
}: PaymentCommandRouteDeps): Pick<RouteHandlers, PaymentCommandRouteId> {
  const operate = async (
    { company, params: { id }, idempotencyKey, receivedAt }: PaymentRequestContext,
    operation: PaymentOperation,
    request: OperationBody,
  ) => {
    const command = { company, operation, id, idempotencyKey, request, receivedAt };
    return presentAnswer(await operatePayment.execute(command));
  };
  return {
    capturePayment: (request) => operate(request, 'capture', request.body),
    cancelPayment: (request) => operate(request, 'cancel', {}),
    refundPayment: (request) => operate(request, 'refund', request.body),

    movePaymentClock: async ({ company, params: { id }, body }) => {
      const advanceTo = parseInstant('advance_to', body.advance_to);
      const advanced = await advanceClock.execute({ companyId: company.id, id, advanceTo });
      return { status: 200, body: presentPayment(advanced.payment, advanced.attempts, advanced.deliveries) };
    },
  };
}
