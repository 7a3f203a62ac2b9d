import type { PaymentDetails } from '../../persistence/read-models/payment-detail';
import type { ListedPayment, PaymentList } from '../../persistence/read-models/payment-list';
import { presentPage } from '../../presenters/page';
import type { DeliveryWorkflowLink } from '../../presenters/webhook';
import { presentUserPayment, presentUserPaymentListItem } from '../../presenters/payment-detail';
import type { OperationHandlers } from '../server/operation';
import { paymentFilter } from './payment-filter';

export interface UserPaymentReadDeps {
  readonly paymentList: PaymentList;
  readonly paymentDetails: PaymentDetails;
  /** Where support staff see a payment's workflow. */
  readonly workflowLink: (transactionId: string) => { readonly id: string; readonly url: string | null };
  readonly deliveryLink: DeliveryWorkflowLink;
}

/** Payments as the company's people look at them. */
export function userPaymentReads({
  paymentList,
  paymentDetails,
  workflowLink,
  deliveryLink,
}: UserPaymentReadDeps): Pick<OperationHandlers, 'listUserPayments' | 'getUserPayment'> {
  return {
    listUserPayments: async ({ company, query }) => {
      const page = { number: query.page, size: query.per_page };
      const filter = { ...paymentFilter(query), q: query.q, stuck: query.stuck };
      const found = await paymentList.load(company, filter, page);
      const present = ({ payment, attempts, deliveries }: ListedPayment) =>
        presentUserPaymentListItem(payment, attempts, deliveries);
      return { status: 200, body: presentPage(found, page, present) };
    },

    getUserPayment: async ({ company, params: { id } }) => {
      const detail = await paymentDetails.load(company.id, id);
      const workflow = workflowLink(detail.payment.transactionId);
      return { status: 200, body: { data: presentUserPayment(detail, workflow, deliveryLink) } };
    },
  };
}
