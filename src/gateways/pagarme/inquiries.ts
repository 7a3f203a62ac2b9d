import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import { assertNever } from '../../domain/shared/assert-never';
import { followUpOutcome } from '../follow-up-outcome';
import type { GatewayContext, InquiryResult, InquirySubject } from '../gateway';
import { type InquiredRefund, matchRefund } from '../inquired-refund';
import { chargeReferenceOf, operationOf, ownChargeReference } from '../own-references';
import { get } from './calls';
import type { ChargeMoney } from './charge-money';
import { chargeById, moneyAt } from './charges';
import { declinedByWord } from './declines';
import { chargebackOf } from './disputes';
import { isUnknownObject } from './errors';
import { chargeOutcome, isCard } from './outcomes';
import { orderList, orderReply, type PagarmeCharge, type PagarmeChargeWithOrder } from './wire';

const PAGE = 10;

/** The result of an inquiry. Errors of the gateway are left to the caller. */
export async function inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
  const { reference, gatewayTransactionId: id } = subject;
  const isCharge = operationOf(reference) === 'charge';
  const charge = id === null ? null : await knownCharge(ctx, id);
  // A key of the test mode does not know the live mode's charges, so this proves no absence.
  if (id !== null && charge === null) return unclear('the gateway does not know its own id');
  if (charge !== null && referenceOf(charge) === chargeReferenceOf(reference))
    return isCharge ? chargeResult(ctx, charge) : operationResult(ctx, charge, subject);
  return isCharge ? chargeByReference(ctx, reference) : unclear('the operation is on another charge');
}

/** A capture replaces the charge's own code, so the order's is asked first. Null if it is none of ours. */
function referenceOf({ code, order }: PagarmeChargeWithOrder): string | null {
  return ownChargeReference(order?.code) ?? ownChargeReference(code);
}

/** Null if Pagar.me itself answers that it does not know the id. */
async function knownCharge(ctx: GatewayContext, id: string): Promise<PagarmeChargeWithOrder | null> {
  try {
    return await chargeById(ctx, id);
  } catch (error) {
    if (isUnknownObject(error)) return null;
    throw error;
  }
}

/** `GET /orders?code=`: https://docs.pagar.me/reference/listar-pedidos-1. The list shows orders in short, so the order is read too. */
async function chargeByReference(ctx: GatewayContext, reference: string): Promise<InquiryResult> {
  const query = { code: reference, size: PAGE };
  const { data, paging } = await get(ctx, { path: 'orders', query }, orderList);
  const isComplete = paging.next === null && paging.total === data.length;
  const [first, ...others] = data.filter(({ code }) => code === reference);
  if (others.length > 0) return unclear('several orders have this reference');
  if (!isComplete || (first === undefined && data.length > 0))
    return unclear('the gateway listed orders of other references');
  if (first === undefined) return { kind: 'not_found' };
  const order = await get(ctx, { path: `orders/${encodeURIComponent(first.id)}` }, orderReply);
  const [charge, ...more] = order.charges;
  if (charge === undefined || more.length > 0 || order.code !== reference)
    return unclear('the order has another number of charges than one');
  return chargeResult(ctx, charge);
}

async function chargeResult(ctx: GatewayContext, charge: PagarmeCharge): Promise<InquiryResult> {
  const money = await moneyAt(ctx, charge);
  const outcome = chargeOutcome(charge, money);
  if (outcome === null) return unclear('the gateway is still processing the payment');
  if (outcome.kind === 'declined') return { kind: 'found', outcome };
  const { kind, responseMessage } = outcome;
  const { paidCents, refundedCents } = money;
  const isSettled = kind === 'approved' || kind === 'refunded';
  const chargeState: ReportedChargeState = {
    status: responseMessage === 'expired' ? 'expired' : kind,
    capturedCents: isSettled ? Math.min(paidCents, charge.amount) : 0,
    refundedCents,
    paidCents: isCard(charge) ? 0 : paidCents,
  };
  const dispute = chargebackOf(charge, money, new Date());
  return { kind: 'found', outcome: { ...outcome, chargeState, ...(dispute && { disputes: [dispute] }) } };
}

/** No answer repeats our reference of a refund or a cancel. */
async function operationResult(
  ctx: GatewayContext,
  charge: PagarmeCharge,
  { reference, refund }: InquirySubject,
): Promise<InquiryResult> {
  const money = await moneyAt(ctx, charge);
  const operation = operationOf(reference);
  switch (operation) {
    case 'capture':
      return captureResult(charge, money, reference);
    case 'cancel':
      return cancelResult(charge, money);
    case 'refund':
      return refund === undefined
        ? unclear('the amount of the refund is not known')
        : refundResult(charge, money, refund);
    case 'charge':
      throw new Error('a charge is no operation');
    default:
      return assertNever(operation);
  }
}

/** The code of our capture is the charge's now. */
function captureResult(charge: PagarmeCharge, money: ChargeMoney, reference: string): InquiryResult {
  if (charge.code !== reference) return { kind: 'not_found' };
  const isOpen = charge.status === 'pending' || charge.status === 'processing';
  if (money.paidCents === 0 || isOpen)
    return unclear('the gateway has the capture, but does not say that it captured');
  return { kind: 'found', outcome: followUpOutcome('approved', charge.id, money.paidCents) };
}

/** A charge is canceled once, whoever did it. */
function cancelResult(charge: PagarmeCharge, money: ChargeMoney): InquiryResult {
  if (charge.status !== 'canceled') return { kind: 'not_found' };
  if (money.paidCents > 0) return unclear('the charge was paid and refunded');
  return { kind: 'found', outcome: followUpOutcome('canceled', charge.id, charge.amount) };
}

function refundResult(charge: PagarmeCharge, money: ChargeMoney, refund: InquiredRefund): InquiryResult {
  const { id } = charge;
  const match = matchRefund(refund, money.refunds);
  switch (match) {
    case 'done':
      return { kind: 'found', outcome: followUpOutcome('refunded', id, refund.amountCents) };
    case 'pending':
      return { kind: 'found', outcome: followUpOutcome('pending', id, refund.amountCents) };
    case 'refused':
      return { kind: 'found', outcome: declinedByWord('refund_refused', 'soft', id) };
    case 'absent':
      return absentRefund(charge, money, refund);
    case 'unclear':
      return unclear('refunds of the same amount may have changed places');
    default:
      return assertNever(match);
  }
}

/** The list counts only if it explains all that the charge says about its refunds. */
function absentRefund(
  charge: PagarmeCharge,
  { refundedCents, refunds }: ChargeMoney,
  { amountCents, others }: InquiredRefund,
): InquiryResult {
  const listed = refunds
    .filter(({ state }) => state === 'done')
    .reduce((sum, refund) => sum + refund.amountCents, 0);
  if (refundedCents > listed) return unclear('the gateway does not list all refunds');
  const isWaiting = charge.pending_cancellation === true && !refunds.some(({ state }) => state === 'pending');
  if (!isWaiting) return { kind: 'not_found' };
  // Accepted without a transaction yet. It is ours if no other one can be.
  const isOurs = others.every(({ status }) => status === 'refunded' || status === 'refused');
  return isOurs
    ? { kind: 'found', outcome: followUpOutcome('pending', charge.id, amountCents) }
    : unclear('another refund may be the one that waits');
}

function unclear(reason: string): InquiryResult {
  return { kind: 'inconclusive', reason };
}
