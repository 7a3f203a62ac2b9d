import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import { assertNever } from '../../domain/shared/assert-never';
import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { Accepted, GatewayContext, InquiryResult, InquirySubject, Outcome } from '../gateway';
import { matchRefund } from '../inquired-refund';
import { chargeReferenceOf, operationOf } from '../own-references';
import { get } from './calls';
import { chargebacksOf } from './disputes';
import { chargeOutcome, isCharged } from './outcomes';
import { refundedCents, refundOutcome, stateOf } from './refunds';
import { paymentPage, paymentReply, refundList, type MercadoPagoPayment } from './wire';

/** The largest page: https://www.mercadopago.com.br/developers/en/reference/payments/_payments_search/get */
const PAGE = 100;

/** The result of an inquiry. Errors of the gateway are left to the caller. */
export async function inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
  const { reference, gatewayTransactionId: id } = subject;
  const isCharge = operationOf(reference) === 'charge';
  const payment = id === null ? null : await paymentById(ctx, id);
  // Test and live mode do not know each other's payments, so this proves no absence.
  if (id !== null && payment === null) return unclear('the gateway does not know its own id');
  if (payment?.external_reference === chargeReferenceOf(reference))
    return isCharge ? chargeResult(ctx, payment) : operationResult(ctx, payment, subject);
  return isCharge ? chargeByReference(ctx, reference) : unclear('the operation is on another charge');
}

/** Null if Mercado Pago itself answers that it does not know the id. */
async function paymentById(ctx: GatewayContext, id: string): Promise<MercadoPagoPayment | null> {
  try {
    return await get(ctx, pathOf(id), paymentReply);
  } catch (error) {
    if (error instanceof GatewayError && error.family === 'invalid_request') return null;
    throw error;
  }
}

/** The search shows a new payment only after some time: see `lookupSettlesMs`. */
async function chargeByReference(ctx: GatewayContext, reference: string): Promise<InquiryResult> {
  const query = new URLSearchParams({
    sort: 'date_created',
    criteria: 'desc',
    external_reference: reference,
    limit: String(PAGE),
  });
  const { paging, results } = await get(ctx, `payments/search?${query.toString()}`, paymentPage);
  if (paging.total > results.length) return unclear('the gateway lists too many payments');
  const own = results.filter((listed) => listed.external_reference === reference);
  // A rejected payment beside another one is its duplicate.
  const live = own.filter(({ status }) => status !== 'rejected');
  const [first, ...others] = live.length > 0 ? live : own.slice(0, 1);
  if (first === undefined) return { kind: 'not_found' };
  // A key was repeated after Mercado Pago had forgotten it. A person decides.
  if (others.length > 0) return unclear('several payments have this reference');
  const payment = await paymentById(ctx, first.id);
  return payment?.external_reference === reference
    ? chargeResult(ctx, payment)
    : unclear('the gateway does not know its own id');
}

async function chargeResult(ctx: GatewayContext, payment: MercadoPagoPayment): Promise<InquiryResult> {
  const refunded = refundedCents(payment);
  const outcome = chargeOutcome(payment, refunded);
  if (outcome === null) return unclear('the gateway is still processing the payment');
  if (outcome.kind === 'declined') return { kind: 'found', outcome };
  const { kind, responseMessage, amountCents, paidAmountCents } = outcome;
  const chargeState: ReportedChargeState = {
    status: responseMessage === 'expired' ? 'expired' : kind,
    capturedCents: isCharged(payment) ? amountCents : 0,
    refundedCents: refunded,
    paidCents: paidAmountCents ?? 0,
  };
  const disputes = await chargebacksOf(ctx, payment, new Date());
  const shown = disputes.length === 0 ? {} : { disputes };
  return { kind: 'found', outcome: { ...outcome, ...shown, chargeState } };
}

/** Operations have no reference of ours: a capture and a cancel show in the payment, and a refund in its refunds. */
async function operationResult(
  ctx: GatewayContext,
  payment: MercadoPagoPayment,
  { reference, refund }: InquirySubject,
): Promise<InquiryResult> {
  const operation = operationOf(reference);
  switch (operation) {
    case 'capture':
      return foundIf(capturedOutcome(payment));
    case 'cancel':
      return foundIf(canceledOutcome(payment));
    case 'refund': {
      if (refund === undefined) return unclear('the gateway keeps no reference with a refund');
      const refunds = await get(ctx, `${pathOf(payment.id)}/refunds`, refundList);
      const listed = refunds.map((each) => ({ amountCents: each.amount, state: stateOf(each) }));
      const match = matchRefund(refund, listed);
      if (match === 'absent') return { kind: 'not_found' };
      if (match === 'unclear') return unclear('several refunds have this amount');
      const { amountCents } = refund;
      const outcome = refundOutcome(match, { gatewayTransactionId: payment.id, amountCents });
      return { kind: 'found', outcome };
    }
    case 'charge':
      throw new Error('a charge is no operation');
    default:
      return assertNever(operation);
  }
}

/** Null if the payment is not captured. */
export function capturedOutcome(payment: MercadoPagoPayment): Accepted | null {
  return isCharged(payment) ? followUpOutcome('approved', payment.id, payment.transaction_amount) : null;
}

/** Null if the payment is not canceled. */
export function canceledOutcome({ id, status, transaction_amount }: MercadoPagoPayment): Accepted | null {
  return status === 'cancelled' ? followUpOutcome('canceled', id, transaction_amount) : null;
}

export function pathOf(paymentId: string): string {
  return `payments/${encodeURIComponent(paymentId)}`;
}

function foundIf(outcome: Outcome | null): InquiryResult {
  return outcome === null ? { kind: 'not_found' } : { kind: 'found', outcome };
}

function unclear(reason: string): InquiryResult {
  return { kind: 'inconclusive', reason };
}
