import type { CreatePayment, CreatePaymentCommand } from '../../application/payments/create-payment';
import type { FindPayment } from '../../application/payments/find-payment';
import type { PaymentRequest } from '../../application/payments/payment-request';
import type { ListedPayment, PaymentList } from '../../persistence/read-models/payment-list';
import { validationError } from '../../domain/shared/errors';
import type { PaymentMethod } from '../../domain/payments/payment';
import { presentPayment, presentPaymentListItem } from '../../presenters/payment';
import { presentPage } from '../../presenters/page';
import type { RouteHandlers } from '../server/route';
import { pageRequest } from './page-request';
import { presentAnswer } from './payment-answer';
import { paymentFilter } from './payment-filter';

export interface PaymentRouteDeps {
  readonly createPayment: CreatePayment;
  readonly findPayment: FindPayment;
  readonly paymentList: PaymentList;
}

type PaymentRouteId =
  | 'createCardPayment'
  | 'createPixPayment'
  | 'createBilletPayment'
  | 'getPayment'
  | 'listPayments';

export function paymentRoutes(deps: PaymentRouteDeps): Pick<RouteHandlers, PaymentRouteId> {
  const create = async (
    path: string,
    { company, idempotencyKey, receivedAt }: Omit<CreatePaymentCommand, 'path' | 'request'>,
    request: PaymentRequest,
  ) => {
    const command = { company, path, idempotencyKey, request, receivedAt };
    return presentAnswer(await deps.createPayment.execute(command));
  };
  return {
    createCardPayment: (request) => create('/payments/card', request, request.body),
    createPixPayment: async (request) => create('/payments/pix', request, withMethod(request.body, 'pix')),
    createBilletPayment: async (request) =>
      create('/payments/billet', request, withMethod(request.body, 'billet')),

    getPayment: async ({ company, params }) => {
      const { payment, attempts, deliveries } = await deps.findPayment.byId(company.id, params.id);
      return { status: 200, body: presentPayment(payment, attempts, deliveries) };
    },

    listPayments: async ({ company, query }) => {
      const page = pageRequest(query);
      const found = await deps.paymentList.load(company, paymentFilter(query), page);
      const present = ({ payment, attempts, deliveries }: ListedPayment) =>
        presentPaymentListItem(payment, attempts, deliveries);
      return { status: 200, body: presentPage(found, page, present) };
    },
  };
}

/** The body may omit the route's payment method, but must not name a different one. */
function withMethod<B extends { readonly payment_method?: PaymentMethod }, M extends PaymentMethod>(
  body: B,
  method: M,
): B & { readonly payment_method: M } {
  if ((body.payment_method ?? method) !== method)
    throw validationError({ payment_method: [`must be ${method} here`] });
  return { ...body, payment_method: method };
}
