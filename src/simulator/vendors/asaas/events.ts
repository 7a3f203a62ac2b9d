import { randomBytes, randomInt } from 'node:crypto';
import type { StoredCharge, StoredDispute } from '../../charge-store';
import type { CallbackKind, CallbackMessage } from '../adapter';
import { momentOf } from './amounts';
import type { AsaasObject } from './endpoint';
import { installmentIdOf, paymentIdOf } from './ids';
import { paymentObject } from './payment-object';
import { followUpDataOf, partsOf } from './record';
import { isReview, paymentStatusOf } from './states';

/** https://docs.asaas.com/docs/payment-events */
type PaymentEvent =
  | `PAYMENT_${'CREATED' | 'AUTHORIZED' | 'CONFIRMED' | 'RECEIVED' | 'OVERDUE' | 'DELETED'}`
  | `PAYMENT_${'REFUNDED' | 'PARTIALLY_REFUNDED' | 'REFUND_IN_PROGRESS' | 'REFUND_DENIED'}`
  | `PAYMENT_${'AWAITING' | 'APPROVED_BY' | 'REPROVED_BY'}_RISK_ANALYSIS`
  | 'PAYMENT_CREDIT_CARD_CAPTURE_REFUSED'
  | `PAYMENT_${'CHARGEBACK_REQUESTED' | 'CHARGEBACK_DISPUTE' | 'AWAITING_CHARGEBACK_REVERSAL'}`;

/** The webhooks about the last change of a charge, of each payment that changed. None about what was declined: it is not kept. */
export function webhooksOf(
  charge: StoredCharge,
  kind: CallbackKind,
  origin: string,
  dispute?: StoredDispute,
): CallbackMessage[] {
  if (charge.status === 'declined') return [];
  const { part } = followUpDataOf(charge.operations.at(-1) ?? charge.operations[0] ?? EMPTY);
  return partsOf(charge)
    .filter((each) => kind === 'chargeback' || part === null || part === each)
    .flatMap((each) => {
      if (kind === 'chargeback' && dispute === undefined)
        return [webhook('PAYMENT_CHARGEBACK_REQUESTED', disputed(charge, each, origin))];
      const payment = paymentObject({ charge, part: each }, origin);
      if (dispute !== undefined) return [webhook(DISPUTE_EVENTS[dispute.status], payment)];
      return eventsOf(charge, each).map((event) => webhook(event, payment));
    });
}

/** Asaas does not tell which event follows a lost dispute. */
const DISPUTE_EVENTS = {
  opened: 'PAYMENT_CHARGEBACK_REQUESTED',
  submitted: 'PAYMENT_CHARGEBACK_DISPUTE',
  won: 'PAYMENT_AWAITING_CHARGEBACK_REVERSAL',
  lost: 'PAYMENT_REFUNDED',
} as const satisfies Record<StoredDispute['status'], PaymentEvent>;

const EMPTY = { wireData: {} } as StoredCharge['operations'][number];

function eventsOf(charge: StoredCharge, part: number): PaymentEvent[] {
  const last = charge.operations.at(-1);
  switch (last?.operation) {
    case 'capture':
      if (last.pending !== undefined)
        return isReview(last) ? ['PAYMENT_CREATED', 'PAYMENT_AWAITING_RISK_ANALYSIS'] : [];
      if (last.status === 'declined') return ['PAYMENT_CREDIT_CARD_CAPTURE_REFUSED'];
      return isReview(last)
        ? ['PAYMENT_APPROVED_BY_RISK_ANALYSIS', 'PAYMENT_CONFIRMED']
        : ['PAYMENT_CONFIRMED'];
    case 'cancel':
      if (isReview(last))
        return last.pending === undefined
          ? ['PAYMENT_REPROVED_BY_RISK_ANALYSIS', 'PAYMENT_REFUNDED']
          : ['PAYMENT_CREATED', 'PAYMENT_AWAITING_RISK_ANALYSIS'];
      if (charge.method === 'card') return refundEventsOf(charge, part);
      if (charge.captured > 0) return ['PAYMENT_RECEIVED'];
      return last.status === 'canceled' ? ['PAYMENT_DELETED'] : [];
    case 'refund':
      return refundEventsOf(charge, part);
    default:
      return firstEventsOf(charge);
  }
}

function firstEventsOf({ status, method }: StoredCharge): PaymentEvent[] {
  switch (status) {
    case 'authorized':
      return ['PAYMENT_CREATED', 'PAYMENT_AUTHORIZED'];
    case 'approved':
      return method === 'card' ? ['PAYMENT_CREATED', 'PAYMENT_CONFIRMED'] : ['PAYMENT_RECEIVED'];
    case 'pending':
      return ['PAYMENT_CREATED'];
    case 'expired':
      return ['PAYMENT_OVERDUE'];
    default:
      return [];
  }
}

function refundEventsOf(charge: StoredCharge, part: number): PaymentEvent[] {
  const last = charge.operations.at(-1);
  if (last === undefined) return [];
  if (last.pending !== undefined) return ['PAYMENT_REFUND_IN_PROGRESS'];
  if (last.status === 'declined') return followUpDataOf(last).deferred ? ['PAYMENT_REFUND_DENIED'] : [];
  return [paymentStatusOf(charge, part) === 'REFUNDED' ? 'PAYMENT_REFUNDED' : 'PAYMENT_PARTIALLY_REFUNDED'];
}

/** `PaymentChargebackResponseDto` of the SDK; its short form is in the webhook of asaas@1.1.0. */
function disputed(charge: StoredCharge, part: number, origin: string): AsaasObject {
  const payment = paymentObject({ charge, part }, origin, 'CHARGEBACK_REQUESTED');
  const chargeback = {
    id: installmentIdOf(charge.id),
    payment: paymentIdOf(charge.id, part),
    status: 'REQUESTED',
    reason: 'ABSENT_CARD_FRAUD',
    value: payment.value,
  };
  return { ...payment, chargeback };
}

/** https://docs.asaas.com/docs/sobre-os-webhooks. The header proves who sends it, and neither the body nor the time. */
function webhook(event: PaymentEvent, payment: AsaasObject): CallbackMessage {
  const id = `evt_${randomBytes(16).toString('hex')}&${randomInt(1_000_000_000)}`;
  const body = Buffer.from(JSON.stringify({ id, event, dateCreated: momentOf(new Date()), payment }));
  return { body, sign: (secret) => ({ 'asaas-access-token': secret }) };
}
