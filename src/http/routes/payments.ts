import type { CreatePayment } from '../../application/create-payment';
import type { FindPayment } from '../../application/find-payment';
import type { ListedPayment, PaymentList } from '../../persistence/read-models/payment-list';
import { validationError } from '../../domain/errors';
import type { PaymentMethod } from '../../domain/payment';
import { presentPayment, presentPaymentListItem } from '../../presenters/payment';
import { presentPage } from '../../presenters/page';
import type { OperationHandlers } from '../operation';
import { presentAnswer } from './payment-answer';

export interface PaymentRouteDeps {
  readonly createPayment: CreatePayment;
  readonly findPayment: FindPayment;
  readonly paymentList: PaymentList;
}

type PaymentOperationId =
  'createCardPayment' | 'createPixPayment' | 'createBilletPayment' | 'getPayment' | 'listPayments';

export function paymentOperations(deps: PaymentRouteDeps): Pick<OperationHandlers, PaymentOperationId> {
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

    createPixPayment: async ({ company, body, idempotencyKey, receivedAt }) =>
      presentAnswer(
        await deps.createPayment.execute({
          company,
          path: '/payments/pix',
          idempotencyKey,
          request: ofMethod(body, 'pix'),
          receivedAt,
        }),
      ),

    createBilletPayment: async ({ company, body, idempotencyKey, receivedAt }) =>
      presentAnswer(
        await deps.createPayment.execute({
          company,
          path: '/payments/billet',
          idempotencyKey,
          request: ofMethod(body, 'billet'),
          receivedAt,
        }),
      ),

    getPayment: async ({ company, params }) => {
      const { payment, attempts, deliveries } = await deps.findPayment.byId(company.id, params.id);
      return { status: 200, body: presentPayment(payment, attempts, deliveries) };
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
      const present = ({ payment, attempts, deliveries }: ListedPayment) =>
        presentPaymentListItem(payment, attempts, deliveries);
      return { status: 200, body: presentPage(found, page, present) };
    },
  };
}

/** A route's own method may be left out of the body; another one is a mistake. */
function ofMethod<B extends { readonly payment_method?: PaymentMethod }, M extends PaymentMethod>(
  body: B,
  method: M,
): B & { readonly payment_method: M } {
  const named = body.payment_method ?? method;
  if (named !== method) throw validationError({ payment_method: [`must be ${method} here`] });
  return { ...body, payment_method: method };
}
