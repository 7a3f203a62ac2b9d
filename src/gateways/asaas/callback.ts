import type { CallbackHint, CallbackReading, RawCallback } from '../callback';
import { ownChargeReference } from '../own-references';
import { parseJson } from '../parse-json';
import { eventBody } from './wire';

/** The same text in each callback, which the company chooses: https://docs.asaas.com/docs/receive-asaas-events-at-your-webhook-endpoint */
export const TOKEN_HEADER = 'asaas-access-token';

/** Events that say nothing about the money of a charge. Each inquiry costs a part of the account's quota. */
const WITHOUT_NEWS: ReadonlySet<string> = new Set([
  'PAYMENT_CREATED',
  'PAYMENT_ANTICIPATED',
  'PAYMENT_BANK_SLIP_VIEWED',
  'PAYMENT_CHECKOUT_VIEWED',
  'PAYMENT_SPLIT_CANCELLED',
  'PAYMENT_SPLIT_DIVERGENCE_BLOCK',
  'PAYMENT_SPLIT_DIVERGENCE_BLOCK_FINISHED',
]);

/** https://docs.asaas.com/docs/payment-events. A charge without our reference is another program's in the same account. */
export function readAsaasEvent({ body }: RawCallback): CallbackReading {
  const reading = eventBody.safeParse(parseJson(body.toString('utf8')));
  if (!reading.success) return { kind: 'unreadable' };
  const { id: eventId, event, payment } = reading.data;
  const reference = ownChargeReference(payment?.externalReference);
  if (!event.startsWith('PAYMENT_') || WITHOUT_NEWS.has(event) || !payment || reference === null) {
    return { kind: 'foreign' };
  }
  const kind: CallbackHint['kind'] = event.includes('CHARGEBACK') ? 'chargeback' : 'status';
  const subject = { reference, gatewayTransactionId: payment.installment ?? payment.id };
  // The token covers nothing of the body, so what it reports is never used.
  return { kind: 'hints', hints: [{ eventId, kind, subject, reportedState: null }] };
}
