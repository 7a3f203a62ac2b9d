import { assertNever } from '../../../domain/shared/assert-never';
import type { StoredCharge, StoredDispute } from '../../charge-store';
import { reais } from './amounts';
import type { AsaasObject } from './endpoint';
import { paymentIdOf } from './ids';
import { paymentDataOf } from './record';
import type { AsaasPaymentStatus } from './states';

/** What a payment shows of its newest dispute: https://docs.asaas.com/docs/payment-events. Null without one, and in installments. */
export function chargebackOf(
  charge: StoredCharge,
): { readonly status: AsaasPaymentStatus; readonly object: AsaasObject } | null {
  const dispute = charge.disputes?.at(-1);
  if (dispute === undefined || paymentDataOf(charge).installments > 1) return null;
  const [status, chargeback] = statesOf(dispute);
  return {
    status,
    // `PaymentChargebackResponseDto` of the SDK.
    object: {
      id: dispute.id,
      payment: paymentIdOf(charge.id, 1),
      status: chargeback,
      reason: dispute.reasonCode ?? 'SERVICE_NOT_RECEIVED',
      value: reais(dispute.amount),
      ...(dispute.evidenceDueAt !== null && {
        deadlineToSendDisputeDocuments: dispute.evidenceDueAt.slice(0, 10),
      }),
    },
  };
}

function statesOf({ status }: StoredDispute): readonly [AsaasPaymentStatus, string] {
  switch (status) {
    case 'opened':
      return ['CHARGEBACK_REQUESTED', 'REQUESTED'];
    case 'submitted':
      return ['CHARGEBACK_DISPUTE', 'IN_DISPUTE'];
    case 'won':
      return ['AWAITING_CHARGEBACK_REVERSAL', 'REVERSED'];
    case 'lost':
      return ['REFUNDED', 'DISPUTE_LOST'];
    default:
      return assertNever(status);
  }
}
