import { assertNever } from '../shared/assert-never';
import { formatMoney } from '../shared/money';
import { OPERATION_NAMES } from '../payments/operation-names';
import type { TimelineAttempt, TimelineEntry } from './timeline-types';

/** An entry of the timeline, but for the operation it belongs to. */
export type EntryDescription = Omit<TimelineEntry, 'attemptId'>;

type AnswerField = 'responseCode' | 'responseMessage' | 'declineType' | 'errorFamily';

/** What the call was answered. `isLast`: the row still holds the answer's own words. */
export function describeAnswer(attempt: TimelineAttempt, isLast: boolean, at: Date): EntryDescription {
  const { gatewaySlug, status, purpose } = attempt;
  const name = nameOf(attempt);
  const words = isLast ? codeAndMessage(attempt) : null;
  const answer = (kind: EntryDescription['kind'], verb: string, detail = words): EntryDescription => {
    return { at, kind, title: `${gatewaySlug} ${verb} the ${name}`, detail, actor: 'gateway' };
  };
  const lost = (): EntryDescription => {
    const title = `${capitalized(name)} did not reach ${gatewaySlug}`;
    return { at, kind: 'not_sent', title, detail: words, actor: 'system' };
  };
  switch (status) {
    case 'approved':
    case 'authorized':
      return answer('gateway_accepted', purpose === 'charge' ? 'approved' : 'carried out');
    case 'canceled':
    case 'refunded':
      return answer('gateway_accepted', 'carried out');
    case 'pending':
      return answer('gateway_accepted', 'took');
    case 'declined':
      return answer('gateway_declined', 'declined', refusal(attempt));
    case 'error':
      if (attempt.errorFamily === 'not_sent') return lost();
      return answer('gateway_error', 'did not carry out', failure(attempt));
    case 'requested':
    case 'abandoned':
      return lost();
    case 'sent':
    case 'unknown': {
      const title = `What became of the ${name} at ${gatewaySlug} is open`;
      const detail = isLast ? openQuestion(attempt) : null;
      return { at, kind: 'gateway_unknown', title, detail, actor: 'system' };
    }
    default:
      return assertNever(status);
  }
}

/** What an inquiry found. */
export function describeInquiry(inquiry: Pick<TimelineAttempt, 'status' | AnswerField>): string {
  switch (inquiry.status) {
    case 'abandoned':
      return 'it never arrived there';
    case 'declined':
      return `it was declined: ${refusal(inquiry)}`;
    case 'error':
      return 'it was not carried out';
    case 'pending':
      return 'it waits for the customer';
    default:
      return `it was ${inquiry.status}`;
  }
}

export function codeAndMessage({
  responseCode,
  responseMessage,
}: Pick<TimelineAttempt, AnswerField>): string | null {
  return [responseCode, responseMessage].filter((text) => text !== null).join(' ') || null;
}

/** `51 insufficient funds (soft)`. */
function refusal(attempt: Pick<TimelineAttempt, AnswerField>): string {
  const { declineType } = attempt;
  return `${codeAndMessage(attempt) ?? 'without a reason'}${declineType === null ? '' : ` (${declineType})`}`;
}

/** `rate_limited: 429 too many requests`. */
function failure(attempt: Pick<TimelineAttempt, AnswerField>): string | null {
  return [attempt.errorFamily, codeAndMessage(attempt)].filter((text) => text !== null).join(': ') || null;
}

function openQuestion(attempt: TimelineAttempt): string | null {
  const { notFoundCount: times } = attempt;
  const asked = times === 0 ? null : `not found there so far, asked ${times} times`;
  return [codeAndMessage(attempt), asked].filter((text) => text !== null).join('; ') || null;
}

export function nameOf({ operation }: Pick<TimelineAttempt, 'operation'>): string {
  return OPERATION_NAMES[operation];
}

/** `refund of R$ 5,00`. */
export function amountOf(attempt: TimelineAttempt, currency: string): string {
  return `${nameOf(attempt)} of ${formatMoney(attempt.amountCents, currency)}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
