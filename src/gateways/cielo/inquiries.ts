import { assertNever } from '../../domain/shared/assert-never';
import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { GatewayContext, InquiryResult, InquirySubject, Outcome } from '../gateway';
import { chargeReferenceOf, operationOf } from '../own-references';
import { read, readSale } from './calls';
import {
  capturedCents,
  chargeOutcome,
  chargeState,
  isPaid,
  isRefundPending,
  methodOf,
  refundedCents,
  stageOf,
} from './outcomes';
import { refundInSum } from './refunds';
import { orderIdOf } from './request-bodies';
import { type CieloPayment, type CieloSaleReply, saleList } from './wire';

/** The result of an inquiry. Errors of the gateway are left to the caller. */
export async function inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
  const { reference, gatewayTransactionId: id } = subject;
  const isCharge = operationOf(reference) === 'charge';
  const orderId = orderIdOf(chargeReferenceOf(reference));
  const sale = id === null ? null : await saleById(ctx, id);
  // A sale that is older than three months, or another company's, is answered like an unknown one.
  if (id !== null && sale === null) return unclear('the gateway does not know its own id');
  if (sale?.MerchantOrderId === orderId)
    return isCharge ? chargeResult(sale.Payment) : operationResult(sale.Payment, subject);
  return isCharge ? chargeByReference(ctx, orderId) : unclear('the operation is on another charge');
}

/** Null if the answer says that the sale is not known. */
async function saleById(ctx: GatewayContext, id: string): Promise<CieloSaleReply | null> {
  try {
    return await readSale(ctx, id);
  } catch (error) {
    if (error instanceof GatewayError && error.family === 'invalid_request') return null;
    throw error;
  }
}

/** An unknown MerchantOrderId is answered 404 without a body, which a proxy can send, too: so it never proves absence. */
async function chargeByReference(ctx: GatewayContext, orderId: string): Promise<InquiryResult> {
  const query = new URLSearchParams({ merchantOrderId: orderId });
  const [first, ...others] = await read(ctx, `sales?${query.toString()}`, saleList);
  if (first === undefined) return unclear('the gateway listed nothing');
  if (others.length > 0) return unclear('several sales have this reference');
  const sale = await saleById(ctx, first.PaymentId);
  return sale?.MerchantOrderId === orderId
    ? chargeResult(sale.Payment)
    : unclear('the gateway showed another sale');
}

function chargeResult(payment: CieloPayment): InquiryResult {
  const stage = stageOf(payment);
  const outcome = chargeOutcome(payment);
  if (stage === null || outcome === null) return unclear('the gateway has not finished the sale');
  if (outcome.kind === 'declined') return found(outcome);
  return found({ ...outcome, chargeState: chargeState(payment, stage) });
}

/** Operations have no reference of ours: they show in the state of the sale and in its sums. */
function operationResult(payment: CieloPayment, subject: InquirySubject): InquiryResult {
  const operation = operationOf(subject.reference);
  switch (operation) {
    case 'capture':
      return captureResult(payment);
    case 'cancel':
      return cancelResult(payment);
    case 'refund':
      return refundResult(payment, subject);
    case 'charge':
      throw new Error('a charge is no operation');
    default:
      return assertNever(operation);
  }
}

/** An authorization is captured once, whoever did it. */
function captureResult(payment: CieloPayment): InquiryResult {
  const stage = stageOf(payment);
  if (stage === null) return unclear('the gateway has not finished the sale');
  return isPaid(stage)
    ? found(followUpOutcome('approved', payment.PaymentId, capturedCents(payment)))
    : { kind: 'not_found' };
}

/** A charge is canceled once, whoever did it. */
function cancelResult(payment: CieloPayment): InquiryResult {
  const stage = stageOf(payment);
  if (stage === null) return unclear('the gateway has not finished the sale');
  return stage === 'voided'
    ? found(followUpOutcome('canceled', payment.PaymentId, payment.Amount))
    : { kind: 'not_found' };
}

function refundResult(payment: CieloPayment, { refund }: InquirySubject): InquiryResult {
  if (refund === undefined) return unclear('the gateway keeps no reference with a refund');
  const { amountCents } = refund;
  switch (refundInSum(refund, refundedCents(payment))) {
    case 'done':
      return found(followUpOutcome('refunded', payment.PaymentId, amountCents));
    case 'unclear':
      return unclear('other refunds may explain what was refunded');
    case 'absent':
      break;
  }
  const isOnlyOne = refund.others.every(({ status }) => status === 'refunded' || status === 'refused');
  if (isRefundPending(payment))
    return isOnlyOne
      ? found(followUpOutcome('pending', payment.PaymentId, amountCents))
      : unclear('another refund may be pending');
  // A refund of a pix is carried out later, and until then the sale may not show it.
  return methodOf(payment) === 'pix' ? unclear('the pix may still be refunded') : { kind: 'not_found' };
}

function found(outcome: Outcome): InquiryResult {
  return { kind: 'found', outcome };
}

function unclear(reason: string): InquiryResult {
  return { kind: 'inconclusive', reason };
}
