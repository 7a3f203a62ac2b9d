import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { FollowUp, GatewayContext, Outcome } from '../gateway';
import { change } from './calls';
import { chargeById, chargePath } from './charges';
import { declined } from './declines';
import { isCard } from './outcomes';
import { cancelBody, captureBody, refundBody } from './request-bodies';
import { chargeReply, type PagarmeCharge, type PagarmeTransaction } from './wire';

export async function capture(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
  const { gatewayTransactionId: id, amountCents, reference } = operation;
  const request = {
    method: 'POST',
    path: `${chargePath(id)}/capture`,
    body: captureBody(operation),
  } as const;
  const { charge, last } = answerFor(id, await change(ctx, request, chargeReply));
  if (last.operation_type === 'capture' && isRefused(last)) return declined(last, id);
  const isCaptured = charge.status === 'paid' && charge.code === reference && last.amount === amountCents;
  return isCaptured ? followUpOutcome('approved', id, amountCents) : unknownOutcome();
}

/** Voids all that is authorized, or cancels an unpaid boleto. A paid charge would be refunded by the same request. */
export async function cancel(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
  const { gatewayTransactionId: id } = operation;
  const before = await readBefore(ctx, id);
  if (isPaid(before))
    throw new GatewayError('invalid_request', 'the charge is paid: it can only be refunded');
  if (before.payment_method === 'pix') {
    // It answers 412 "This charge cannot be canceled because is pending", as merchants report.
    throw new GatewayError(
      'unsupported',
      'Pagar.me does not cancel a pix that waits for its payment: it ends by its expiry',
    );
  }
  const request = { method: 'DELETE', path: chargePath(id), body: cancelBody(operation) } as const;
  const { charge, last } = answerFor(id, await change(ctx, request, chargeReply));
  if (charge.status === 'canceled' && last.status === 'voided')
    return followUpOutcome('canceled', id, charge.amount);
  return last.operation_type === 'cancel' && isRefused(last) ? declined(last, id) : unknownOutcome();
}

/** Refunds the paid amount or a part of it. An authorization would be voided by the same request. */
export async function refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
  const { gatewayTransactionId: id, amountCents, bankAccount } = operation;
  const before = await readBefore(ctx, id);
  if (!isPaid(before) && before.status !== 'canceled')
    throw new GatewayError('invalid_request', 'the charge is not paid: there is nothing to refund');
  if (before.payment_method === 'boleto' && bankAccount === null)
    throw new GatewayError('invalid_request', 'the refund of a boleto needs a bank account');
  const request = { method: 'DELETE', path: chargePath(id), body: refundBody(operation) } as const;
  const { charge, last } = answerFor(id, await change(ctx, request, chargeReply));
  return refundOutcome(charge, last, amountCents);
}

function refundOutcome(charge: PagarmeCharge, last: PagarmeTransaction, amountCents: number): Outcome {
  const isOurs = last.amount === amountCents;
  switch (last.status) {
    case 'refunded':
    case 'partial_refunded':
    case 'voided':
    case 'partial_void':
      return isOurs ? followUpOutcome('refunded', charge.id, amountCents) : unknownOutcome();
    case 'pending_refund':
    case 'waiting_cancellation':
      return isOurs ? followUpOutcome('pending', charge.id, amountCents) : unknownOutcome();
    case 'error_on_refunding':
    case 'error_on_voiding':
    case 'failed':
    case 'not_authorized':
      return isOurs ? declined(last, charge.id) : unknownOutcome();
    default:
      // A pix whose refund was accepted may still show how it was paid.
      return charge.pending_cancellation === true
        ? followUpOutcome('pending', charge.id, amountCents)
        : unknownOutcome();
  }
}

/**
 * One request does both: it refunds what is paid and voids what is not. So the state is read first, within the send window. Nothing is
 * sent if it cannot be read.
 */
async function readBefore(ctx: GatewayContext, id: string): Promise<PagarmeCharge> {
  try {
    return await chargeById(ctx, id, ctx.sendBefore);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.family !== 'ambiguous') throw error;
    throw new GatewayError('not_sent', 'the gateway did not show the charge', error.code);
  }
}

function isPaid(charge: PagarmeCharge): boolean {
  switch (charge.status) {
    case 'paid':
    case 'overpaid':
    case 'underpaid':
    case 'chargedback':
      return true;
    case 'pending':
    case 'processing':
    case 'canceled':
    case 'failed':
      return !isCard(charge) && (charge.paid_amount ?? 0) > 0;
  }
}

function answerFor(
  id: string,
  charge: PagarmeCharge,
): { readonly charge: PagarmeCharge; readonly last: PagarmeTransaction } {
  const last = charge.last_transaction;
  if (charge.id !== id || !last)
    throw new GatewayError('ambiguous', 'the gateway answered for another request');
  return { charge, last };
}

function isRefused({ status }: PagarmeTransaction): boolean {
  return (
    status === 'failed' ||
    status === 'not_authorized' ||
    status === 'error_on_voiding' ||
    status === 'error_on_refunding'
  );
}

function unknownOutcome(): never {
  throw new GatewayError('ambiguous', 'the gateway answered without the result of the operation');
}
