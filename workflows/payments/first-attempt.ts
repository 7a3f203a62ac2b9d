import { proxyLocalActivities, TemporalFailure } from '@temporalio/workflow';
import type { Activities } from '../../activities';
import { assertNever } from '../../src/domain/shared/assert-never';
import type { LocalPaymentInput, PaymentInput, PaymentRunInput, PaymentStep, PollInput } from '../messages';
import { chargeActivities, databaseActivities, inquiryActivities } from './activities';

/**
 * Steps inside a workflow task, which cost less than tasks of their own. Each runs once per task: after any failure a
 * regular activity goes on, which support staff see scheduled.
 */
const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '2 minutes',
  retry: { maximumAttempts: 1 },
});

type UnrecordedAnswer = Parameters<Activities['recordAnswer']>[0]['unrecorded'];

/** What a run is started with to keep an answer that a step of a subscription could not record. */
export interface AnswerToRecord {
  readonly unrecorded?: UnrecordedAnswer;
}

/** A step of a local activity, or the regular activity that makes it instead. */
export type LocalStep =
  | { readonly step: PaymentStep }
  | { readonly instead: (input: PaymentInput) => Promise<PaymentStep> };

export type StartLocalStep = (input: LocalPaymentInput, summary: string) => Promise<LocalStep>;

/** Null for a regular attempt. */
export function firstStepOf(
  firstAttempt: PaymentRunInput['firstAttempt'],
  unrecorded: UnrecordedAnswer | undefined,
): StartLocalStep | null {
  if (unrecorded !== undefined) return () => Promise.resolve({ instead: recordKept(unrecorded) });
  if (firstAttempt === undefined) return null;
  return (input, summary) => makeFirstAttempt(input, firstAttempt === 'local' ? summary : firstAttempt);
}

/** Sends the first charge, or the next request if that was sent already. */
function makeFirstAttempt(input: LocalPaymentInput, summary: string): Promise<LocalStep> {
  return sendLocally('firstAttempt', input, summary);
}

/** Sends an operation inside the task that brought its update. */
export function sendOperationLocally(input: LocalPaymentInput, summary: string): Promise<LocalStep> {
  return sendLocally('localOperation', input, summary);
}

/** Polls the gateway, or reads a signed callback, inside the task that brought the signal. */
export async function pollLocally(input: PollInput, summary: string): Promise<LocalStep> {
  const step = await unlessFailed(() => local.localPoll.executeWithOptions({ summary }, [input]));
  if (step !== null) return { step };
  return { instead: () => inquiryActivities.pollPaymentStatus.executeWithOptions({ summary }, [input]) };
}

async function sendLocally(
  activity: 'firstAttempt' | 'localOperation',
  input: LocalPaymentInput,
  summary: string,
): Promise<LocalStep> {
  const first = await unlessFailed(() => local[activity].executeWithOptions({ summary }, [input]));
  const { attemptPayment } = chargeActivities;
  switch (first?.kind) {
    case 'recorded':
      return { step: first.step };
    case 'unrecorded':
      return { instead: recordKept(first.unrecorded) };
    case 'card_busy':
    case undefined:
      return { instead: (regular) => attemptPayment.executeWithOptions({ summary }, [regular]) };
    default:
      return assertNever(first);
  }
}

/** Records an answer that the run's input or history keeps. */
function recordKept(unrecorded: UnrecordedAnswer): (input: PaymentInput) => Promise<PaymentStep> {
  const { recordAnswer } = databaseActivities;
  return (input) =>
    recordAnswer.executeWithOptions({ summary: 'record the answer' }, [{ ...input, unrecorded }]);
}

/** Null if the local activity failed. */
async function unlessFailed<Result>(activity: () => Promise<Result>): Promise<Result | null> {
  try {
    return await activity();
  } catch (error) {
    // Unlike for regular activities, the error is not wrapped in `ActivityFailure`.
    if (!(error instanceof TemporalFailure)) throw error;
    return null;
  }
}
