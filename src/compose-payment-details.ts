import type { Parts } from './compose';
import type { Config } from './config';
import type { AdminPaymentReadDeps } from './http/routes/admin-payments-read';
import { PaymentDetails } from './persistence/read-models/payment-detail';
import { workflowLink } from './temporal/workflow-link';
import { deliveryWorkflowId, paymentWorkflowId } from '../workflows/messages';

/** Payments as the company's people look at them. */
export function composePaymentDetails(
  { temporal: { uiUrl: url, namespace } }: Config,
  { db, payments, attempts }: Parts,
  { paymentList }: Pick<AdminPaymentReadDeps, 'paymentList'>,
): AdminPaymentReadDeps {
  return {
    paymentList,
    paymentDetails: new PaymentDetails(db, payments, attempts),
    workflowLink: (transactionId) => workflowLink({ url, namespace }, paymentWorkflowId(transactionId)),
    deliveryLink: (deliveryId) => workflowLink({ url, namespace }, deliveryWorkflowId(deliveryId)),
  };
}
