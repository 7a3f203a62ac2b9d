import { assertNever } from '../shared/assert-never';
import { isPaidLater } from '../payments/payment';
import { formatMoney } from '../shared/money';
import type { TimelineEntry, TimelineEvent, TimelinePayment } from './timeline-types';

type StatusDescription = Pick<TimelineEntry, 'kind' | 'title' | 'detail'> &
  Partial<Pick<TimelineEntry, 'actor'>>;

/** The entries of the status changes. Each status change has an event; `events` are in order. */
export function statusEntries(payment: TimelinePayment, events: readonly TimelineEvent[]): TimelineEntry[] {
  return events.map((event, index) => ({
    at: event.createdAt,
    attemptId: null,
    actor: 'system',
    ...describeStatus(payment, event, events[index - 1]),
  }));
}

function describeStatus(
  payment: TimelinePayment,
  event: TimelineEvent,
  before: TimelineEvent | undefined,
): StatusDescription {
  if (event.status !== 'refunded' && event.refundedAmountCents > (before?.refundedAmountCents ?? 0))
    return partiallyRefunded(payment, event);
  switch (event.status) {
    case 'pending':
      return pending(payment, event);
    case 'authorized': {
      const { captureBefore } = event;
      const detail = captureBefore && `capture before ${instant(captureBefore)}`;
      return { kind: 'payment_authorized', title: 'Payment authorized', detail };
    }
    case 'approved':
      return approved(payment, event, before);
    case 'failed':
      if (event.status === before?.status) return underpaid(payment, event);
      if (event.code === 'expired')
        return { kind: 'payment_expired', title: 'Payment expired', detail: null };
      return { kind: 'payment_failed', title: 'Payment failed', detail: event.message };
    case 'canceled':
      if (event.status === before?.status) return underpaid(payment, event);
      return { kind: 'payment_canceled', title: 'Payment canceled', detail: null };
    case 'refunded':
      return { kind: 'payment_refunded', title: 'Payment refunded', detail: null };
    default:
      return assertNever(event.status);
  }
}

function pending(payment: TimelinePayment, event: TimelineEvent): StatusDescription {
  if ((event.paidAmountCents ?? 0) > 0) return underpaid(payment, event);
  const { expiresAt } = payment;
  const detail = expiresAt && `payable until ${instant(expiresAt)}`;
  return { kind: 'payment_pending', title: 'Waiting for the customer to pay', detail };
}

/** A pix or boleto may also be paid in part after it expired or was canceled. */
function underpaid({ amountCents, currency }: TimelinePayment, event: TimelineEvent): StatusDescription {
  const { status, paidAmountCents } = event;
  return {
    kind: 'payment_underpaid',
    title: status === 'pending' ? 'Partially paid' : 'Partially paid late',
    detail: amountOfTotal(paidAmountCents ?? 0, amountCents, currency, 'paid'),
    actor: 'customer',
  };
}

/** A partial refund keeps the status; each refund has its own event. */
function partiallyRefunded({ currency }: TimelinePayment, event: TimelineEvent): StatusDescription {
  const { capturedAmountCents, paidAmountCents, refundedAmountCents } = event;
  const receivedCents = capturedAmountCents > 0 ? capturedAmountCents : (paidAmountCents ?? 0);
  const detail = amountOfTotal(refundedAmountCents, receivedCents, currency, 'refunded so far');
  return { kind: 'payment_refunded', title: 'Payment partially refunded', detail };
}

function approved(
  { paymentMethod, amountCents, currency }: TimelinePayment,
  event: TimelineEvent,
  before: TimelineEvent | undefined,
): StatusDescription {
  const { capturedAmountCents, paidAmountCents } = event;
  const paidCents = paidAmountCents ?? 0;
  if (isPaidLater(paymentMethod) && paidCents >= amountCents) {
    const late = before?.status === 'failed' || before?.status === 'canceled';
    const detail =
      paidCents === amountCents
        ? null
        : `${formatMoney(paidCents, currency)} instead of ${formatMoney(amountCents, currency)}`;
    return { kind: 'payment_paid', title: late ? 'Paid late' : 'Paid', detail, actor: 'customer' };
  }
  const detail =
    capturedAmountCents === amountCents
      ? null
      : amountOfTotal(capturedAmountCents, amountCents, currency, 'captured');
  return { kind: 'payment_approved', title: 'Payment approved', detail };
}

function amountOfTotal(cents: number, totalCents: number, currency: string, verb: string): string {
  return `${formatMoney(cents, currency)} of ${formatMoney(totalCents, currency)} ${verb}`;
}

/** `2026-03-02 14:05 UTC`. */
function instant(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
