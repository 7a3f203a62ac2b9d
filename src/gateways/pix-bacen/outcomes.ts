import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload';
import { assertNever } from '../../domain/shared/assert-never';
import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import { followUpOutcome } from '../follow-up-outcome';
import type { Accepted, Declined, Outcome } from '../gateway';
import { vendorWords } from '../vendor-words';
import { isSpecialReturn } from './disputes';
import type { PixChargeRecord, PixReturn } from './wire';

/** A transfer that its payer began in time may arrive a little after the expiry. */
const LATE_TRANSFER_MS = 60_000;

/** Cents that were paid, and cents that the company gave back. What the payer's bank took back is a dispute. */
export function sumsOf({ pix }: PixChargeRecord): { readonly paid: number; readonly returned: number } {
  const returns = pix.flatMap(({ devolucoes }) => devolucoes).filter((each) => !isSpecialReturn(each));
  return {
    paid: pix.reduce((sum, { valor }) => sum + valor, 0),
    returned: returns.reduce((sum, { status, valor }) => sum + (status === 'DEVOLVIDO' ? valor : 0), 0),
  };
}

/**
 * The outcome of a charge. Null if its record contradicts itself, or has no code by which it can still be paid: that is an unknown
 * outcome.
 */
export function chargeOutcome(charge: PixChargeRecord, now: Date): Accepted | null {
  const { paid, returned } = sumsOf(charge);
  const kind = kindOf(charge, paid, returned);
  const pix = pixOf(charge);
  if (kind === null || (pix === null && kind !== 'canceled')) return null;
  const expiresAt = pix === null ? Infinity : Date.parse(pix.expiresAt);
  const isExpired = kind === 'pending' && expiresAt + LATE_TRANSFER_MS < now.getTime();
  return {
    kind: isExpired ? 'canceled' : kind,
    gatewayTransactionId: charge.txid,
    amountCents: charge.valor.original,
    responseCode: '00',
    responseMessage: isExpired ? 'expired' : kind,
    authorizationCode: null,
    networkIds: null,
    captureBefore: null,
    paidAmountCents: paid,
    pix,
    billet: null,
    chargeState: null,
  };
}

/** The money counts before the state of the record: a removed charge may have been paid. */
function kindOf(
  { status, valor }: PixChargeRecord,
  paid: number,
  returned: number,
): 'approved' | 'refunded' | 'pending' | 'canceled' | null {
  if (paid > 0 && returned >= paid) return 'refunded';
  if (paid > 0 && paid >= valor.original) return 'approved';
  switch (status) {
    case 'ATIVA':
      return 'pending';
    case 'REMOVIDA_PELO_USUARIO_RECEBEDOR':
    case 'REMOVIDA_PELO_PSP':
      return paid > 0 ? 'pending' : 'canceled';
    // Paid, and the transfer is missing.
    case 'CONCLUIDA':
      return null;
    default:
      return assertNever(status);
  }
}

export function chargeStateOf(
  charge: PixChargeRecord,
  { kind, responseMessage }: Accepted,
): ReportedChargeState {
  const { paid, returned } = sumsOf(charge);
  return {
    status: responseMessage === 'expired' ? 'expired' : kind,
    capturedCents: paid,
    refundedCents: returned,
    paidCents: paid,
  };
}

/** `calendario`: the seconds count from the creation. */
function pixOf(charge: PixChargeRecord): Accepted['pix'] {
  const { calendario, pix } = charge;
  const qrCode = codeOf(charge);
  if (qrCode === null) return null;
  return {
    qrCode,
    expiresAt: new Date(Date.parse(calendario.criacao) + calendario.expiracao * 1000).toISOString(),
    endToEndId: pix[0]?.endToEndId ?? null,
  };
}

/**
 * `pixCopiaECola` is optional: without it the code is made of the location. The name and city in it are not shown to the payer,
 * whose bank reads the receiver at the location (Manual de Padrões para Iniciação do Pix, BR Code).
 */
function codeOf({ pixCopiaECola, location, loc }: PixChargeRecord): string | null {
  if ((pixCopiaECola ?? null) !== null) return pixCopiaECola ?? null;
  const url = (location ?? loc?.location ?? '').replace(/^https?:\/\//, '');
  return url === '' ? null : generatePixPayload({ url, merchantName: 'Pix', merchantCity: 'Brasilia' });
}

/** `Devolucao.status`: a return is carried out later, and may not be possible. */
export function returnOutcome({ status, valor, motivo }: PixReturn, txid: string): Outcome {
  switch (status) {
    case 'DEVOLVIDO':
      return followUpOutcome('refunded', txid, valor);
    case 'EM_PROCESSAMENTO':
      return followUpOutcome('pending', txid, valor);
    case 'NAO_REALIZADO':
      return notReturned(motivo, txid);
    default:
      return assertNever(status);
  }
}

function notReturned(reason: string | null | undefined, txid: string): Declined {
  const message = vendorWords(reason) || 'NAO_REALIZADO';
  return {
    kind: 'declined',
    code: null,
    declineClass: 'soft',
    message,
    adviceCode: null,
    gatewayTransactionId: txid,
  };
}
