import type { PaymentMethod } from '../../domain/payments/payment';
import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import type { NetworkIds } from '../../domain/shared/charge-initiation';
import { assertNever } from '../../domain/shared/assert-never';
import { boletoBarcode } from '../boletos/boleto-barcode';
import { lineOfBarcode } from '../boletos/boleto-line';
import type { Accepted, BilletData, Outcome } from '../gateway';
import { declined, isRefusal } from './declines';
import type { CieloPayment } from './wire';

/** What a sale is. `voided`: an authorization that was released. */
export type SaleStage = 'pending' | 'authorized' | 'paid' | 'refunded' | 'voided' | 'declined';

/** "Captura": the period of most accounts. */
const CAPTURE_DAYS = 15;
/** "O tempo de expiração do QRCode Pix Cielo é de duas horas." */
export const PIX_EXPIRES_SECONDS = 2 * 60 * 60;
const DAY_SECONDS = 24 * 60 * 60;
const LINE_DIGITS = 47;
/** Brasília has no summer time. */
const BRASILIA_OFFSET = '-03:00';

/** The methods that the driver uses. A sale by another one is not ours. */
export function methodOf({ Type }: CieloPayment): PaymentMethod | null {
  switch (Type) {
    case 'CreditCard':
      return 'card';
    case 'Pix':
      return 'pix';
    case 'Boleto':
      return 'billet';
    default:
      return null;
  }
}

/** Null if the state says neither that money moved nor that it cannot: that is an unknown outcome. */
export function stageOf(payment: CieloPayment): SaleStage | null {
  const method = methodOf(payment);
  if (method === null) return null;
  const isCard = method === 'card';
  switch (payment.Status) {
    // Not finished, and scheduled by a recurrence, which the driver does not use.
    case 0:
    case 20:
      return null;
    // Of a boleto: "Boleto gerado com sucesso", https://docs.cielo.com.br/gateway/reference/lista-de-status-da-transação-boleto
    case 1:
      return isCard ? 'authorized' : method === 'billet' ? 'pending' : null;
    case 2:
      return isRefunded(payment) ? 'refunded' : 'paid';
    case 3:
      return isCard ? 'declined' : null;
    // A captured sale that is canceled on the same day is voided, too.
    case 10:
      return wasPaid(payment) ? 'refunded' : 'voided';
    case 11:
      return 'refunded';
    // A refund of a paid pix has not been carried out yet.
    case 12:
      if (wasPaid(payment)) return 'paid';
      return method === 'pix' ? 'pending' : null;
    // Failed processing: without the code of a refusal nobody knows how far it came.
    case 13:
      return isCard && isRefusal(payment) ? 'declined' : null;
    default:
      return assertNever(payment.Status);
  }
}

/** Whether a refund is accepted and not carried out. */
export function isRefundPending(payment: CieloPayment): boolean {
  return payment.Status === 12 && wasPaid(payment);
}

function wasPaid({ CapturedAmount, EndToEndId }: CieloPayment): boolean {
  return (CapturedAmount ?? 0) > 0 || EndToEndId !== null;
}

/** Whether the customer's money was taken, whatever went back since. */
export function isPaid(stage: SaleStage | null): boolean {
  return stage === 'paid' || stage === 'refunded';
}

export function capturedCents({ CapturedAmount, Amount }: CieloPayment): number {
  return CapturedAmount ?? Amount;
}

/** Cents that went back to the customer: the sum of all voids. */
export function refundedCents(payment: CieloPayment): number {
  const captured = capturedCents(payment);
  const isWhole = payment.Status === 10 || payment.Status === 11;
  // A full void may not show its amount.
  return isWhole && payment.VoidedAmount === 0 ? captured : Math.min(payment.VoidedAmount, captured);
}

function isRefunded(payment: CieloPayment): boolean {
  return refundedCents(payment) >= capturedCents(payment);
}

/** The outcome of a charge or authorization; null if it is unknown. */
export function chargeOutcome(payment: CieloPayment): Outcome | null {
  const stage = stageOf(payment);
  if (stage === null) return null;
  if (stage === 'declined') return declined(payment);
  const kind = kindOf(stage);
  const method = methodOf(payment);
  const isCard = method === 'card';
  return {
    kind,
    gatewayTransactionId: payment.PaymentId,
    amountCents: payment.Amount,
    responseCode: '00',
    responseMessage: kind,
    authorizationCode: payment.AuthorizationCode,
    networkIds: networkIdsOf(payment),
    captureBefore: stage === 'authorized' ? after(payment, CAPTURE_DAYS * DAY_SECONDS) : null,
    paidAmountCents: isCard ? null : isPaid(stage) ? payment.Amount : 0,
    pix: method === 'pix' ? pixOf(payment) : null,
    billet: method === 'billet' ? billetOf(payment) : null,
    chargeState: null,
  };
}

export function networkIdsOf({
  IssuerTransactionId: transactionId,
}: Pick<CieloPayment, 'IssuerTransactionId'>): NetworkIds | null {
  return transactionId === null ? null : { transactionId, transactionLinkId: null, eloReference: null };
}

/** The whole charge, for an inquiry about it. */
export function chargeState(payment: CieloPayment, stage: SaleStage): ReportedChargeState {
  const isTaken = isPaid(stage);
  return {
    status: kindOf(stage),
    capturedCents: isTaken ? capturedCents(payment) : 0,
    refundedCents: isTaken ? refundedCents(payment) : 0,
    paidCents: isTaken && methodOf(payment) !== 'card' ? payment.Amount : 0,
  };
}

function kindOf(stage: SaleStage): Accepted['kind'] {
  switch (stage) {
    case 'pending':
    case 'authorized':
    case 'refunded':
      return stage;
    case 'paid':
      return 'approved';
    case 'voided':
      return 'canceled';
    case 'declined':
      throw new Error('a decline is no accepted outcome');
    default:
      return assertNever(stage);
  }
}

/** Cielo names no expiry, only when it received the pix. */
function pixOf(payment: CieloPayment): Accepted['pix'] {
  const expiresAt = after(payment, PIX_EXPIRES_SECONDS);
  if (expiresAt === null) return null;
  return { qrCode: payment.QrCodeString ?? '', expiresAt, endToEndId: payment.EndToEndId };
}

const digits = (text: string | null): string => (text ?? '').replaceAll(/\D/g, '');

/** One of barcode and line is enough: the documentation says that some banks' boletos have no line. Null without both. */
function billetOf({ BarCodeNumber, DigitableLine, Url, ExpirationDate }: CieloPayment): BilletData | null {
  const line = digits(DigitableLine) || lineOfBarcode(digits(BarCodeNumber));
  if (line?.length !== LINE_DIGITS || Url === null || ExpirationDate === null) return null;
  const barcode = digits(BarCodeNumber) || boletoBarcode(line);
  return { line, barcode, url: Url, dueAt: ExpirationDate.slice(0, 10) };
}

/** An ISO instant; null if Cielo does not say when it received the sale. */
function after({ ReceivedDate }: CieloPayment, seconds: number): string | null {
  if (ReceivedDate === null) return null;
  const received = Date.parse(`${ReceivedDate.slice(0, 19).replace(' ', 'T')}${BRASILIA_OFFSET}`);
  return new Date(received + seconds * 1_000).toISOString();
}
