import { escapeMarkdown } from '../../src/domain/shared/markdown';
import type { AttemptSummary, PaymentStep } from '../messages';

/** What a payment waits for, in the Temporal UI. */
export const UNTIL_NEXT_POLL = 'until the next poll';
/** A poll, in the Temporal UI. */
export const POLL = 'poll payment status';

export interface PaymentDetails {
  readonly step: PaymentStep;
  readonly attempts: readonly AttemptSummary[];
  /** The attempt that waits for an operator. */
  readonly escalatedAttemptId: string | null;
}

/** The details of a payment in the Temporal UI, in Markdown: status, attempts and next action. */
export function renderPaymentDetails(details: PaymentDetails): string {
  return [
    `**Status: ${details.step.status}** (${escapeMarkdown(details.step.message)})`,
    '',
    ...details.attempts.map(describeAttempt),
    '',
    `**Next:** ${describeNext(details)}`,
  ].join('\n');
}

function describeAttempt(attempt: AttemptSummary): string {
  const code = attempt.responseCode === null ? '' : ` (${escapeMarkdown(attempt.responseCode)})`;
  const message = attempt.responseMessage === null ? '' : `: ${escapeMarkdown(attempt.responseMessage)}`;
  return `${attempt.attempt}. ${attempt.operation} at ${attempt.gateway}: ${attempt.status}${code}${message}`;
}

function describeNext({ step, attempts, escalatedAttemptId }: PaymentDetails): string {
  if (escalatedAttemptId !== null) return describeManualReview(step, attempts, escalatedAttemptId);
  const [unknown] = step.unknown;
  if (unknown !== undefined) {
    return `inquire ${unknown.gateway} about ${unknown.operation} ${unknown.attempt}; nothing that depends on it is sent before its outcome is known.`;
  }
  if (step.ready)
    return step.status === 'processing' ? 'try the next gateway.' : 'send the requested operation.';
  if (step.pollAt === null) return 'nothing, until an operation is requested.';
  const instant = new Date(step.pollAt).toISOString();
  const accepted = attempts.find(({ status }) => status === 'accepted');
  if (accepted !== undefined) {
    const { operation, gateway } = accepted;
    return `wait for the result of the ${operation} that ${gateway} has accepted; ask for it at ${instant} or after a callback.`;
  }
  return step.status === 'authorized'
    ? `wait for a capture or cancel; void the authorization at ${instant}.`
    : `wait for the customer to pay; poll the gateway at ${instant} or after a callback.`;
}

function describeManualReview(
  { needsOperator }: PaymentStep,
  attempts: readonly AttemptSummary[],
  attemptId: string,
): string {
  const isAccepted = attempts.some(
    (attempt) => attempt.attemptId === attemptId && attempt.status === 'accepted',
  );
  const decision =
    needsOperator === null || isAccepted
      ? 'the outcome of the last operation, as shown at the gateway'
      : 'whether a partial or late payment counts as paid, or whether what was found at the gateway is right';
  return `manual review: decide ${decision}. Then resolve it in the dashboard, for attempt ${attemptId}.`;
}
