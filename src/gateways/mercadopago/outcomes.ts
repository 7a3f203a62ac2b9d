import { assertNever } from '../../domain/shared/assert-never';
import type { NetworkIds } from '../../domain/shared/charge-initiation';
import type { PaymentMethod } from '../../domain/payments/payment';
import { BRASILIA, dateIn } from '../../domain/time/timezone';
import { lineOfBarcode } from '../boletos/boleto-line';
import type { Accepted, BilletData, Outcome, PixData } from '../gateway';
import { CHALLENGE, declined } from './declines';
import type { MercadoPagoPayment } from './wire';

/** An authorization that is not captured after this time expires in Brazil: https://www.mercadopago.com.br/developers/en/docs/checkout-bricks/additional-content/payment-management/capture-authorized-payment */
const CAPTURE_WINDOW_MS = 5 * 24 * 60 * 60 * 1000;

/** The types of payment method that cards have, and the others that the driver uses. */
const METHOD_OF_TYPE: Readonly<Record<string, PaymentMethod>> = {
  credit_card: 'card',
  debit_card: 'card',
  prepaid_card: 'card',
  ticket: 'billet',
};

/** https://www.mercadopago.com.br/developers/en/docs/checkout-api-payments/response-handling/collection-results */
const EXPIRED = 'expired';

/**
 * The outcome of a charge or authorization. Null if the state says neither that money moved nor that it cannot: that is an
 * unknown outcome.
 *
 * @param refundedCents what went back to the customer
 */
export function chargeOutcome(payment: MercadoPagoPayment, refundedCents = 0): Outcome | null {
  const method = methodOf(payment);
  if (method === null) return null;
  const isCard = method === 'card';
  switch (payment.status) {
    case 'approved':
    // A dispute: what it takes from the account is no refund.
    case 'in_mediation':
    case 'charged_back':
      return accepted(payment, method, refundedCents >= payment.transaction_amount ? 'refunded' : 'approved');
    case 'refunded':
      return accepted(payment, method, 'refunded');
    case 'authorized':
      return isCard ? accepted(payment, method, 'authorized') : null;
    case 'rejected':
      return declined(payment.status_detail, payment.id);
    case 'cancelled':
      return canceled(payment, method);
    case 'pending':
      if (isCard) return payment.status_detail === CHALLENGE ? declined(CHALLENGE, payment.id) : null;
      return hasCode(payment, method) ? accepted(payment, method, 'pending') : null;
    case 'in_process':
      // A card payment that Mercado Pago reviews has no result yet.
      return isCard || !hasCode(payment, method) ? null : accepted(payment, method, 'pending');
    default:
      return assertNever(payment.status);
  }
}

/** Null for a method that the driver does not use. */
export function methodOf(payment: MercadoPagoPayment): PaymentMethod | null {
  const { payment_method_id: id, payment_type_id: type } = payment;
  if (id === 'pix') return 'pix';
  return METHOD_OF_TYPE[type ?? ''] ?? null;
}

/** Whether the customer's money was charged, whatever went back since. */
export function isCharged({ status }: MercadoPagoPayment): boolean {
  return (
    status === 'approved' || status === 'refunded' || status === 'in_mediation' || status === 'charged_back'
  );
}

/** A card payment that asked for a challenge was canceled by the driver: it never was a charge. */
function canceled(payment: MercadoPagoPayment, method: PaymentMethod): Outcome {
  if (method === 'card' && (payment.three_ds_info ?? null) !== null) return declined(CHALLENGE, payment.id);
  return accepted(payment, method, 'canceled', payment.status_detail === EXPIRED ? 'expired' : 'canceled');
}

function accepted(
  payment: MercadoPagoPayment,
  method: PaymentMethod,
  kind: Accepted['kind'],
  message: string = kind,
): Accepted {
  const { id, transaction_amount: amountCents } = payment;
  return {
    kind,
    gatewayTransactionId: id,
    amountCents,
    responseCode: '00',
    responseMessage: message,
    authorizationCode: payment.authorization_code ?? null,
    networkIds: networkIdsOf(payment),
    captureBefore: kind === 'authorized' ? captureBefore(payment) : null,
    paidAmountCents: method === 'card' ? null : isCharged(payment) ? amountCents : 0,
    pix: method === 'pix' ? pixOf(payment) : null,
    billet: method === 'billet' ? billetOf(payment) : null,
    chargeState: null,
  };
}

function captureBefore({ date_created: created }: MercadoPagoPayment): string | null {
  return created ? new Date(created.getTime() + CAPTURE_WINDOW_MS).toISOString() : null;
}

function networkIdsOf(payment: MercadoPagoPayment): NetworkIds | null {
  const expanded = payment.expanded?.gateway?.reference ?? null;
  const network =
    expanded?.network_data ?? payment.point_of_interaction?.transaction_data?.network_data ?? null;
  const transactionId = network?.transaction_id ?? expanded?.network_transaction_id ?? null;
  const transactionLinkId = network?.transaction_link_id ?? null;
  // Mercado Pago does not tell Elo's own reference.
  return transactionId === null && transactionLinkId === null
    ? null
    : { transactionId, transactionLinkId, eloReference: null };
}

function hasCode(payment: MercadoPagoPayment, method: PaymentMethod): boolean {
  return method === 'pix' ? (pixOf(payment)?.qrCode ?? '') !== '' : billetOf(payment) !== null;
}

/** `E<ISPB><time><id>` of the central bank, with or without `PIX` before it. */
const END_TO_END_ID = /^(?:PIX)?(E\d{8}\d{12}[A-Za-z0-9]{11})$/;

function pixOf({ date_of_expiration: expiresAt, ...payment }: MercadoPagoPayment): PixData | null {
  if (!expiresAt) return null;
  const data = payment.point_of_interaction?.transaction_data ?? null;
  const ids = [data?.e2e_id, data?.transaction_id, payment.transaction_details?.transaction_id];
  const [endToEndId = null] = ids.flatMap((id) => END_TO_END_ID.exec(id ?? '')?.[1] ?? []);
  return { qrCode: data?.qr_code ?? '', expiresAt: expiresAt.toISOString(), endToEndId };
}

/** Older answers have the barcode only, beside the details. */
function billetOf(payment: MercadoPagoPayment): BilletData | null {
  const { date_of_expiration: expiresAt, transaction_details: details, barcode: outer } = payment;
  const barcode = details?.barcode?.content ?? outer?.content ?? '';
  const line = lineOfBarcode(barcode);
  const url = details?.external_resource_url ?? '';
  if (line === null || url === '' || !expiresAt) return null;
  return { line, barcode, url, dueAt: dateIn(BRASILIA, expiresAt) };
}
