import { DateTime } from 'luxon';
import { assertNever } from '../../domain/shared/assert-never';
import { BRASILIA, dateIn } from '../../domain/time/timezone';
import { boletoBarcode } from '../boletos/boleto-barcode';
import type { Accepted, BilletData, Outcome, PixData } from '../gateway';
import type { ChargeMoney } from './charge-money';
import { declined, declinedByWord } from './declines';
import type { PagarmeCharge, PagarmeTransaction, TransactionStatus } from './wire';

/** Of a transaction that was made with a secret key: https://docs.pagar.me/v2/docs/autorização-e-captura-new */
const CAPTURE_DAYS = 5;

/** Operations that leave an authorization as it is: they failed, or are not carried out yet. */
const UNDONE: ReadonlySet<TransactionStatus> = new Set([
  'failed',
  'not_authorized',
  'with_error',
  'error_on_voiding',
  'error_on_refunding',
  'waiting_capture',
  'waiting_cancellation',
  'pending_refund',
]);
const WAITING: ReadonlySet<TransactionStatus> = new Set(['waiting_payment', 'generated', 'viewed']);

/**
 * The outcome of a charge or authorization. Null if the state says neither that money moved nor that it cannot: that is an unknown
 * outcome.
 */
export function chargeOutcome(charge: PagarmeCharge, money: ChargeMoney): Outcome | null {
  switch (charge.status) {
    // A chargeback does not change the payment: it is a dispute of it.
    case 'chargedback':
    case 'paid':
    case 'overpaid':
      return money.paidCents > 0 ? settled(charge, money) : null;
    case 'underpaid':
      return isCard(charge) ? null : accepted(charge, money, 'pending');
    case 'pending':
      return isCard(charge) ? reserved(charge, money) : waiting(charge, money);
    case 'canceled':
      return money.paidCents > 0 ? settled(charge, money) : accepted(charge, money, 'canceled');
    case 'failed':
      return failed(charge, money);
    case 'processing':
      return null;
    default:
      return assertNever(charge.status);
  }
}

export function isCard({ payment_method: method }: PagarmeCharge): boolean {
  return method === 'credit_card';
}

/** Of HTTP, as https://docs.pagar.me/reference/erros-1 lists those of a wrong request. A time limit or a conflict says nothing about the money. */
const REFUSAL = /^4(?:0[0-4]|12|22)$/;

/** What Pagar.me says why it refused an order before it asked an acquirer; null if it asked one. */
export function refusalOf({ last_transaction: last }: PagarmeCharge): {
  readonly code: string;
  readonly words: string;
} | null {
  const { acquirer_return_code: acquirerCode, gateway_response: response } = last ?? {};
  const code = response?.code ?? '';
  const words = (response?.errors ?? []).flatMap(({ message }) => message ?? []);
  if ((acquirerCode ?? null) !== null || !REFUSAL.test(code)) return null;
  return words.length === 0 ? null : { code, words: words.join(' ') };
}

function settled(charge: PagarmeCharge, money: ChargeMoney): Accepted {
  return accepted(charge, money, money.refundedCents >= money.paidCents ? 'refunded' : 'approved');
}

/** A card that is not captured. While the anti-fraud service looks at it, nothing is certain. */
function reserved(charge: PagarmeCharge, money: ChargeMoney): Outcome | null {
  const last = charge.last_transaction;
  if (!last) return null;
  const isOperation = last.operation_type === 'capture' || last.operation_type === 'cancel';
  if (isOperation) return UNDONE.has(last.status) ? accepted(charge, money, 'authorized') : null;
  const review = last.antifraud_response?.status ?? 'approved';
  const isAuthorized = last.status === 'authorized_pending_capture' && review === 'approved';
  return isAuthorized ? accepted(charge, money, 'authorized') : null;
}

/** A pix or boleto that is not paid. Without its code nobody can pay it yet. */
function waiting(charge: PagarmeCharge, money: ChargeMoney): Outcome | null {
  const last = charge.last_transaction;
  if (!last || !(WAITING.has(last.status) || UNDONE.has(last.status))) return null;
  const code = charge.payment_method === 'pix' ? pixOf(last, charge) : billetOf(last);
  return code === null ? null : accepted(charge, money, 'pending');
}

