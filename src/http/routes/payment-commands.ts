import type { AdvancePaymentClock } from '../../application/payments/advance-payment-clock';
import type { OperatePayment, OperatePaymentCommand } from '../../application/payments/operate-payment';
import type { OperationRequest } from '../../application/payments/prepare-operation';
import { readInstant } from '../../domain/time/instant';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import { presentPayment } from '../../presenters/payment';
import type { OperationHandlers } from '../server/operation';
import { presentAnswer } from './payment-answer';

export interface PaymentCommandDeps {
  readonly operatePayment: OperatePayment;
  readonly moveClock: AdvancePaymentClock;
}

type PaymentCommandId = 'capturePayment' | 'cancelPayment' | 'refundPayment' | 'movePaymentClock';

type Asking = Pick<OperatePaymentCommand, 'company' | 'idempotencyKey' | 'receivedAt'> & {
  readonly params: { readonly id: string };
};

/** What can be done to a payment that exists. */
export function paymentCommands({
  operatePayment,
  moveClock,
}: PaymentCommandDeps): Pick<OperationHandlers, PaymentCommandId> {
  const operate = async (
    { company, params: { id }, idempotencyKey, receivedAt }: Asking,
    operation: PaymentOperation,
    request: OperationRequest,
  ) => {
    const command = { company, operation, id, idempotencyKey, request, receivedAt };
    return presentAnswer(await operatePayment.execute(command));
  };
  return {
    capturePayment: (request) => operate(request, 'capture', request.body),
    cancelPayment: (request) => operate(request, 'cancel', {}),
    refundPayment: (request) => operate(request, 'refund', request.body),

    movePaymentClock: async ({ company, params: { id }, body }) => {
      const advanceTo = readInstant('advance_to', body.advance_to);
      const moved = await moveClock.execute({ companyId: company.id, id, advanceTo });
      return { status: 200, body: presentPayment(moved.payment, moved.attempts, moved.deliveries) };
    },
  };
}
