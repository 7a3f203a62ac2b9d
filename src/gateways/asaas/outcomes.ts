import type { PaymentMethod } from '../../domain/payments/payment';
import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import { assertNever } from '../../domain/shared/assert-never';
import type { Accepted } from '../gateway';
import { operationOf } from '../own-references';
import { gatewayTokenOf } from './card-tokens';
import type { AsaasPayment } from './wire';

/** What a charge is. `voided`: an authorization that was released; `removed`: a pix or boleto that was deleted unpaid. */
export type ChargeStage = 'pending' | 'authorized' | 'paid' | 'refunded' | 'voided' | 'removed';

/** By default; an account's own period may differ, and is not shown: https://docs.asaas.com/docs/payments-1 */
const AUTHORIZATION_DAYS = 3;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Brasília has no summer time. */
const BRASILIA_OFFSET = '-03:00';

/** The methods that the driver uses. A charge by another one is not ours. */
export function methodOf({ billingType }: AsaasPayment): PaymentMethod | null {
  switch (billingType) {
    case 'CREDIT_CARD':
      return 'card';
    case 'PIX':
      return 'pix';
    case 'BOLETO':
      return 'billet';
    case 'UNDEFINED':
    case 'DEBIT_CARD':
    case 'TRANSFER':
    case 'DEPOSIT':
      return null;
    default:
      return assertNever(billingType);
  }
}

/**
 * Null if the state says neither that money moved nor that it cannot: that is an unknown outcome.
 * https://docs.asaas.com/docs/payment-events and https://docs.asaas.com/docs/payments-1
 */
export function stageOf(payment: AsaasPayment): ChargeStage | null {
  const method = methodOf(payment);
  if (method === null) return null;
  const isCard = method === 'card';
  if (payment.deleted) return isUnpaid(payment) && !isCard ? 'removed' : null;
  switch (payment.status) {
    case 'PENDING':
    // Asaas still takes an overdue pix or boleto.
    case 'OVERDUE':
    case 'DUNNING_REQUESTED':
      return isCard ? null : 'pending';
    // People at Asaas decide later whether the card is charged.
    case 'AWAITING_RISK_ANALYSIS':
      return null;
    case 'AUTHORIZED':
      return isCard ? 'authorized' : null;
    case 'CONFIRMED':
    case 'RECEIVED':
    // What a dispute takes is no refund.
    case 'CHARGEBACK_REQUESTED':
    case 'CHARGEBACK_DISPUTE':
    case 'AWAITING_CHARGEBACK_REVERSAL':
      return 'paid';
    case 'RECEIVED_IN_CASH':
    case 'DUNNING_RECEIVED':
      return isCard ? null : 'paid';
    case 'REFUND_REQUESTED':
    case 'REFUND_IN_PROGRESS':
      return wasCaptured(payment) ? 'paid' : null;
    case 'REFUNDED':
      if (isChargedBack(payment)) return 'paid';
      return wasCaptured(payment) ? 'refunded' : 'voided';
    default:
      return assertNever(payment.status);
  }
}

function isUnpaid({ status }: AsaasPayment): boolean {
  return status === 'PENDING' || status === 'OVERDUE';
}

/**
 * Asaas gives back an authorization by the same refund as a captured charge. The dates tell them apart, and our reference in the
 * refund's description: Asaas does not say which dates an authorization has.
 */
function wasCaptured(payment: AsaasPayment): boolean {
  if (methodOf(payment) !== 'card') return true;
  const isOwnCancel = (payment.refunds ?? []).some(
    ({ description }) => operationOf(description?.split(' ')[0] ?? '') === 'cancel',
  );
  return !isOwnCancel && (payment.confirmedDate !== null || payment.clientPaymentDate !== null);
}

/** Cents that went back to the customer. */
export function refundedCents(payment: AsaasPayment): number {
  // What a chargeback took is no refund.
  if (payment.status === 'REFUNDED' && !isChargedBack(payment)) return payment.value;
  const done = (payment.refunds ?? []).filter(({ status }) => status === 'DONE');
  return done.reduce((sum, { value }) => sum + value, 0);
}

function isChargedBack({ chargeback }: AsaasPayment): boolean {
  return chargeback?.status === 'DONE' || chargeback?.status === 'DISPUTE_LOST';
}

/** The amount that was asked for. Interest and discounts change the value of a pix or boleto. */
export function requestedCents({ originalValue, value }: AsaasPayment): number {
  return originalValue ?? value;
}

/** The outcome of a charge or authorization, without the codes of a pix or boleto; null if it is unknown. */
export function chargeOutcome(payment: AsaasPayment): Accepted | null {
  const stage = stageOf(payment);
  if (stage === null) return null;
  const kind = kindOf(stage, payment);
  const isCard = methodOf(payment) === 'card';
  const gatewayToken = gatewayTokenOf(payment);
  return {
    kind,
    gatewayTransactionId: payment.id,
    amountCents: requestedCents(payment),
    responseCode: '00',
    responseMessage: kind,
    // Asaas shows neither the issuer's code nor the network's ids.
    authorizationCode: null,
    networkIds: null,
    captureBefore: stage === 'authorized' ? captureBefore(payment) : null,
    paidAmountCents: isCard ? null : paidCents(stage, payment),
    pix: null,
    billet: null,
    chargeState: null,
    ...(gatewayToken !== undefined && { gatewayToken }),
  };
}

/** The whole charge, for an inquiry about it. */
export function chargeState(payment: AsaasPayment, stage: ChargeStage): ReportedChargeState {
  const captured = isPaid(stage) ? payment.value : 0;
  return {
    status: kindOf(stage, payment),
    capturedCents: captured,
    refundedCents: isPaid(stage) ? refundedCents(payment) : 0,
    paidCents: methodOf(payment) === 'card' ? 0 : paidCents(stage, payment),
  };
}

/** Whether the customer's money was taken, whatever went back since. */
export function isPaid(stage: ChargeStage | null): boolean {
  return stage === 'paid' || stage === 'refunded';
}

function kindOf(stage: ChargeStage, payment: AsaasPayment): Accepted['kind'] {
  switch (stage) {
    case 'pending':
    case 'authorized':
    case 'refunded':
      return stage;
    case 'paid':
      return refundedCents(payment) >= payment.value ? 'refunded' : 'approved';
    case 'voided':
    case 'removed':
      return 'canceled';
    default:
      return assertNever(stage);
  }
}

function paidCents(stage: ChargeStage, { value }: AsaasPayment): number {
  return isPaid(stage) ? value : 0;
}

/** Asaas shows only the day of the creation, so this is up to a day early. */
function captureBefore({ dateCreated }: AsaasPayment): string {
  const created = Date.parse(`${dateCreated}T00:00:00${BRASILIA_OFFSET}`);
  return new Date(created + AUTHORIZATION_DAYS * DAY_MS).toISOString();
}

/** The end of a day in Brasília, as an ISO instant. */
export function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59${BRASILIA_OFFSET}`).toISOString();
}