function failed(charge: PagarmeCharge, money: ChargeMoney): Outcome | null {
  const last = charge.last_transaction;
  if (!last || money.paidCents > 0) return null;
  if (last.status === 'expired') return accepted(charge, money, 'canceled', 'expired');
  if (last.status === 'not_authorized' || last.status === 'failed') {
    const refusal = refusalOf(charge);
    return refusal === null
      ? declined(last, charge.id)
      : declinedByWord(`gateway_response ${refusal.code}`, 'hard', charge.id);
  }
  // What the anti-fraud service refused, and was released then.
  if (last.antifraud_response?.status === 'reproved') return declined(last, charge.id);
  return null;
}

function accepted(
  charge: PagarmeCharge,
  { paidCents }: ChargeMoney,
  kind: Accepted['kind'],
  message: string = kind,
): Accepted {
  const last = charge.last_transaction ?? null;
  const card = isCard(charge);
  return {
    kind,
    gatewayTransactionId: charge.id,
    amountCents: card && paidCents > 0 ? paidCents : charge.amount,
    responseCode: '00',
    responseMessage: message,
    authorizationCode: last?.acquirer_auth_code ?? null,
    networkIds: networkIdsOf(last),
    captureBefore: kind === 'authorized' ? captureBefore(charge) : null,
    paidAmountCents: card ? null : paidCents,
    pix: charge.payment_method === 'pix' && last !== null ? pixOf(last, charge) : null,
    billet: charge.payment_method === 'boleto' && last !== null ? billetOf(last) : null,
    chargeState: null,
  };
}

/** Pagar.me does not tell Mastercard's link identifier and Elo's own reference. */
function networkIdsOf(transaction: PagarmeTransaction | null): Accepted['networkIds'] {
  const transactionId = transaction?.brand_id ?? null;
  return transactionId === null ? null : { transactionId, transactionLinkId: null, eloReference: null };
}

function captureBefore({ created_at: at }: PagarmeCharge): string | null {
  const created = at === null ? null : instantOf(at);
  return created === null ? null : isoOf(created.plus({ days: CAPTURE_DAYS }));
}

/** Null without the text of the code. */
function pixOf(transaction: PagarmeTransaction, { created_at: createdAt }: PagarmeCharge): PixData | null {
  const { qr_code: qrCode, expires_at: expiry, end_to_end_id: endToEndId } = transaction;
  const expiresAt = instantOf(expiry ?? createdAt ?? '');
  if (qrCode === null || expiresAt === null) return null;
  return { qrCode, expiresAt: isoOf(expiresAt), endToEndId };
}

/** Null without a readable line. `barcode` of the answer is the address of an image, so it is made of the line. */
function billetOf({ line, url, pdf, due_at: due }: PagarmeTransaction): BilletData | null {
  const digits = (line ?? '').replaceAll(/\D/g, '');
  const page = url ?? pdf;
  const dueAt = due === null ? null : dueDateOf(due);
  if (!/^\d{47}$/.test(digits) || page === null || dueAt === null) return null;
  return { line: digits, barcode: boletoBarcode(digits), url: page, dueAt };
}

/** An instant at midnight is a day without a time; any other one is a time in UTC. */
function dueDateOf(text: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}(?:T00:00:00(?:\.0+)?Z?)?$/.test(text)) return text.slice(0, 10);
  const instant = instantOf(text);
  return instant === null ? null : dateIn(BRASILIA, instant.toJSDate());
}

/** Some instants have no zone: they are UTC (https://docs.pagar.me/reference/introdução-1). Null if it is none. */
function instantOf(text: string): DateTime<true> | null {
  const instant = DateTime.fromISO(text, { zone: 'utc' });
  return instant.isValid ? instant : null;
}

function isoOf(instant: DateTime<true>): string {
  return instant.toJSDate().toISOString();
}
