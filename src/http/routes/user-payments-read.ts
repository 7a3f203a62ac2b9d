import type { PaymentDetail, PaymentDetailReader } from '../../persistence/read-models/payment-detail';
import type { ListedPayment, PaymentList } from '../../persistence/read-models/payment-list';
import { presentPage } from '../../presenters/page';
import type { DeliveryWorkflowLink } from '../../presenters/webhook';
import { presentUserPayment, presentUserPaymentListItem } from '../../presenters/payment-detail';
import type { RouteHandlers } from '../server/route';
import { pageRequest } from './page-request';
import { userPaymentFilter } from './payment-filter';

export interface UserPaymentReadRouteDeps {
  readonly paymentList: PaymentList;
  readonly paymentDetails: PaymentDetailReader;
  /** Link to the workflow that worked on a payment in Temporal's UI, for support staff. */
  readonly workflowLink: (detail: Pick<PaymentDetail, 'payment' | 'attempts'>) => {
    readonly id: string;
    readonly url: string | null;
  };
  readonly deliveryLink: DeliveryWorkflowLink;
}

/** Payments for the company's users. */
export function userPaymentReadRoutes({
  paymentList,
  paymentDetails,
  workflowLink,
  deliveryLink,
}: UserPaymentReadRouteDeps): Pick<RouteHandlers, 'listUserPayments' | 'getUserPayment'> {
  return {
    listUserPayments: async ({ company, query }) => {
      const page = pageRequest(query);
      const filter = userPaymentFilter(query);
      const found = await paymentList.load(company, filter, page);
      const present = ({ payment, attempts, deliveries }: ListedPayment) =>
        presentUserPaymentListItem(payment, attempts, deliveries);
      return { status: 200, body: presentPage(found, page, present) };
    },

    getUserPayment: async ({ company, params: { id } }) => {
      const detail = await paymentDetails.load(company.id, id);
      const workflow = workflowLink(detail);
      return { status: 200, body: { data: presentUserPayment(detail, workflow, deliveryLink) } };
    },
  };
}
