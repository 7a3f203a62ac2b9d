import type { AttemptSummary, PaymentStep } from '../messages';

export interface Story {
  readonly step: PaymentStep;
  readonly attempts: readonly AttemptSummary[];
  /** The operation that a person is asked about, by its id. */
  readonly forPerson: string | null;
}

/** A payment's story in Markdown, for people who read the Temporal UI: where it stands, what was tried, what comes next. */
export function renderPaymentDetails(story: Story): string {
  return [
    `**Status: ${story.step.status}** (${story.step.message})`,
    '',
    ...story.attempts.map(describeAttempt),
    '',
    `**Next:** ${nextStep(story)}`,
  ].join('\n');
}

function describeAttempt(attempt: AttemptSummary): string {
  const code = attempt.responseCode === null ? '' : ` (${attempt.responseCode})`;
  const message = attempt.responseMessage === null ? '' : `: ${attempt.responseMessage}`;
  return `${attempt.attempt}. ${attempt.operation} at ${attempt.gateway}: ${attempt.status}${code}${message}`;
}

function nextStep({ step, forPerson }: Story): string {
  if (forPerson !== null) return askPerson(step, forPerson);
  const [unknown] = step.unknown;
  if (unknown !== undefined) {
    return `ask ${unknown.gateway} what became of ${unknown.operation} ${unknown.attempt}; nothing that depends on it is tried before that is known.`;
  }
  if (step.ready) return step.status === 'processing' ? 'try the next gateway.' : 'send what was asked for.';
  if (step.pollAt === null) return 'nothing, until it is asked for.';
  const instant = new Date(step.pollAt).toISOString();
  return step.status === 'authorized'
    ? `a capture or cancel by the company; released at ${instant} otherwise.`
    : `the customer's payment; the gateway is asked again at ${instant}, or when it calls.`;
}

function askPerson({ needsPerson }: PaymentStep, attemptId: string): string {
  const what =
    needsPerson === null
      ? 'what became of the last operation: look at the gateway'
      : 'whether it counts as paid: its time is over, and it was paid in part or its gateway does not tell';
  return `a person must say ${what}, then send the update \`resolve\` with paid, absent or retry, of ${attemptId}.`;
}
