import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, startChild } from '@temporalio/workflow';
import { paymentWorkflowId, type SubscriptionStep } from '../messages';
import { payment } from '../payments/payment';
import { paymentSearchAttributes } from '../search-attributes';

/** Has the payment of a charge run, for runs that began before its step did that. One that runs already is left to itself. */
export async function ensurePaymentRuns(charge: NonNullable<SubscriptionStep['openCharge']>): Promise<void> {
  const { companyId, transactionId, summary } = charge;
  try {
    await startChild(payment, {
      workflowId: paymentWorkflowId(transactionId),
      args: [{ companyId, transactionId }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: summary,
      typedSearchAttributes: paymentSearchAttributes(charge),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
