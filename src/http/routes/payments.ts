import type { CreatePayment, PaymentAnswer } from '../../application/create-payment';
import type { FindPayment } from '../../application/find-payment';
import type { ListedPayment, PaymentList } from '../../persistence/read-models/payment-list';
import { presentPayment, presentPaymentListItem } from '../../presenters/payment';
import { presentPage } from '../../presenters/page';
import type { OperationHandlers, OperationResponse } from '../operation';

export interface PaymentRouteDeps {
  readonly createPayment: CreatePayment;
  readonly findPayment: FindPayment;
  readonly paymentList: PaymentList;
}

export function paymentOperations(
  deps: PaymentRouteDeps,
): Pick<OperationHandlers, 'createCardPayment' | 'getPayment' | 'listPayments'> {
  return {
    createCardPayment: async ({ company, body, idempotencyKey, receivedAt }) =>
      presentAnswer(
        await deps.createPayment.execute({
          company,
          path: '/payments/card',
          idempotencyKey,
          request: body,
          receivedAt,
        }),
      ),

    getPayment: async ({ company, params }) => {
      const { payment, attempts } = await deps.findPayment.byId(company.id, params.id);
      return { status: 200, body: presentPayment(payment, attempts, []) };
    },

    listPayments: async ({ company, query }) => {
      const page = { number: query.page, size: query.per_page };
      const found = await deps.paymentList.load(
        company,
        {
          startDate: query.start_date,
          endDate: query.end_date,
          status: query.status,
          paymentMethod: query.payment_method,
          gateway: query.gateway,
          amountFrom: query.amount_from,
          amountTo: query.amount_to,
          merchantOrderId: query.merchant_order_id,
          transactionType: query.transaction_type,
        },
        page,
      );
      const present = ({ payment, attempts }: ListedPayment) => presentPaymentListItem(payment, attempts, []);
      return { status: 200, body: presentPage(found, page, present) };
    },
  };
}

/** 200 with a result, 202 while there is none; the recorded answer of a key is given as it was recorded. */
function presentAnswer(answer: PaymentAnswer): OperationResponse {
  const headers = answer.replayed ? { headers: { 'Idempotency-Replayed': 'true' } } : {};
  if (answer.kind === 'recorded') return { status: answer.status, body: answer.body, ...headers };
  const { payment, attempts } = answer.payment;
  const status = payment.status === 'processing' ? 202 : 200;
  return { status, body: presentPayment(payment, attempts, []), ...headers };
}
