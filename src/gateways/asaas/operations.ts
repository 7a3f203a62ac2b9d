import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { Accepted, FollowUp, GatewayContext, Outcome } from '../gateway';
import { call, get, paymentPath } from './calls';
import { afterCharge, beforeCharge } from './errors';
import { isInstallmentId, refundInstallments } from './installments';
import { isPaid, stageOf } from './outcomes';
import { refundOutcome, refundsOf, refundsWith } from './refunds';
import { refundBody, type ReturnedSplit } from './request-bodies';
import { type AsaasPayment, type AsaasRefund, deletedReply, paymentReply } from './wire';

/** Captures an authorization. Asaas takes no amount, so it is compared before. */
export async function capture(ctx: GatewayContext, operation: FollowUp): Promise<Accepted> {
  const { gatewayTransactionId: id, amountCents } = operation;
  const authorized = await readBefore(ctx, id);
  if (stageOf(authorized) !== 'authorized') throw refused('the charge is not authorized');
  if (authorized.value !== amountCents) throw refused('this gateway captures the whole amount only');
  const path = `${paymentPath(id)}/captureAuthorizedPayment`;
  const captured = await change(ctx, path, {});
  if (captured.id !== id || !isPaid(stageOf(captured)) || captured.value !== amountCents) throw noResult();
  return followUpOutcome('approved', id, amountCents);
}

/**
 * Voids an authorization or removes an unpaid pix or boleto, which are different requests. The refund that voids an authorization
 * would also give back a captured charge, so the state is read before.
 */
export async function cancel(ctx: GatewayContext, operation: FollowUp): Promise<Accepted> {
  const { gatewayTransactionId: id } = operation;
  const payment = await readBefore(ctx, id);
  switch (stageOf(payment)) {
    case 'authorized': {
      const voided = await change(ctx, `${paymentPath(id)}/refund`, refundBody(operation));
      // It was no charge a moment ago, so all of it was given back without being taken.
      if (voided.id !== id || voided.status !== 'REFUNDED') throw noResult();
      return followUpOutcome('canceled', id, payment.value);
    }
    case 'pending': {
      const { sendBefore } = ctx;
      const removed = await call(ctx, { method: 'DELETE', path: paymentPath(id), sendBefore }, deletedReply);
      if (removed.id !== id) throw noResult();
      return followUpOutcome('canceled', id, payment.value);
    }
    case 'paid':
    case 'refunded':
    case 'voided':
    case 'removed':
    case null:
      throw refused('the charge can no longer be canceled');
  }
}

/** The refund is in the answer, recognized by our reference, or in the list of the charge's refunds. */
export async function refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
  const { gatewayTransactionId: id, reference, amountCents } = operation;
  if (isInstallmentId(id)) return refundInstallments(ctx, operation);
  const splitRefunds = operation.splits.length === 0 ? [] : await splitRefundsOf(ctx, operation);
  const payment = await change(ctx, `${paymentPath(id)}/refund`, refundBody(operation, splitRefunds));
  if (payment.id !== id) throw noResult();
  const refunds = await afterCharge(refundsOf(ctx, payment));
  const [made, ...others] = refundsWith(reference, refunds);
  if (made === undefined || others.length > 0 || made.value !== amountCents) throw noResult();
  return refundOutcome(made, id);
}

/**
 * What the recipients give back of a partial refund; without it the account of the charge pays all of it. A full refund takes
 * everything back by itself. https://docs.asaas.com/reference/estornar-cobranca
 */
async function splitRefundsOf(ctx: GatewayContext, operation: FollowUp): Promise<readonly ReturnedSplit[]> {
  const { gatewayTransactionId: id, amountCents, splits } = operation;
  const payment = await readBefore(ctx, id);
  const refunds = payment.refunds ?? [];
  if (refunds.length === 0 && amountCents === payment.value) return [];
  return splits
    .map(({ recipientId, amountCents: share }) => {
      const split = payment.split?.find(({ walletId }) => walletId === recipientId);
      if (!split?.id) throw refused('the gateway shows no split to this recipient');
      // The recipients have only what was left after the fee; the account of the charge pays the rest.
      const held = heldCents(split.id, split.totalValue, refunds);
      return { id: split.id, amountCents: Math.min(share, held) };
    })
    .filter((each) => each.amountCents > 0);
}

function heldCents(id: string, totalCents: number | null, refunds: readonly AsaasRefund[]): number {
  const returned = refunds
    .filter(({ status }) => status !== 'CANCELLED')
    .flatMap(({ refundedSplits }) => refundedSplits ?? [])
    .filter((each) => each.id === id);
  return returned.reduce((held, { value }) => held - (value ?? 0), totalCents ?? Infinity);
}

async function readBefore(ctx: GatewayContext, id: string): Promise<AsaasPayment> {
  // A charge in installments is never an authorization, and never unpaid.
  if (isInstallmentId(id)) throw refused('a payment in installments is captured at once');
  return beforeCharge(get(ctx, paymentPath(id), paymentReply, { sendBefore: ctx.sendBefore }));
}

function change(ctx: GatewayContext, path: string, body: object): Promise<AsaasPayment> {
  return call(ctx, { method: 'POST', path, body, sendBefore: ctx.sendBefore }, paymentReply);
}

function refused(message: string): GatewayError {
  return new GatewayError('invalid_request', message);
}

function noResult(): GatewayError {
  return new GatewayError('ambiguous', 'the gateway answered without the result of the operation');
}
