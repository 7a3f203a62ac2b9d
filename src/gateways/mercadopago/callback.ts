import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CallbackHint, CallbackReading, RawCallback } from '../callback';
import { parseJson } from '../parse-json';
import { chargebackNotification, notificationBody, paymentNotification } from './wire';

/** Carries `ts=<time>,v1=<hex>`. */
export const SIGNATURE_HEADER = 'x-signature';
export const REQUEST_ID_HEADER = 'x-request-id';
/** The window that sdk-nodejs 3.6.1 proposes: `WebhookSignatureValidator`, toleranceSeconds. */
const TOLERANCE_MS = 300_000;
/** `ts` is in seconds in some notifications and in milliseconds in others. Seconds reach this in the year 5138. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** https://www.mercadopago.com.br/developers/en/docs/your-integrations/notifications/webhooks, by the topic. */
const CHARGEBACK_TOPICS: ReadonlySet<string> = new Set(['chargebacks', 'topic_chargebacks_wh']);

/** A notification names a payment and says nothing about it. One about anything else is not for this service. */
export function readNotification({ body, query }: RawCallback): CallbackReading {
  const read = notificationBody.safeParse(parseJson(body.toString('utf8')));
  if (!read.success) return { kind: 'unreadable' };
  if (!('type' in read.data)) return { kind: 'foreign' };
  const { id: eventId, type, data } = read.data;
  if (type === 'payment') {
    const about = paymentNotification.safeParse(data);
    return about.success ? hint({ eventId, kind: 'status' }, about.data.id) : { kind: 'unreadable' };
  }
  const dispute = CHARGEBACK_TOPICS.has(type) ? chargebackNotification.safeParse(data) : null;
  if (dispute?.success !== true) return foreign(eventId, query);
  return hint({ eventId, kind: 'chargeback' }, dispute.data.payment_id);
}

/** The signature covers the id in the query. */
function foreign(eventId: string, query: string): CallbackReading {
  const subject = { reference: null, gatewayTransactionId: dataIdOf(query) };
  return { kind: 'foreign', verifiedBy: { eventId, subject } };
}

function dataIdOf(query: string): string {
  return new URLSearchParams(query).get('data.id')?.trim() ?? '';
}

function hint(event: Pick<CallbackHint, 'eventId' | 'kind'>, gatewayTransactionId: string): CallbackReading {
  const subject = { reference: null, gatewayTransactionId };
  return { kind: 'hints', hints: [{ ...event, subject, reportedState: null }] };
}

/**
 * The signature covers the time and the id in the query, and nothing of the body. So it proves a hint only if the query names
 * the hint's payment: a chargeback's query names the chargeback. Runs in constant time for a given number of secrets.
 */
export function verifyNotification(
  { headers, query }: RawCallback,
  { subject }: CallbackHint,
  secrets: readonly string[],
  now: Date,
): 'valid' | 'invalid' | 'unsigned' {
  const header = headers[SIGNATURE_HEADER]?.trim() ?? '';
  if (header === '' || secrets.length === 0) return 'unsigned';
  const { ts, v1 } = partsOf(header);
  if (ts === undefined || v1 === undefined || !/^\d{1,15}$/.test(ts) || !SHA256_HEX.test(v1))
    return 'invalid';
  const sentAt = Number(ts) < FIRST_MILLISECONDS ? Number(ts) * 1000 : Number(ts);
  if (Math.abs(now.getTime() - sentAt) > TOLERANCE_MS) return 'invalid';
  const dataId = dataIdOf(query);
  const signed = manifestOf(dataId, headers[REQUEST_ID_HEADER]?.trim() ?? '', ts);
  const given = Buffer.from(v1, 'hex');
  const matches = secrets.filter((secret) =>
    timingSafeEqual(createHmac('sha256', secret).update(signed).digest(), given),
  );
  if (matches.length === 0) return 'invalid';
  return dataId === subject.gatewayTransactionId ? 'valid' : 'unsigned';
}

/** The last one of each name counts, as in Mercado Pago's own SDK. */
function partsOf(header: string): Readonly<Record<string, string | undefined>> {
  const parts = header.split(',').map((part) => part.split('='));
  return Object.fromEntries(
    parts.map(([name = '', value = '']) => [name.trim().toLowerCase(), value.trim()]),
  );
}

/** What is missing is left out: sdk-nodejs 3.6.1, `buildManifest`. */
function manifestOf(dataId: string, requestId: string, ts: string): string {
  const parts = [dataId && `id:${dataId}`, requestId && `request-id:${requestId}`, `ts:${ts}`];
  return parts
    .filter((part) => part !== '')
    .map((part) => `${part};`)
    .join('');
}

const SHA256_HEX = /^[0-9a-f]{64}$/;
