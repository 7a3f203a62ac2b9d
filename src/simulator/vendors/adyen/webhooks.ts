import { createHmac } from 'node:crypto';
import type { StoredCharge, StoredDispute, StoredOperation } from '../../charge-store';
import type { CallbackKind, CallbackMessage } from '../adapter';
import { chargebackItem, DisputeHistory } from './disputes';
import { eventDate } from './event-date';
import { pspReferenceOf } from './ids';
import { authorisedDataOf, cardDataOf } from './payment-object';
import {
  merchantReferenceOf,
  modificationDataOf,
  paymentDataOf,
  type ResultEvent,
  variantOf,
} from './record';
import { acquirerDataOf } from './refusals';

/** `NotificationRequestItem` of Adyen/adyen-openapi, Webhooks-v1. */
interface NotificationItem {
  readonly eventCode: string;
  readonly success: 'true' | 'false';
  readonly pspReference: string;
  readonly originalReference?: string;
  readonly merchantReference: string;
  readonly merchantAccountCode: string;
  readonly amount: { readonly currency: string; readonly value: number };
  readonly eventDate: string;
  readonly paymentMethod: string;
  readonly operations?: readonly string[];
  readonly reason: string;
  readonly additionalData: Readonly<Record<string, string>>;
}

/**
 * The standard webhooks about payments. Each tells one result, so the adapter remembers which it has sent: a change sends those
 * that are new, and a request to send again the newest.
 */
export class Webhooks {
  private readonly sent = new Set<string>();
  private readonly disputes = new DisputeHistory();

  messagesOf(charge: StoredCharge, kind: CallbackKind, dispute?: StoredDispute): readonly CallbackMessage[] {
    if (kind === 'chargeback') return this.disputeItems(charge, dispute).map(messageOf);
    const items = itemsOf(charge);
    const fresh = items.filter((item) => !this.sent.has(keyOf(item)));
    for (const item of fresh) this.sent.add(keyOf(item));
    return (fresh.length > 0 ? fresh : items.slice(-1)).map(messageOf);
  }

  /** Without a dispute of the ledger: a chargeback of the whole charge. */
  private disputeItems(charge: StoredCharge, dispute?: StoredDispute): readonly NotificationItem[] {
    const common = {
      ...commonOf(charge),
      originalReference: pspReferenceOf(charge.id),
      success: 'true',
    } as const;
    return dispute === undefined
      ? [{ ...common, ...chargebackItem(charge) }]
      : this.disputes.itemsOf(charge, dispute).map((item) => ({ ...common, ...item }));
  }
}

const keyOf = ({ pspReference, eventCode }: NotificationItem): string => `${pspReference} ${eventCode}`;

/** Every result that a charge has, oldest first. */
function itemsOf(charge: StoredCharge): NotificationItem[] {
  const [, ...modifications] = charge.operations;
  const payment = paymentItemOf(charge);
  return [
    ...(payment === null ? [] : [payment]),
    ...modifications.flatMap((operation, index) =>
      operation.pending === undefined ? [modificationItemOf(charge, operation, index + 1)] : [],
    ),
  ];
}

/** Null for a pix or boleto that nobody has paid. OFFER_CLOSED: the shopper did not complete the payment in time. */
function paymentItemOf(charge: StoredCharge): NotificationItem | null {
  const [first] = charge.operations;
  if (first === undefined) return null;
  const common = {
    ...commonOf(charge),
    pspReference: pspReferenceOf(charge.id),
    eventDate: eventDate(first.at),
  };
  if (first.status === 'declined') {
    const additionalData = { ...cardDataOf(charge), ...acquirerDataOf(first) };
    const reason = additionalData.refusalReasonRaw ?? 'Refused';
    return { ...common, eventCode: 'AUTHORISATION', success: 'false', reason, additionalData };
  }
  const isPaid = charge.method === 'card' || charge.paid >= charge.amount;
  if (isPaid) {
    const { card } = paymentDataOf(charge);
    return {
      ...common,
      eventCode: 'AUTHORISATION',
      success: 'true',
      operations: charge.method === 'card' ? ['CANCEL', 'CAPTURE', 'REFUND'] : ['REFUND'],
      // https://docs.adyen.com/development-resources/webhooks/webhook-types: authorisation code, last four digits, expiry.
      reason: card === null ? '' : `${charge.authorizationCode ?? ''}:${card.summary}:${card.expiry}`,
      additionalData: charge.method === 'card' ? authorisedDataOf(charge) : {},
    };
  }
  return charge.status === 'expired'
    ? { ...common, eventCode: 'OFFER_CLOSED', success: 'true', reason: '', additionalData: {} }
    : null;
}

