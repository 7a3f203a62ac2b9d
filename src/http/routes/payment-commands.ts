import type { MovePaymentClock } from '../../application/move-clock';
import type { OperatePayment } from '../../application/operate-payment';
import { presentPayment } from '../../presenters/payment';
import type { OperationHandlers } from '../operation';
import { presentAnswer } from './payment-answer';

export interface PaymentCommandDeps {
  readonly operatePayment: OperatePayment;
  readonly moveClock: MovePaymentClock;
}

type PaymentCommandId = 'capturePayment' | 'cancelPayment' | 'refundPayment' | 'movePaymentClock';

/** What can be done to a payment that exists. */
export function paymentCommands({
  operatePayment,
  moveClock,
}: PaymentCommandDeps): Pick<OperationHandlers, PaymentCommandId> {
  return {
    capturePayment: async ({ company, params: { id }, body, idempotencyKey, receivedAt }) =>
      presentAnswer(
        await operatePayment.execute({
          company,
          operation: 'capture',
          id,
          idempotencyKey,
          request: body,
          receivedAt,
        }),
      ),

    cancelPayment: async ({ company, params: { id }, idempotencyKey, receivedAt }) =>
      presentAnswer(
        await operatePayment.execute({
          company,
          operation: 'cancel',
          id,
          idempotencyKey,
          request: {},
          receivedAt,
        }),
      ),

    refundPayment: async ({ company, params: { id }, body, idempotencyKey, receivedAt }) =>
      presentAnswer(
        await operatePayment.execute({
          company,
          operation: 'refund',
          id,
          idempotencyKey,
          request: body,
          receivedAt,
        }),
      ),

    movePaymentClock: async ({ company, params: { id }, body }) => {
      const advanceTo = new Date(body.advance_to);
      const moved = await moveClock.execute({ companyId: company.id, id, advanceTo });
      return { status: 200, body: presentPayment(moved.payment, moved.attempts, moved.deliveries) };
    },
  };
}
