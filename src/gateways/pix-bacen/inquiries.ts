import { assertNever } from '../../domain/shared/assert-never';
import { toCompactReference } from '../compact-reference';
import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { GatewayContext, InquiryResult, InquirySubject, Outcome } from '../gateway';
import { chargeReferenceOf, operationOf } from '../own-references';
import { call } from './calls';
import { specialReturnsOf } from './disputes';
import { isAbsence } from './errors';
import { chargeOutcome, chargeStateOf, returnOutcome } from './outcomes';
import { chargeReply, type PixChargeRecord, type PixReturn, returnReply } from './wire';

/** A charge is paid once; some banks let a code be paid again. */
const MAX_TRANSFERS = 10;

/** The charge with this id; null if the gateway itself does not know it. */
export async function findCharge(ctx: GatewayContext, txid: string): Promise<PixChargeRecord | null> {
  const path = `cob/${encodeURIComponent(txid)}`;
  const charge = await orNull(call(ctx, { method: 'GET', path }, chargeReply));
  if (charge !== null && charge.txid !== txid)
    throw new GatewayError('ambiguous', 'the gateway showed another charge');
  return charge;
}

/** The return with this id of one transfer; null if the gateway itself does not know it. */
export async function findReturn(
  ctx: GatewayContext,
  endToEndId: string,
  id: string,
): Promise<PixReturn | null> {
  const found = await orNull(
    call(ctx, { method: 'GET', path: `pix/${endToEndId}/devolucao/${id}` }, returnReply),
  );
  if (found !== null && found.id !== id)
    throw new GatewayError('ambiguous', 'the gateway showed another return');
  return found;
}

/** The result of an inquiry. Errors of the gateway are left to the caller. */
export async function inquire(ctx: GatewayContext, { reference }: InquirySubject): Promise<InquiryResult> {
  const charge = await findCharge(ctx, toCompactReference(chargeReferenceOf(reference)));
  if (charge === null) return { kind: 'not_found' };
  const operation = operationOf(reference);
  switch (operation) {
    case 'charge':
      return chargeResult(charge);
    case 'cancel':
      return foundIf(canceledOutcome(charge));
    case 'refund':
      return foundIf(await refundOutcome(ctx, charge, toCompactReference(reference)));
    case 'capture':
      return { kind: 'inconclusive', reason: 'a pix is not captured' };
    default:
      return assertNever(operation);
  }
}

function chargeResult(charge: PixChargeRecord): InquiryResult {
  const now = new Date();
  const outcome = chargeOutcome(charge, now);
  if (outcome === null) return { kind: 'inconclusive', reason: 'the record of the charge is incomplete' };
  const disputes = specialReturnsOf(charge, now);
  const shown = disputes.length === 0 ? {} : { disputes };
  return { kind: 'found', outcome: { ...outcome, ...shown, chargeState: chargeStateOf(charge, outcome) } };
}

/** Null while the charge is not removed. It is removed once, whoever did it. */
export function canceledOutcome({ status, txid, valor, pix }: PixChargeRecord): Outcome | null {
  const isRemoved = status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR' || status === 'REMOVIDA_PELO_PSP';
  return isRemoved && pix.length === 0 ? followUpOutcome('canceled', txid, valor.original) : null;
}

/** The record of the charge need not list a return yet, so it is asked for by its id, too. */
async function refundOutcome(
  ctx: GatewayContext,
  charge: PixChargeRecord,
  id: string,
): Promise<Outcome | null> {
  const listed = charge.pix.flatMap(({ devolucoes }) => devolucoes).find((each) => each.id === id);
  if (listed !== undefined) return returnOutcome(listed, charge.txid);
  if (charge.pix.length > MAX_TRANSFERS)
    throw new GatewayError('ambiguous', 'the charge has too many transfers to be read');
  for (const { endToEndId } of charge.pix) {
    const found = await findReturn(ctx, endToEndId, id);
    if (found !== null) return returnOutcome(found, charge.txid);
  }
  return null;
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof GatewayError && isAbsence(error)) return null;
    throw error;
  }
}

function foundIf(outcome: Outcome | null): InquiryResult {
  return outcome === null ? { kind: 'not_found' } : { kind: 'found', outcome };
}
