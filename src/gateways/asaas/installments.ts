import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { Accepted, FollowUp, GatewayContext, InquiryResult } from '../gateway';
import { call, get } from './calls';
import { afterCharge, beforeCharge } from './errors';
import { isPaid, refundedCents, stageOf } from './outcomes';
import { type AsaasPayment, type AsaasRefund, installmentReply, paymentList } from './wire';

/** More than Asaas makes: up to 12, of Visa and Mastercard 21. */
const MAX_PARTS = '100';

/** A payment in installments is known by the id of all of them, a UUID; any other one by `pay_...`. */
export function isInstallmentId(id: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}

/**
 * All payments of an installment as one, which has the installment's id and the sum of their amounts. Null if Asaas shows none.
 *
 * @throws GatewayError `ambiguous` if their states cannot be those of one charge
 */
export async function readInstallments(
  ctx: GatewayContext,
  id: string,
  sendBefore: number | null = null,
): Promise<AsaasPayment | null> {
  const query = { installment: id, limit: MAX_PARTS };
  const { data, hasMore } = await get(ctx, 'payments', paymentList, { query, sendBefore });
  const parts = data.filter(({ installment }) => installment === id);
  if (hasMore || parts.length !== data.length) throw noCharge();
  const [first] = parts;
  return first === undefined ? null : asOne(first, parts);
}

function asOne(first: AsaasPayment, parts: readonly AsaasPayment[]): AsaasPayment {
  return {
    ...first,
    id: first.installment ?? first.id,
    value: parts.reduce((sum, { value }) => sum + value, 0),
    originalValue: null,
    status: statusOf(first, parts),
    externalReference: parts.find((part) => part.externalReference !== null)?.externalReference ?? null,
    refunds: parts.flatMap(refundsOfPart),
    // Each payment has one of its own, which is not that of the charge.
    chargeback: null,
  };
}

/** Each payment is received in its own month, so paid ones may differ. */
function statusOf(first: AsaasPayment, parts: readonly AsaasPayment[]): AsaasPayment['status'] {
  if (parts.some(({ deleted }) => deleted !== first.deleted)) throw noCharge();
  if (parts.every(({ status }) => status === first.status)) return first.status;
  if (parts.every((part) => isPaid(stageOf(part)))) return 'CONFIRMED';
  throw noCharge();
}

/** A payment that was given back as a whole may show no refunds. */
function refundsOfPart(part: AsaasPayment): readonly AsaasRefund[] {
  if (part.status === 'REFUNDED') return [{ status: 'DONE', value: part.value, description: null }];
  return part.refunds ?? [];
}

/** https://docs.asaas.com/reference/refund-installment: all payments at once, without an amount and a description. */
export async function refundInstallments(
  ctx: GatewayContext,
  { gatewayTransactionId: id, amountCents }: FollowUp,
): Promise<Accepted> {
  const { sendBefore } = ctx;
  const charge = await beforeCharge(readInstallments(ctx, id, sendBefore));
  if (charge === null || charge.value !== amountCents || (charge.refunds ?? []).length > 0) {
    throw new GatewayError('invalid_request', 'this gateway refunds a payment in installments as a whole');
  }
  const path = `installments/${encodeURIComponent(id)}/refund`;
  const answer = await call(ctx, { method: 'POST', path, sendBefore }, installmentReply);
  const refunded = answer.id === id ? await afterCharge(readInstallments(ctx, id)) : null;
  const result = refunded && refundedInstallments(refunded);
  if (result?.kind === 'found' && result.outcome.kind !== 'declined') return result.outcome;
  throw new GatewayError('ambiguous', 'the gateway answered without the result of the operation');
}

/** They are refunded once and as a whole, whoever did it. */
export function refundedInstallments(charge: AsaasPayment): InquiryResult {
  const waiting = (charge.refunds ?? []).filter(({ status }) => status !== 'DONE' && status !== 'CANCELLED');
  const done = refundedCents(charge);
  const isPending = waiting.length > 0 || charge.status.startsWith('REFUND_');
  if (isPending) return found(followUpOutcome('pending', charge.id, charge.value));
  if (done === charge.value) return found(followUpOutcome('refunded', charge.id, charge.value));
  return done === 0
    ? { kind: 'not_found' }
    : { kind: 'inconclusive', reason: 'a part of the installments is refunded' };
}

function found(outcome: Accepted): InquiryResult {
  return { kind: 'found', outcome };
}

function noCharge(): GatewayError {
  return new GatewayError('ambiguous', 'the gateway’s installments are not in one state');
}
