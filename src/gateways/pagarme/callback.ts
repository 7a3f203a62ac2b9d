import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import type { CallbackHint, CallbackReading, RawCallback } from '../callback';
import { ownChargeReference } from '../own-references';
import { parseJson } from '../parse-json';
import { moneyOf, tellsMoney } from './charge-money';
import { chargebackOf } from './disputes';
import { chargeOutcome, isCard } from './outcomes';
import { chargeOfWebhook, chargeReply, orderOfWebhook, webhookBody } from './wire';

const CHARGEBACK = 'charge.chargedback';

/** Which charge an event is about, and what it says about it; null if it is about none of ours. */
type Reading = Pick<CallbackHint, 'subject' | 'reportedState' | 'dispute'> | null;

/** https://docs.pagar.me/reference/eventos-de-webhook-1. An event about anything but charges and orders is not for this service. */
export function readPagarmeEvent({ body }: RawCallback): CallbackReading {
  const event = webhookBody.safeParse(parseJson(body.toString('utf8')));
  if (!event.success) return { kind: 'unreadable' };
  const { id: eventId, type, data } = event.data;
  const kind = type === CHARGEBACK ? 'chargeback' : 'status';
  const reading = kind === 'chargeback' ? disputeReading(data) : readingOf(type, data);
  return reading === null ? { kind: 'foreign' } : { kind: 'hints', hints: [{ eventId, kind, ...reading }] };
}

function readingOf(type: string, data: unknown): Reading {
  if (type.startsWith('charge.')) return chargeReading(data);
  return type.startsWith('order.') ? orderReading(data) : null;
}

/** The charge must be read if the event does not tell all of the dispute. */
function disputeReading(data: unknown): Reading {
  const reading = chargeReading(data);
  const charge = chargeReply.safeParse(data);
  const isWhole = charge.success && tellsMoney(charge.data);
  const dispute = isWhole ? chargebackOf(charge.data, moneyOf(charge.data), null) : null;
  return reading && { ...reading, reportedState: null, ...(dispute && { dispute }) };
}

function chargeReading(data: unknown): Reading {
  const charge = chargeOfWebhook.safeParse(data);
  if (!charge.success) return null;
  const { id, code, order } = charge.data;
  const reference = ownChargeReference(order?.code) ?? ownChargeReference(code);
  if (reference === null) return null;
  return { subject: { reference, gatewayTransactionId: id }, reportedState: stateOf(data) };
}

/** Beside each event of a charge that ends it comes one of its order. */
function orderReading(data: unknown): Reading {
  const order = orderOfWebhook.safeParse(data);
  const reference = order.success ? ownChargeReference(order.data.code) : null;
  if (!order.success || reference === null) return null;
  const [charge, ...others] = order.data.charges ?? [];
  const isOne = charge !== undefined && others.length === 0;
  return {
    subject: { reference, gatewayTransactionId: isOne ? charge.id : null },
    reportedState: isOne ? stateOf(charge) : null,
  };
}

/** The state, as far as the charge alone tells it; null if it must be read. */
function stateOf(data: unknown): ReportedChargeState | null {
  const charge = chargeReply.safeParse(data);
  if (!charge.success || !tellsMoney(charge.data)) return null;
  const money = moneyOf(charge.data);
  const outcome = chargeOutcome(charge.data, money);
  if (outcome?.kind !== 'approved' && outcome?.kind !== 'authorized') return null;
  return {
    status: outcome.kind,
    capturedCents: Math.min(money.paidCents, charge.data.amount),
    refundedCents: 0,
    paidCents: isCard(charge.data) ? 0 : money.paidCents,
  };
}
