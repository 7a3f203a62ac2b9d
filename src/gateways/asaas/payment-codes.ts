import { GatewayError } from '../errors';
import type { Accepted, GatewayContext } from '../gateway';
import { get, paymentPath } from './calls';
import { endOfDay, methodOf, stageOf } from './outcomes';
import { type AsaasPayment, lineReply, pixTransactionReply, qrCodeReply } from './wire';

/** Adds what the customer needs in order to pay a pix or boleto, or who has paid a pix. Each takes one more request. */
export async function withCodes(
  ctx: GatewayContext,
  payment: AsaasPayment,
  outcome: Accepted,
): Promise<Accepted> {
  const stage = stageOf(payment);
  const method = methodOf(payment);
  if (method === 'pix' && stage === 'pending') return { ...outcome, pix: await qrCode(ctx, payment) };
  if (method === 'billet' && stage === 'pending') return { ...outcome, billet: await line(ctx, payment) };
  const { pixTransaction } = payment;
  if (method !== 'pix' || pixTransaction === null) return outcome;
  const endToEndId = await endToEndIdOf(ctx, pixTransaction);
  return { ...outcome, pix: { qrCode: '', expiresAt: endOfDay(payment.dueDate), endToEndId } };
}

/** It counts as expired after the due date, although Asaas lets it be paid for twelve more months. */
async function qrCode(ctx: GatewayContext, { id, dueDate }: AsaasPayment): Promise<Accepted['pix']> {
  const { payload } = await get(ctx, `${paymentPath(id)}/pixQrCode`, qrCodeReply);
  return { qrCode: payload, expiresAt: endOfDay(dueDate), endToEndId: null };
}

async function line(
  ctx: GatewayContext,
  { id, dueDate, bankSlipUrl }: AsaasPayment,
): Promise<Accepted['billet']> {
  const { identificationField, barCode } = await get(
    ctx,
    `${paymentPath(id)}/identificationField`,
    lineReply,
  );
  if (bankSlipUrl === null) throw new GatewayError('ambiguous', 'the gateway did not show the boleto');
  return { line: identificationField, barcode: barCode, url: bankSlipUrl, dueAt: dueDate };
}

async function endToEndIdOf(ctx: GatewayContext, pixTransaction: string): Promise<string | null> {
  const path = `pix/transactions/${encodeURIComponent(pixTransaction)}`;
  const { endToEndIdentifier } = await get(ctx, path, pixTransactionReply);
  return endToEndIdentifier;
}
