import type { Schema } from '../../../api/client';
import { money } from '../../../ui/formats';
import { language } from '../../../ui/language';
import { failureCodeLabels, methodLabels } from '../../payments/status-labels';
import type { Dates } from '../../shared/use-dates';
import { attemptStatusLabels, operationLabels, responseText, type Attempt } from '../attempt-labels';
import type { UserPayment } from '../queries';
import { routingText } from './routing-reason';
import { messages, titles, type EntryKind } from './timeline-labels';

type Entry = Schema<'TimelineEntry'>;
type Delivery = UserPayment['deliveries'][number];

/** A line of a payment's story. A delivery with its retries is one line. */
export type StoryLine =
  | { readonly kind: 'entry'; readonly at: string; readonly entry: Entry & { readonly kind: EntryKind } }
  | { readonly kind: 'delivery'; readonly at: string; readonly delivery: Delivery };

/** Oldest first. Lines of the same instant keep the order of cause and effect. */
export function storyOf({ timeline, deliveries }: UserPayment): StoryLine[] {
  const entries = timeline.flatMap(({ kind, ...entry }): StoryLine[] =>
    kind === 'webhook_delivered' || kind === 'webhook_failed'
      ? []
      : [{ kind: 'entry', at: entry.at, entry: { ...entry, kind } }],
  );
  const sent = deliveries.flatMap((delivery): StoryLine[] => {
    const [first] = delivery.attempts;
    return first === undefined ? [] : [{ kind: 'delivery', at: first.started_at, delivery }];
  });
  return [...entries, ...sent].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** Entries without an operation of their own are about the payment. */
export function entryTitle(
  { kind, attempt_id: id }: Entry & { readonly kind: EntryKind },
  attempts: readonly Attempt[],
): string {
  const attempt = attempts.find((each) => each.id === id);
  return titles[kind](
    attempt === undefined ? '' : operationLabels[attempt.operation],
    attempt?.gateway ?? '',
  );
}

/** What an entry tells besides its title, made from the payment and its operations. */
export function entryDetails(
  entry: Entry & { readonly kind: EntryKind },
  { payment, attempts }: UserPayment,
  dates: Dates,
): string[] {
  const attempt = attempts.find(({ id }) => id === entry.attempt_id);
  const texts = [
    ...paymentDetails(entry.kind, payment, dates),
    ...(attempt === undefined ? [] : attemptDetails(entry, attempt, payment.currency)),
    entry.actor === 'admin' ? emailIn(entry) : null,
    entry.kind === 'resolved' ? entry.detail : null,
  ];
  return texts.filter((text): text is string => text !== null && text !== '');
}

function paymentDetails(
  kind: EntryKind,
  payment: UserPayment['payment'],
  dates: Dates,
): Array<string | null> {
  const {
    amount,
    currency,
    merchant_order_id: order,
    paid_amount: paid,
    code,
    capture_before: before,
  } = payment;
  switch (kind) {
    case 'created':
      return [
        methodLabels[payment.payment_method],
        money(amount, currency),
        order === null ? null : messages.order(order),
        payment.idempotency_key,
      ];
    case 'payment_authorized':
      return [before === null ? null : messages.captureBefore(dates.minute(before))];
    case 'payment_underpaid':
      return [messages.paidOf(money(paid ?? 0, currency), money(amount, currency))];
    case 'payment_failed':
      return [code === null ? null : failureCodeLabels[code]];
    default:
      return [];
  }
}

function attemptDetails({ kind, detail }: Entry, attempt: Attempt, currency: string): Array<string | null> {
  switch (kind) {
    case 'routed':
    case 'failed_over':
      return [routingText(attempt)];
    case 'requested':
      return [money(attempt.amount, currency), attempt.reason, attempt.idempotency_key];
    case 'sent':
      return [money(attempt.amount, currency), attempt.tries > 1 ? messages.sentTimes(attempt.tries) : null];
    case 'made_at_gateway':
      return [money(attempt.amount, currency)];
    case 'gateway_accepted':
    case 'gateway_declined':
    case 'gateway_error':
      // The operation keeps only its last answer; the entry says whether that is this one.
      return detail === null ? [] : [attempt.response_code, responseText(attempt)];
    case 'inquired':
      return [attemptStatusLabels[attempt.status]];
    case 'contradicted':
      return [language === 'en' ? attempt.response_message : null];
    case 'callback':
    case 'chargeback':
      return [detail === 'signed' ? messages.signed : messages.unsigned];
    default:
      return [];
  }
}

const EMAIL = /[^\s,]+@[^\s,]+/;

/** Who did it. */
function emailIn({ title, detail }: Entry): string | null {
  const email = EMAIL.exec(`${title} ${detail ?? ''}`)?.[0];
  return email === undefined ? null : messages.by(email);
}

/** What became of a delivery, in one line. */
export function deliveryText(
  { event, status, attempts, next_retry_at: next, endpoint }: Delivery,
  dates: Dates,
) {
  const title = {
    delivered: messages.delivered,
    failed: messages.notDelivered,
    pending: messages.beingDelivered,
  }[status](event);
  const last = attempts.at(-1);
  const details = [
    endpoint.url,
    messages.attempts(attempts.length),
    last === undefined || last.status_code === null
      ? messages.noResponse
      : messages.lastResponse(last.status_code),
    status === 'pending' && next !== null ? messages.nextAt(dates.second(next)) : null,
  ];
  return { title, detail: details.filter((text) => text !== null).join(' · ') };
}
