import { assertNever } from '../../domain/shared/assert-never';
import type { NetworkIds } from '../../domain/shared/charge-initiation';
import { boletoBarcode } from '../boletos/boleto-barcode';
import { followUpOutcome } from '../follow-up-outcome';
import { GatewayError } from '../errors';
import type { Accepted, BilletData, ChargeRequest, FollowUp, Outcome, PixData } from '../gateway';
import { authenticationRequired, declined, refusalOf } from './declines';
import { chargeReference, operationReference, type ChargeKind } from './references';
import type { AdditionalData, ModificationReply, PaymentReply } from './wire';

const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * Adyen does not tell when an authorization ends. The networks' shortest period is seven days
 * (https://docs.adyen.com/online-payments/capture#expired-authorizations), of which the first has begun.
 */
const CAPTURE_DAYS = 7;

/** A payment that was authorized for less than its amount. This service asks for the whole. */
export const isPartial = ({ resultCode }: PaymentReply): boolean => resultCode === 'PartiallyAuthorised';

interface Charged {
  readonly request: ChargeRequest;
  readonly kind: ChargeKind;
  readonly now: Date;
}

/**
 * The outcome of `POST /payments`: https://docs.adyen.com/online-payments/build-your-integration/payment-result-codes
 *
 * @throws GatewayError `ambiguous` for an answer about another request, or a state that tells no result of it
 */
export function chargeOutcome(reply: PaymentReply, charged: Charged): Outcome {
  const { kind } = charged;
  requireSame(reply, charged);
  const id = reply.pspReference ?? null;
  const isCard = kind === 'sale' || kind === 'authorization';
  switch (reply.resultCode) {
    case 'Authorised':
      return isCard ? cardAccepted(reply, charged) : unknown('the gateway answered with an unexpected state');
    case 'Refused':
      return declined(reply, id);
    case 'Cancelled':
      // A risk rule cancels a payment that the issuer has authorized, and says so as a refusal.
      return refusalOf(reply) === null ? canceled(reply, charged) : declined(reply, id);
    case 'ChallengeShopper':
    case 'IdentifyShopper':
    case 'RedirectShopper':
      // Only our server knows what the challenge needs, so nobody can answer it.
      return isCard
        ? authenticationRequired(id)
        : unknown('the gateway sends the customer to a page that is not supported');
    case 'Pending':
    case 'PresentToShopper':
    case 'Received':
      return isCard ? unknown('the gateway did not finish the payment') : pendingOutcome(reply, charged);
    case 'AuthenticationFinished':
    case 'AuthenticationNotRequired':
    case 'Error':
    case 'PartiallyAuthorised':
    case 'Success':
      return unknown('the gateway did not finish the payment');
    default:
      return assertNever(reply.resultCode);
  }
}

/** The answer repeats our reference, and the amount if it has one. Of an unpaid pix or boleto it may have neither. */
function requireSame({ merchantReference, additionalData, amount, action }: PaymentReply, charged: Charged) {
  const { request, kind } = charged;
  const said = merchantReference ?? additionalData.merchantReference ?? null;
  const sent = chargeReference(request.reference, kind);
  const isSame = said === null ? (action ?? null) !== null : said === sent;
  const isSameAmount =
    (amount ?? null) === null ||
    (amount?.value === request.amountCents && amount.currency === request.currency);
  if (!isSame || !isSameAmount) unknown('the gateway answered for another request');
}

function cardAccepted(reply: PaymentReply, { request, kind, now }: Charged): Accepted {
  const isAuthorized = kind === 'authorization';
  return {
    ...accepted(reply, isAuthorized ? 'authorized' : 'approved', request.amountCents),
    authorizationCode: reply.additionalData.authCode ?? null,
    networkIds: networkIdsOf(reply.additionalData),
    captureBefore: isAuthorized ? captureBefore(now) : null,
  };
}

/** At the beginning of a day, so that a repeated request has the same. */
function captureBefore(now: Date): string {
  return new Date((Math.floor(now.getTime() / DAY_MS) + CAPTURE_DAYS) * DAY_MS).toISOString();
}

function canceled(reply: PaymentReply, { request, kind }: Charged): Accepted {
  const isCard = kind === 'sale' || kind === 'authorization';
  return {
    ...accepted(reply, 'canceled', request.amountCents),
    paidAmountCents: isCard ? null : 0,
  };
}

/** @throws GatewayError `ambiguous` without a code to pay by */
function pendingOutcome(reply: PaymentReply, charged: Charged): Accepted {
  const { request, kind } = charged;
  const pix = kind === 'pix' ? pixOf(reply, request) : null;
  const billet = kind === 'billet' ? billetOf(reply, request) : null;
  if (pix === null && billet === null) unknown('the gateway answered without a code to pay by');
  return { ...accepted(reply, 'pending', request.amountCents), paidAmountCents: 0, pix, billet };
}

function pixOf({ action, additionalData }: PaymentReply, { pix }: ChargeRequest): PixData | null {
  const qrCode = action?.type === 'qrCode' ? (action.qrCodeData ?? '') : '';
  if (qrCode === '' || pix === null) return null;
  const told = Date.parse(additionalData['pix.expirationDate'] ?? action?.expiresAt ?? '');
  const expiresAt = Number.isNaN(told) ? pix.expiresAt : new Date(told).toISOString();
  return { qrCode, expiresAt, endToEndId: null };
}

/** Adyen writes the line with dots and spaces. */
function billetOf({ action }: PaymentReply, { billet }: ChargeRequest): BilletData | null {
  if (action?.type !== 'voucher') return null;
  const line = (action.reference ?? '').replaceAll(/\D/g, '');
  const url = action.downloadUrl ?? action.url ?? '';
  if (line.length !== 47 || !URL.canParse(url)) return null;
  return { line, barcode: boletoBarcode(line), url, dueAt: billet?.dueAt ?? '' };
}

function accepted(reply: PaymentReply, kind: Accepted['kind'], amountCents: number): Accepted {
  const id = reply.pspReference ?? unknown('the gateway answered without its id of the payment');
  return followUpOutcome(kind, id, amountCents);
}

export function networkIdsOf({ networkTxReference, transactionLinkId }: AdditionalData): NetworkIds | null {
  const ids = {
    transactionId: networkTxReference || null,
    transactionLinkId: transactionLinkId || null,
    // Adyen does not tell Elo's own reference.
    eloReference: null,
  };
  return ids.transactionId === null && ids.transactionLinkId === null ? null : ids;
}

/**
 * Adyen has the capture, cancel or refund. Its result comes by webhook.
 *
 * @throws GatewayError `ambiguous` for an answer about another request
 */
export function receivedOutcome(reply: ModificationReply, operation: FollowUp): Accepted {
  const { gatewayTransactionId: id, amountCents, currency } = operation;
  const isSame =
    reply.paymentPspReference === id &&
    (reply.reference ?? operationReference(operation.reference)) === operationReference(operation.reference);
  const isSameAmount =
    (reply.amount ?? null) === null ||
    (reply.amount?.value === amountCents && reply.amount.currency === currency);
  if (!isSame || !isSameAmount) unknown('the gateway answered for another request');
  return followUpOutcome('pending', id, amountCents);
}

function unknown(message: string): never {
  throw new GatewayError('ambiguous', message);
}
