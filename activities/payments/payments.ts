import { activityInfo, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type {
  LocalPaymentInput,
  PollInput,
  PaymentInput,
  PaymentStep,
  AttemptInput,
  ResolveInput,
} from '../../workflows/messages';
import { applyResolution } from './apply-resolution';
import { reportFailures } from '../shared/failures';
import { atMost } from '../shared/at-most';
import { isOpen } from './attempt-predicates';
import { lockPayment } from './load-payment';
import { withHeartbeat } from '../shared/heartbeat';
import { firstAttempt, type FirstAttempt } from './attempts/first-attempt';
import { withoutCardToken } from './gateways/card-token';
import { inquireAttempt } from './inquire-attempt';
import { pollPaymentStatus } from './poll-payment-status';
import type { PaymentDeps } from './payment-deps';
import { recordAnswerOf, sendNext, type UnrecordedAnswer } from './attempts/send-next';

/** A payment and the gateway's answer to a request that was sent for it. */
interface RecordAnswerInput extends PaymentInput {
  readonly unrecorded: UnrecordedAnswer;
}

/** Operations and polls that a process makes as local activities at the same time. More of them become regular activities. */
const MOST_LOCAL_STEPS = 16;
const BUSY_RETRY_STEP_MS = 100;
const MAX_BUSY_RETRY_MS = 2_000;

/** The activities of a payment's workflow. Each can be retried after a crash at any line. */
export function createPaymentActivities(deps: PaymentDeps) {
  const reported = reportFailures(deps.log);

  /**
   * Sends the next request, if there is one, and records its answer. An answer that could not be recorded is kept in the
   * heartbeat details: the next attempt of the activity records it and does not call the gateway again.
   */
  async function attemptPayment(input: PaymentInput): Promise<PaymentStep> {
    const kept = activityInfo().heartbeatDetails as UnrecordedAnswer | undefined;
    if (kept !== undefined) return record(input, kept);
    const sent = await sendNext(deps, input);
    if (sent.kind === 'nothing') return sent.step;
    if (sent.kind === 'card_busy') throw cardBusy(activityInfo().attempt);
    return record(input, sent.unrecorded);
  }

  async function record(input: PaymentInput, unrecorded: UnrecordedAnswer): Promise<PaymentStep> {
    try {
      return await recordAnswerOf(deps, input, unrecorded);
    } catch (error) {
      heartbeat(withoutCardToken(unrecorded));
      throw error;
    }
  }

  async function attemptLocally({ awaited = [], ...input }: LocalPaymentInput): Promise<FirstAttempt> {
    const first = await firstAttempt(deps, input);
    return first.kind === 'recorded' ? { ...first, step: { ...first.step, awaited } } : first;
  }

  /** Escalates an attempt, and so its payment, to manual review. */
  async function markStuck({ transactionId, attemptId }: AttemptInput): Promise<void> {
    const now = deps.now();
    await deps.db.inTransaction(async (tx) => {
      const { attempts } = await lockPayment(deps, tx, transactionId);
      if (!attempts.some((attempt) => attempt.id === attemptId && isOpen(attempt))) return;
      await deps.attempts.markEscalated(tx, attemptId, now);
      await deps.payments.markStuck(transactionId, now, now, tx);
    });
  }

  return {
    attemptPayment: withHeartbeat(reported('attemptPayment', attemptPayment)),
    recordAnswer: reported('recordAnswer', ({ unrecorded, ...input }: RecordAnswerInput) =>
      recordAnswerOf(deps, input, unrecorded),
    ),
    firstAttempt: reported('firstAttempt', attemptLocally),
    localOperation: atMost(MOST_LOCAL_STEPS, reported('localOperation', attemptLocally)),
    localPoll: atMost(
      MOST_LOCAL_STEPS,
      reported('localPoll', async ({ awaited = [], ...input }: PollInput) => {
        const step = await pollPaymentStatus(deps, input);
        return { ...step, awaited };
      }),
    ),
    inquireAttempt: withHeartbeat(
      reported('inquireAttempt', ({ transactionId, attemptId }: AttemptInput) =>
        inquireAttempt(deps, transactionId, attemptId),
      ),
    ),
    pollPaymentStatus: withHeartbeat(
      reported('pollPaymentStatus', (input: PollInput) => pollPaymentStatus(deps, input)),
    ),
    markStuck: reported('markStuck', markStuck),
    applyResolution: reported('applyResolution', (input: ResolveInput) => applyResolution(deps, input)),
  };
}

/** Retried until the charge window ends, after which the claim fails the payment. */
function cardBusy(attempt: number): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'CardBusy',
    message: 'other charges of the card are in progress',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: Math.min(attempt * BUSY_RETRY_STEP_MS, MAX_BUSY_RETRY_MS),
  });
}