/** Of the merchant's own changes in the Customer Area too, which have no reference of ours. */
const EVENTS = { capture: 'CAPTURE', cancel: 'CANCELLATION', refund: 'REFUND' } as const;

/**
 * The result of a modification. Its `merchantReference` is the one of its request, as reports call it ("Modification Merchant
 * Reference"), or else the payment's; the webhooks' document only says "your reference".
 */
function modificationItemOf(
  charge: StoredCharge,
  operation: StoredOperation,
  position: number,
): NotificationItem {
  const { event, reference, refusal } = modificationDataOf(operation);
  const refused = operation.status === 'declined';
  const { operation: kind } = operation;
  const eventCode: ResultEvent =
    event ?? (kind === 'charge' || kind === 'authorize' ? 'CAPTURE' : EVENTS[kind]);
  return {
    ...commonOf(charge),
    eventCode,
    success: refused ? 'false' : 'true',
    pspReference: pspReferenceOf(charge.id, position),
    originalReference: pspReferenceOf(charge.id),
    ...(reference !== null && { merchantReference: reference }),
    amount: { currency: charge.currency, value: operation.amount },
    eventDate: eventDate(operation.at),
    reason: refused ? (refusal ?? operation.message) : '',
    additionalData: eventCode === 'CANCEL_OR_REFUND' ? { 'modification.action': kind } : {},
  };
}

function commonOf(charge: StoredCharge) {
  return {
    merchantReference: merchantReferenceOf(charge),
    merchantAccountCode: paymentDataOf(charge).merchant_account,
    amount: { currency: charge.currency, value: charge.amount },
    paymentMethod: variantOf(charge),
  };
}

function messageOf(item: NotificationItem): CallbackMessage {
  return {
    body: bodyOf(item),
    signedBody: (secret) => {
      const hmacSignature = signatureOf(item, keyIn(secret));
      return bodyOf({ ...item, additionalData: { ...item.additionalData, hmacSignature } });
    },
    sign: basicAuthorization,
  };
}

function bodyOf(item: NotificationItem): Buffer {
  return Buffer.from(
    JSON.stringify({ live: 'false', notificationItems: [{ NotificationRequestItem: item }] }),
  );
}

/** https://docs.adyen.com/development-resources/webhooks/verify-hmac-signatures */
function signatureOf(item: NotificationItem, key: string): string {
  const signed = [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':');
  return createHmac('sha256', keyBytes(key)).update(signed).digest('base64');
}

/** The webhook secret is the HMAC key in hex; `user:password:key` if the merchant also asks for Basic authentication. */
const keyIn = (secret: string): string => secret.split(':').at(-1)?.replaceAll('-', '') ?? '';

/** Adyen's keys are hex. Another text, as the sandbox's own secrets, is taken as it is: read as hex it would be an empty key. */
const keyBytes = (key: string): Buffer =>
  Buffer.from(key, /^(?:[0-9a-f]{2}){16,}$/i.test(key) ? 'hex' : 'utf8');

function basicAuthorization(secret: string): Readonly<Record<string, string>> {
  const [user, password, key] = secret.split(':');
  return key === undefined
    ? {}
    : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
