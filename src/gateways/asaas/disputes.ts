import { assertNever } from '../../domain/shared/assert-never';
import type { DisputeStatus } from '../../domain/disputes/dispute';
import type { DisputeHint } from '../callback';
import { endOfDay } from './outcomes';
import type { AsaasChargeback, AsaasPayment } from './wire';

/**
 * The chargeback that a payment shows (`PaymentChargebackResponseDto`); null if it shows none. Asaas does not tell when it changed, so
 * what an inquiry shows is as of the inquiry.
 */
export function chargebackOf(payment: AsaasPayment, askedAt: Date): DisputeHint | null {
  const { chargeback } = payment;
  const amountCents = chargeback?.value ?? payment.value;
  if (!chargeback || amountCents <= 0) return null;
  const status = statusOf(payment, chargeback);
  return {
    gatewayDisputeId: chargeback.id ?? payment.id,
    currency: null,
    kind: 'chargeback',
    status,
    amountCents: Math.min(amountCents, payment.value),
    reasonCode: chargeback.reason,
    evidenceDueAt: status === 'opened' ? dueAt(chargeback) : null,
    at: askedAt,
  };
}

function statusOf({ status }: AsaasPayment, chargeback: AsaasChargeback): DisputeStatus {
  // The dispute is won, and the acquirer has not returned the money yet: https://docs.asaas.com/docs/payment-events
  if (status === 'AWAITING_CHARGEBACK_REVERSAL') return 'won';
  switch (chargeback.status) {
    case 'REQUESTED':
      return 'opened';
    case 'IN_DISPUTE':
      return 'submitted';
    case 'REVERSED':
      return 'won';
    // Carried out, without a dispute or after a lost one.
    case 'DONE':
    case 'DISPUTE_LOST':
      return 'lost';
    default:
      return assertNever(chargeback.status);
  }
}

/** A day in Brasília, or an instant. */
function dueAt({ deadlineToSendDisputeDocuments: deadline }: AsaasChargeback): Date | null {
  if (deadline === null) return null;
  const at = new Date(/^\d{4}-\d{2}-\d{2}$/.test(deadline) ? endOfDay(deadline) : deadline);
  return Number.isNaN(at.getTime()) ? null : at;
}
