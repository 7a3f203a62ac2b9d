import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import type { CallbackHint, CallbackReading, RawCallback } from '../callback';
import { ownChargeReference } from '../own-references';
import { parseJson } from '../parse-json';
import { readStripeDispute } from './disputes';
import { isAbandoned, methodOf } from './outcomes';
import { REFERENCE_KEY } from './references';
import {
  chargeReply,
  dispute,
  eventBody,
  intentReply,
  refundReply,
  type StripeCharge,
  type StripeIntent,
} from './wire';

/** Carries `t=<epoch seconds>,v1=<hex>`, with several `v1` while a secret is replaced. */
export const SIGNATURE_HEADER = 'stripe-signature';
/** Stripe's own default: https://docs.stripe.com/webhooks#replay-attacks */
const TOLERANCE_SECONDS = 300;

/** Which charge an object of an event is about, and what it says about it; null if it is about none of ours. */
type Reading = Pick<CallbackHint, 'subject' | 'reportedState' | 'dispute'> | null;

/** https://docs.stripe.com/api/events/types. An event about anything else is not for this service. */
export function readStripeEvent({ body }: RawCallback): CallbackReading {
  const event = eventBody.safeParse(parseJson(body.toString('utf8')));
  if (!event.success) return { kind: 'unreadable' };
  const { id: eventId, type, created, data } = event.data;
  const kind = type.startsWith('charge.dispute.') ? 'chargeback' : 'status';
  const reading = kind === 'chargeback' ? disputeReading(data.object, created) : readingOf(type, data.object);
  return reading === null ? { kind: 'foreign' } : { kind: 'hints', hints: [{ eventId, kind, ...reading }] };
}

function readingOf(type: string, object: unknown): Reading {
  if (type.startsWith('payment_intent.')) return intentReading(type, object);
  if (type === 'charge.refunded' || type === 'charge.expired') return chargeReading(object);
  if (type === 'charge.refund.updated' || type.startsWith('refund.')) return refundReading(object);
  return null;
}

function intentReading(type: string, object: unknown): Reading {
  const intent = intentReply.safeParse(object);
  // What was just created has no result yet.
  if (!intent.success || type === 'payment_intent.created') return null;
  const reference = ownChargeReference(intent.data.metadata[REFERENCE_KEY]);
  // Our own clearing away of a payment that failed says nothing new.
  if (reference === null || isAbandoned(intent.data)) return null;
  const subject = { reference, gatewayTransactionId: intent.data.id };
  return { subject, reportedState: stateOf(type, intent.data) };
}

/** The state, as far as the event alone tells it; null if the charge must be read. */
function stateOf(type: string, intent: StripeIntent): ReportedChargeState | null {
  const none = { capturedCents: 0, refundedCents: 0, paidCents: 0 };
  const received = intent.amount_received;
  switch (type) {
    case 'payment_intent.succeeded':
      return {
        status: 'approved',
        capturedCents: received,
        refundedCents: 0,
        paidCents: methodOf(intent) === 'card' ? 0 : received,
      };
    case 'payment_intent.amount_capturable_updated':
      return intent.status === 'requires_capture' ? { status: 'authorized', ...none } : null;
    case 'payment_intent.requires_action':
      return methodOf(intent) === 'card' ? null : { status: 'pending', ...none };
    case 'payment_intent.canceled':
      return { status: 'canceled', ...none };
    default:
      return null;
  }
}

function chargeReading(object: unknown): Reading {
  const charge = chargeReply.safeParse(object);
  if (!charge.success || charge.data.payment_intent === null) return null;
  const reference = ownChargeReference(charge.data.metadata[REFERENCE_KEY]);
  const subject = { reference, gatewayTransactionId: charge.data.payment_intent };
  return { subject, reportedState: refundedState(charge.data) };
}

/** Null after a partial capture, whose released rest Stripe adds to the refunds. */
function refundedState(charge: StripeCharge): ReportedChargeState | null {
  const { amount, amount_captured: captured, amount_refunded: refunded } = charge;
  if (captured !== amount || charge.payment_method_details?.type === undefined) return null;
  const capturedCents = captured;
  return {
    status: refunded >= captured ? 'refunded' : 'approved',
    capturedCents,
    refundedCents: refunded,
    paidCents: charge.payment_method_details.type === 'card' ? 0 : capturedCents,
  };
}

/** Also a refund that was made in Stripe's dashboard, which has no reference of ours. */
function refundReading(object: unknown): Reading {
  const refund = refundReply.safeParse(object);
  if (!refund.success || refund.data.payment_intent === null) return null;
  const reference = ownChargeReference(refund.data.metadata[REFERENCE_KEY]);
  return { subject: { reference, gatewayTransactionId: refund.data.payment_intent }, reportedState: null };
}

function disputeReading(object: unknown, created: number | undefined): Reading {
  const read = dispute.safeParse(object);
  if (!read.success || read.data.payment_intent === null) return null;
  const subject = { reference: null, gatewayTransactionId: read.data.payment_intent };
  const whole = readStripeDispute(object, created);
  return { subject, reportedState: null, ...(whole !== null && { dispute: whole }) };
}

/** https://docs.stripe.com/webhooks#verify-manually. Runs in constant time for a given number of secrets and signatures. */
export function verifyStripeSignature(
  { body, headers }: RawCallback,
  secrets: readonly string[],
  now: Date,
): 'valid' | 'invalid' | 'unsigned' {
  const header = headers[SIGNATURE_HEADER];
  if (header === undefined || secrets.length === 0) return 'unsigned';
  const parts = header.split(',').map((part) => part.trim().split('='));
  const [timestamp] = parts.flatMap(([name, value]) => (name === 't' && value !== undefined ? [value] : []));
  const given = parts.flatMap(([name, value = '']) =>
    name === 'v1' && SHA256_HEX.test(value) ? [value] : [],
  );
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return 'invalid';
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (Math.abs(age) > TOLERANCE_SECONDS) return 'invalid';
  const expected = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest(),
  );
  const signatures = given.slice(0, MAX_SIGNATURES).map((hex) => Buffer.from(hex, 'hex'));
  const matches = expected.flatMap((digest) => signatures.filter((each) => timingSafeEqual(digest, each)));
  return matches.length > 0 ? 'valid' : 'invalid';
}

const SHA256_HEX = /^[0-9a-f]{64}$/;
const MAX_SIGNATURES = 16;
