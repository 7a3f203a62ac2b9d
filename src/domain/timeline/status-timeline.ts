import { assertNever } from '../shared/assert-never';
import { formatMoney } from '../shared/money';
import type { TimelineEntry, TimelineEvent, TimelinePayment } from './timeline-types';

type StatusWords = Pick<TimelineEntry, 'kind' | 'title' | 'detail'> & Partial<Pick<TimelineEntry, 'actor'>>;

/** What became of the payment, by its events in order: every move of it has one. */
export function statusEntries(payment: TimelinePayment, events: readonly TimelineEvent[]): TimelineEntry[] {
  return events.map((event, index) => ({
    at: event.createdAt,
    attemptId: null,
    actor: 'system',
    ...inWords(payment, event, events[index - 1]),
  }));
}

function inWords(
  payment: TimelinePayment,
  event: TimelineEvent,
  before: TimelineEvent | undefined,
): StatusWords {
  switch (event.status) {
    case 'pending':
      return pending(payment, event);
    case 'authorized': {
      const { captureBefore } = event;
      const detail = captureBefore && `to be captured until ${instant(captureBefore)}`;
      return { kind: 'payment_authorized', title: 'Payment authorized', detail };
    }
    case 'approved':
      return approved(payment, event, before);
    case 'failed':
      if (event.code === 'expired')
        return { kind: 'payment_expired', title: 'Payment expired', detail: null };
      return { kind: 'payment_failed', title: 'Payment failed', detail: event.message };
    case 'canceled':
      return { kind: 'payment_canceled', title: 'Payment canceled', detail: null };
    case 'refunded':
      return { kind: 'payment_refunded', title: 'Payment refunded', detail: null };
    default:
      return assertNever(event.status);
  }
}

function pending({ amountCents, currency, expiresAt }: TimelinePayment, event: TimelineEvent): StatusWords {
  const paidCents = event.paidAmountCents ?? 0;
  if (paidCents === 0) {
    const detail = expiresAt && `to be paid until ${instant(expiresAt)}`;
    return { kind: 'payment_pending', title: 'The customer is to pay', detail };
  }
  const detail = partOf(paidCents, amountCents, currency, 'paid');
  return { kind: 'payment_underpaid', title: 'Paid in part', detail, actor: 'customer' };
}

/** A refund of a part leaves it approved; each is an event of its own. */
function approved(
  { paymentMethod, amountCents, currency }: TimelinePayment,
  event: TimelineEvent,
  before: TimelineEvent | undefined,
): StatusWords {
  const { capturedAmountCents, refundedAmountCents, paidAmountCents } = event;
  if (refundedAmountCents > (before?.refundedAmountCents ?? 0)) {
    const detail = partOf(refundedAmountCents, capturedAmountCents, currency, 'returned so far');
    return { kind: 'payment_refunded', title: 'Payment refunded in part', detail };
  }
  const paidCents = paidAmountCents ?? 0;
  if (paymentMethod !== 'card' && paidCents >= amountCents) {
    const late = before?.status === 'failed' || before?.status === 'canceled';
    const detail =
      paidCents === amountCents
        ? null
        : `${formatMoney(paidCents, currency)} instead of ${formatMoney(amountCents, currency)}`;
    return { kind: 'payment_paid', title: late ? 'Paid after all' : 'Paid', detail, actor: 'customer' };
  }
  const detail =
    capturedAmountCents === amountCents ? null : partOf(capturedAmountCents, amountCents, currency, 'taken');
  return { kind: 'payment_approved', title: 'Payment approved', detail };
}

function partOf(cents: number, wholeCents: number, currency: string, verb: string): string {
  return `${formatMoney(cents, currency)} of ${formatMoney(wholeCents, currency)} ${verb}`;
}

/** `2026-03-02 14:05 UTC`. */
function instant(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
