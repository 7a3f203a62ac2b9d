import type { CreatePayment, CreatePaymentCommand } from '../../application/payments/create-payment';
import type { FindPayment } from '../../application/payments/find-payment';
import type { PaymentRequest } from '../../application/payments/payment-request';
import type { ListedPayment, PaymentList } from '../../persistence/read-models/payment-list';
import { validationError } from '../../domain/shared/errors';
import type { PaymentMethod } from '../../domain/payments/payment';
import { presentPayment, presentPaymentListItem } from '../../presenters/payment';
import { presentPage } from '../../presenters/page';
import type { OperationHandlers } from '../server/operation';
import { presentAnswer } from './payment-answer';
import { paymentFilter } from './payment-filter';

export interface PaymentRouteDeps {
  readonly createPayment: CreatePayment;
  readonly findPayment: FindPayment;
  readonly paymentList: PaymentList;
}

type PaymentOperationId =
  'createCardPayment' | 'createPixPayment' | 'createBilletPayment' | 'getPayment' | 'listPayments';

export function paymentOperations(deps: PaymentRouteDeps): Pick<OperationHandlers, PaymentOperationId> {
  const create = async (
    path: string,
    { company, idempotencyKey, receivedAt }: Omit<CreatePaymentCommand, 'path' | 'request'>,
    request: PaymentRequest,
  ) => {
    const command = { company, path, idempotencyKey, request, receivedAt };
    return presentAnswer(await deps.createPayment.execute(command));
  };
  return {
    createCardPayment: (asked) => create('/payments/card', asked, asked.body),
    createPixPayment: async (asked) => create('/payments/pix', asked, ofMethod(asked.body, 'pix')),
    createBilletPayment: async (asked) => create('/payments/billet', asked, ofMethod(asked.body, 'billet')),

    getPayment: async ({ company, params }) => {
      const { payment, attempts, deliveries } = await deps.findPayment.byId(company.id, params.id);
      return { status: 200, body: presentPayment(payment, attempts, deliveries) };
    },

    listPayments: async ({ company, query }) => {
      const page = { number: query.page, size: query.per_page };
      const found = await deps.paymentList.load(company, paymentFilter(query), page);
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
