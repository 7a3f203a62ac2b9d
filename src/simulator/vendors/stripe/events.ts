import { createHmac, randomBytes } from 'node:crypto';
import { assertNever } from '../../../domain/shared/assert-never';
import type { StoredCharge, StoredDispute } from '../../charge-store';
import type { CallbackKind, CallbackMessage } from '../adapter';
import { chargeObject } from './charge-object';
import { API_VERSION } from './endpoint';
import { disputeObject, disputeTypeOf } from './disputes/dispute-object';
import { intentObject } from './intent-object';
import { refundObject, type StripeObject } from './refund-object';

/** The events about the last change of a charge: https://docs.stripe.com/api/events/types */
export function eventsOf(
  charge: StoredCharge,
  kind: CallbackKind,
  origin: string,
  dispute?: StoredDispute,
): CallbackMessage[] {
  if (kind === 'chargeback') return [disputeMessage(charge, dispute)];
  const position = charge.operations.length - 1;
  const last = charge.operations[position];
  if (last?.operation === 'refund') {
    const refund = refundObject(charge, position) ?? {};
    return last.status === 'declined'
      ? [message('refund.failed', refund, charge)]
      : [message('charge.refunded', chargeObject(charge), charge), message('refund.updated', refund, charge)];
  }
  return [message(`payment_intent.${verbOf(kind)}`, intentObject(charge, [], origin), charge)];
}

function verbOf(status: StoredCharge['status']): string {
  switch (status) {
    case 'approved':
    case 'refunded':
      return 'succeeded';
    case 'authorized':
      return 'amount_capturable_updated';
    case 'pending':
      return 'requires_action';
    case 'declined':
    case 'expired':
      return 'payment_failed';
    case 'canceled':
      return 'canceled';
    default:
      return assertNever(status);
  }
}

function disputeMessage(charge: StoredCharge, dispute?: StoredDispute): CallbackMessage {
  const at = dispute === undefined ? new Date() : new Date(dispute.changedAt);
  return message(disputeTypeOf(dispute), disputeObject(charge, dispute), charge, at);
}

/** https://docs.stripe.com/api/events/object */
function message(type: string, object: StripeObject, charge: StoredCharge, at = new Date()): CallbackMessage {
  const event = {
    id: `evt_${randomBytes(12).toString('hex')}`,
    object: 'event',
    api_version: API_VERSION,
    created: Math.floor(at.getTime() / 1000),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: charge.operations.at(-1)?.idempotencyKey ?? null },
    type,
  };
  const body = Buffer.from(JSON.stringify(event));
  return { body, sign: (secret, now) => ({ 'stripe-signature': signatureOf(body, secret, now) }) };
}

/** https://docs.stripe.com/webhooks#verify-manually: HMAC-SHA256 of `<t>.<body>` in hex. */
export function signatureOf(body: Buffer, secret: string, now: Date): string {
  const t = Math.floor(now.getTime() / 1000);
  return `t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`;
}
