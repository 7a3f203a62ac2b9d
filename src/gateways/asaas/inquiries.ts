import { assertNever } from '../../domain/shared/assert-never';
import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { GatewayContext, InquiryResult, InquirySubject, Outcome } from '../gateway';
import { chargeReferenceOf, operationOf } from '../own-references';
import { get, paymentPath } from './calls';
import { chargebackOf } from './disputes';
import { isInstallmentId, readInstallments, refundedInstallments } from './installments';
import { chargeOutcome, chargeState, isPaid, stageOf } from './outcomes';
import { withCodes } from './payment-codes';
import { isRefundAbsent, refundOutcome, refundsOf, refundsWith } from './refunds';
import { type AsaasPayment, paymentList, paymentReply } from './wire';

/** The result of an inquiry. Errors of the gateway are left to the caller. */
export async function inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
  const { reference, gatewayTransactionId: id } = subject;
  const isCharge = operationOf(reference) === 'charge';
  const payment = id === null ? null : await paymentById(ctx, id);
  // A key of another account does not know the payment either, so this proves no absence.
  if (id !== null && payment === null) return unclear('the gateway does not know its own id');
  if (payment?.externalReference === chargeReferenceOf(reference)) {
    return isCharge ? chargeResult(ctx, payment) : operationResult(ctx, payment, subject);
  }
  return isCharge ? chargeByReference(ctx, reference) : unclear('the operation is on another charge');
}

/** Null if Asaas itself answers that it does not know the id. */
async function paymentById(ctx: GatewayContext, id: string): Promise<AsaasPayment | null> {
  try {
    return isInstallmentId(id)
      ? await readInstallments(ctx, id)
      : await get(ctx, paymentPath(id), paymentReply);
  } catch (error) {
    if (error instanceof GatewayError && error.family === 'invalid_request') return null;
    throw error;
  }
}

/** Asaas keeps several payments with one reference, and does not list deleted ones. */
async function chargeByReference(ctx: GatewayContext, reference: string): Promise<InquiryResult> {
  const query = { externalReference: reference, limit: '100' };
  const { data, totalCount } = await get(ctx, 'payments', paymentList, { query });
  const own = data.filter(({ externalReference }) => externalReference === reference);
  const [payment, ...others] = own;
  if (payment === undefined && totalCount > 0) return unclear('the gateway listed other payments');
  if (payment === undefined) return { kind: 'not_found' };
  const { installment } = payment;
  const isOneCharge = others.every((other) => installment !== null && other.installment === installment);
  if (!isOneCharge) return unclear('several payments have this reference');
  const whole = installment === null ? payment : await readInstallments(ctx, installment);
  return whole === null ? unclear('the gateway did not show the installments') : chargeResult(ctx, whole);
}

async function chargeResult(ctx: GatewayContext, payment: AsaasPayment): Promise<InquiryResult> {
  const stage = stageOf(payment);
  const outcome = chargeOutcome(payment);
  if (stage === null || outcome === null) return unclear('the gateway has not decided about the payment');
  const complete = await withCodes(ctx, payment, outcome);
  const dispute = chargebackOf(payment, new Date());
  const shown = dispute === null ? {} : { disputes: [dispute] };
  return { kind: 'found', outcome: { ...complete, ...shown, chargeState: chargeState(payment, stage) } };
}

/** An operation has no object of its own at Asaas, except a refund. */
async function operationResult(
  ctx: GatewayContext,
  payment: AsaasPayment,
  subject: InquirySubject,
): Promise<InquiryResult> {
  const operation = operationOf(subject.reference);
  switch (operation) {
    case 'capture':
      return captureResult(payment);
    case 'cancel':
      return cancelResult(payment);
    case 'refund':
      return refundResult(ctx, payment, subject);
    case 'charge':
      throw new Error('a charge is no operation');
    default:
      return assertNever(operation);
  }
}

/** An authorization is captured once and as a whole, whoever did it. */
function captureResult(payment: AsaasPayment): InquiryResult {
  const stage = stageOf(payment);
  if (stage === null) return unclear('the gateway has not decided about the payment');
  return isPaid(stage)
    ? found(followUpOutcome('approved', payment.id, payment.value))
    : { kind: 'not_found' };
}

/** A charge is canceled once, whoever did it. */
function cancelResult(payment: AsaasPayment): InquiryResult {
  const stage = stageOf(payment);
  if (stage === null) return unclear('the gateway has not decided about the payment');
  const isCanceled = stage === 'voided' || stage === 'removed';
  return isCanceled ? found(followUpOutcome('canceled', payment.id, payment.value)) : { kind: 'not_found' };
}

async function refundResult(
  ctx: GatewayContext,
  payment: AsaasPayment,
  { reference, refund: asked }: InquirySubject,
): Promise<InquiryResult> {
  if (isInstallmentId(payment.id)) return refundedInstallments(payment);
  const listed = await refundsOf(ctx, payment);
  const [refund, ...others] = refundsWith(reference, listed);
  if (others.length > 0) return unclear('several refunds have this reference');
  if (refund !== undefined) return found(refundOutcome(refund, payment.id));
  return isRefundAbsent(payment, listed, asked)
    ? { kind: 'not_found' }
    : unclear('the refund may not be listed yet, and a second one would be carried out too');
}

function found(outcome: Outcome): InquiryResult {
  return { kind: 'found', outcome };
}

function unclear(reason: string): InquiryResult {
  return { kind: 'inconclusive', reason };
}
