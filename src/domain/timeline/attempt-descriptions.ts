import { assertNever } from '../shared/assert-never';
import { formatMoney } from '../shared/money';
import { OPERATION_NAMES } from '../payments/operation-names';
import { REPORTED_BY_CALLBACK } from '../payments/reported-charge-state';
import type { TimelineAttempt, TimelineEntry } from './timeline-types';

/** A timeline entry without the attempt it belongs to. */
export type EntryDescription = Omit<TimelineEntry, 'attemptId'>;

type AnswerField = 'responseCode' | 'responseMessage' | 'declineType' | 'errorFamily';

/** Describes how the call was answered. `isLast`: the row still holds the code and message of that answer. */
export function describeAnswer(attempt: TimelineAttempt, isLast: boolean, at: Date): EntryDescription {
  const { gatewaySlug, status, purpose } = attempt;
  const name = nameOf(attempt);
  const text = isLast ? codeAndMessage(attempt) : null;
  const answer = (kind: EntryDescription['kind'], verb: string, detail = text): EntryDescription => {
    return { at, kind, title: `${gatewaySlug} ${verb} the ${name}`, detail, actor: 'gateway' };
  };
  const notReceived = (): EntryDescription => {
    const title = `${capitalized(name)} did not reach ${gatewaySlug}`;
    return { at, kind: 'not_sent', title, detail: text, actor: 'system' };
  };
  switch (status) {
    case 'approved':
    case 'authorized':
      return answer('gateway_accepted', purpose === 'charge' ? 'approved' : 'completed');
    case 'canceled':
    case 'refunded':
      return answer('gateway_accepted', 'completed');
    case 'pending':
      return answer('gateway_accepted', 'accepted');
    case 'accepted':
      return answer('gateway_accepted', 'accepted', RESULT_COMES_LATER);
    case 'declined':
      return answer('gateway_declined', 'declined', describeDecline(attempt));
    case 'error':
      if (attempt.errorFamily === 'not_sent') return notReceived();
      return answer('gateway_error', 'did not complete', describeError(attempt));
    case 'requested':
    case 'abandoned':
      return notReceived();
    case 'sent':
    case 'unknown': {
      const title = `The outcome of the ${name} at ${gatewaySlug} is unknown`;
      const detail = isLast ? describeUnknown(attempt) : null;
      return { at, kind: 'gateway_unknown', title, detail, actor: 'system' };
    }
    default:
      return assertNever(status);
  }
}

const RESULT_COMES_LATER = 'the result comes later';

/** Describes the result of an inquiry about a charge or an operation on one. */
export function describeInquiry(
  inquiry: Pick<TimelineAttempt, 'status' | AnswerField>,
  subject: Pick<TimelineAttempt, 'purpose'> | undefined,
): string {
  switch (inquiry.status) {
    case 'abandoned':
      return 'never received';
    case 'declined':
      return subject === undefined || subject.purpose === 'charge'
        ? `declined: ${describeDecline(inquiry)}`
        : describeRefusedOperation(inquiry);
    case 'error':
      return 'not completed';
    case 'pending':
      return subject === undefined || subject.purpose === 'charge'
        ? 'waiting for the customer'
        : `accepted, ${RESULT_COMES_LATER}`;
    default:
      return inquiry.status;
  }
}

export function codeAndMessage({
  responseCode,
  responseMessage,
}: Pick<TimelineAttempt, AnswerField>): string | null {
  return [responseCode, responseMessage].filter((text) => text !== null).join(' ') || null;
}

/** `51 insufficient funds (soft)`. */
function describeDecline(attempt: Pick<TimelineAttempt, AnswerField>): string {
  const { declineType } = attempt;
  return `${codeAndMessage(attempt) ?? 'no reason given'}${declineType === null ? '' : ` (${declineType})`}`;
}

/** Without the class of the decline, which is about charging a card again, and without what the title says. */
function describeRefusedOperation(inquiry: Pick<TimelineAttempt, AnswerField>): string {
  const reason = inquiry.responseMessage === REPORTED_BY_CALLBACK ? null : codeAndMessage(inquiry);
  return reason === null ? 'declined' : `declined: ${reason}`;
}

/** `rate_limited: 429 too many requests`. */
function describeError(attempt: Pick<TimelineAttempt, AnswerField>): string | null {
  return [attempt.errorFamily, codeAndMessage(attempt)].filter((text) => text !== null).join(': ') || null;
}

function describeUnknown(attempt: TimelineAttempt): string | null {
  const { notFoundCount } = attempt;
  const inquiries = notFoundCount === 0 ? null : `not found in ${notFoundCount} inquiries`;
  return [codeAndMessage(attempt), inquiries].filter((text) => text !== null).join('; ') || null;
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
