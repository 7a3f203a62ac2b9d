import { assertNever } from '../../domain/shared/assert-never';
import type { NetworkIds } from '../../domain/shared/charge-initiation';
import { BRASILIA, dateIn } from '../../domain/time/timezone';
import { boletoBarcode } from '../boletos/boleto-barcode';
import type { Accepted, BilletData, Outcome, PixData } from '../gateway';
import { authenticationRequired, declined, wordsOfCharge, wordsOfError } from './declines';
import { chargeOf } from './refunds';
import { type CardDetails, METHOD_TYPES, type MethodType, type StripeIntent } from './wire';

/** The reason that the driver cancels a PaymentIntent with whose payment failed. */
export const ABANDONED = 'abandoned';
/** The error of a pix or boleto that nobody paid in time: https://docs.stripe.com/error-codes */
const EXPIRED_CODE = 'payment_intent_payment_attempt_expired';
const ms = (seconds: number): number => seconds * 1000;
const instant = (seconds: number): string => new Date(ms(seconds)).toISOString();

/**
 * The outcome of a charge or authorization. Null if the state says neither that money moved nor that it cannot: that is an
 * unknown outcome. https://docs.stripe.com/payments/paymentintents/lifecycle
 *
 * @param refunded what went back to the customer
 */
export function chargeOutcome(intent: StripeIntent, refunded = 0): Outcome | null {
  const method = methodOf(intent);
  if (method === null) return null;
  const isCard = method === 'card';
  switch (intent.status) {
    case 'succeeded':
      return accepted(
        intent,
        intent.amount_received > 0 && refunded >= intent.amount_received ? 'refunded' : 'approved',
      );
    case 'requires_capture':
      return isCard ? accepted(intent, 'authorized') : null;
    case 'processing':
      return isCard ? null : accepted(intent, 'pending');
    case 'requires_action':
      // Only our server knows the client secret that an answer to a challenge needs, so nobody can give it.
      if (isCard) return authenticationRequired(intent.id);
      return hasCode(intent, method) ? accepted(intent, 'pending') : null;
    case 'requires_payment_method':
      return failedAttempt(intent, method);
    case 'canceled':
      return canceled(intent);
    case 'requires_confirmation':
      return null;
    default:
      return assertNever(intent.status);
  }
}

/** The one type of payment method that the driver allowed. */
export function methodOf({ payment_method_types: [type, ...others] }: StripeIntent): MethodType | null {
  return others.length > 0 ? null : (METHOD_TYPES.find((known) => known === type) ?? null);
}

/** Null if no payment was attempted yet. */
function failedAttempt(intent: StripeIntent, method: MethodType): Outcome | null {
  const error = intent.last_payment_error ?? null;
  if (error === null) return null;
  if (error.code === EXPIRED_CODE) return method === 'card' ? null : accepted(intent, 'canceled', 'expired');
  return declined(wordsOfError(error), intent.id);
}

/** A PaymentIntent that was canceled after its payment failed was never a charge. */
function canceled(intent: StripeIntent): Outcome {
  const charge = chargeOf(intent);
  if (charge?.status === 'failed') return declined(wordsOfCharge(charge), intent.id);
  if (isAbandoned(intent)) return authenticationRequired(intent.id);
  return accepted(intent, 'canceled');
}

/** Whether the driver canceled it, because its card asked for authentication. A company may cancel others for this reason. */
export function isAbandoned(intent: StripeIntent): boolean {
  const { cancellation_reason: reason, latest_charge: charge = null } = intent;
  return reason === ABANDONED && charge === null && methodOf(intent) === 'card';
}

function accepted(intent: StripeIntent, kind: Accepted['kind'], message: string = kind): Accepted {
  const { amount, amount_received: received } = intent;
  const isCard = methodOf(intent) === 'card';
  const card = chargeOf(intent)?.payment_method_details?.card ?? null;
  const captureBefore = card?.capture_before ?? null;
  return {
    kind,
    gatewayTransactionId: intent.id,
    amountCents: isCard && received > 0 ? received : amount,
    responseCode: '00',
    responseMessage: message,
    authorizationCode: card?.authorization_code ?? null,
    networkIds: networkIdsOf(card),
    captureBefore: captureBefore === null ? null : instant(captureBefore),
    paidAmountCents: isCard ? null : received,
    pix: pixOf(intent),
    billet: billetOf(intent),
    chargeState: null,
  };
}

function networkIdsOf(card: CardDetails | null): NetworkIds | null {
  const transactionId = card?.network_transaction_id ?? null;
  const transactionLinkId = card?.transaction_link_id ?? null;
  // Stripe does not tell Elo's own reference.
  return transactionId === null && transactionLinkId === null
    ? null
    : { transactionId, transactionLinkId, eloReference: null };
}

function hasCode(intent: StripeIntent, method: MethodType): boolean {
  return (method === 'pix' ? pixOf(intent) : billetOf(intent)) !== null;
}

/** Stripe shows the code only while the pix is unpaid, and the end-to-end id only afterwards. */
function pixOf(intent: StripeIntent): PixData | null {
  const code = intent.next_action?.pix_display_qr_code ?? null;
  if (code !== null) return { qrCode: code.data, expiresAt: instant(code.expires_at), endToEndId: null };
  const paid = chargeOf(intent)?.payment_method_details?.pix ?? null;
  if (paid === null) return null;
  return { qrCode: '', expiresAt: instant(intent.created), endToEndId: paid.bank_transaction_id ?? null };
}

function billetOf({ next_action: action }: StripeIntent): BilletData | null {
  const voucher = action?.boleto_display_details ?? null;
  if (voucher === null) return null;
  const { number: line, hosted_voucher_url: url, expires_at: expiresAt } = voucher;
  return { line, barcode: boletoBarcode(line), url, dueAt: dateIn(BRASILIA, new Date(ms(expiresAt))) };
}
