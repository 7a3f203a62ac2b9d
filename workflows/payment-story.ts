import type { PaymentStatus } from '../src/domain/payment';
import type { AttemptSummary, PaymentStep } from './messages';

export interface Story {
  readonly status: PaymentStatus;
  readonly attempts: readonly AttemptSummary[];
  readonly step: PaymentStep;
  readonly waitsForPerson: boolean;
}

/** A payment's story in Markdown, for people who read the Temporal UI: where it stands, what was tried, what comes next. */
export function paymentStory(story: Story): string {
  return [
    `**Status: ${story.status}**`,
    '',
    ...story.attempts.map(describeAttempt),
    '',
    `**Next:** ${nextStep(story)}`,
  ].join('\n');
}

function describeAttempt(attempt: AttemptSummary): string {
  const code = attempt.responseCode === null ? '' : ` (${attempt.responseCode})`;
  const message = attempt.responseMessage === null ? '' : `: ${attempt.responseMessage}`;
  return `${attempt.attempt}. ${attempt.gateway}: ${attempt.status}${code}${message}`;
}

function nextStep({ step, waitsForPerson }: Story): string {
  if (waitsForPerson) {
    return 'a person must say what became of the last attempt: look at the gateway, then send the update `resolve` with paid, absent or retry.';
  }
  switch (step.kind) {
    case 'settled':
      return `nothing, the payment is settled (${step.message}).`;
    case 'try_next':
      return 'try the next gateway.';
    case 'unknown':
      return `ask ${step.attempt.gateway} what became of it; no other gateway is tried until that is known.`;
  }
}
