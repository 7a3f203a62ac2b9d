import {
  RUN_RECOVERY_DELAY_MS,
  STUCK_RECOVERY_DELAY_MS,
  type PaymentRecord,
} from '../../src/persistence/payments/payment-repository';
import type { PaymentStep } from '../../workflows/messages';

/** When the sweeper recovers a payment whose workflow is not running, and since when an operator is needed. */
export type RecoverySchedule = Pick<PaymentRecord, 'recoverAfter' | 'stuckAt'>;

/** The recovery schedule after a step. `stuckAt` is the previous value: it is kept while a question is open. */
export function recoveryScheduleOf(step: PaymentStep, stuckAt: Date | null, now: Date): RecoverySchedule {
  const isInReview = step.needsOperator !== null || step.unknown.some(({ isEscalated }) => isEscalated);
  const recoverAfter = recoverAfterOf(step, isInReview, now);
  return { stuckAt: isInReview ? (stuckAt ?? now) : null, recoverAfter };
}

/** When the sweeper starts the workflow, by wall-clock time; null when nothing is left to do. */
function recoverAfterOf(step: PaymentStep, isInReview: boolean, now: Date): Date | null {
  const recoverAfter = recoverUnfinishedAfter(step, isInReview, now);
  const recheckAfter = wakeForRecheckAfter(step, isInReview, now);
  if (recoverAfter === null || recheckAfter === null) return recoverAfter ?? recheckAfter;
  return recheckAfter < recoverAfter ? recheckAfter : recoverAfter;
}

/** When it wakes the workflow to ask about abandoned attempts. A payment that is being charged is woken afterwards. */
function wakeForRecheckAfter(
  { status, recheckAt, clock }: PaymentStep,
  isInReview: boolean,
  now: Date,
): Date | null {
  if (recheckAt === null || (status === 'processing' && !isInReview)) return null;
  const dueAt = recheckAt - clock.offsetMs;
  // Past: the workflow has been woken and is about to ask.
  return new Date(dueAt > now.getTime() ? dueAt : now.getTime() + RUN_RECOVERY_DELAY_MS);
}

/** When it starts the workflow of a payment that is not finished. */
function recoverUnfinishedAfter(step: PaymentStep, isInReview: boolean, now: Date): Date | null {
  const { ready, unknown, openResolutions, pollAt, clock } = step;
  // A question for an operator needs no workflow: its resolution starts one.
  if (!ready && unknown.length === 0 && openResolutions.length === 0 && pollAt === null) return null;
  if (!ready && isInReview) return new Date(now.getTime() + STUCK_RECOVERY_DELAY_MS);
  const waits = !ready && unknown.length === 0 && pollAt !== null;
  const dueAt = waits ? Math.max(now.getTime(), pollAt - clock.offsetMs) : now.getTime();
  return new Date(dueAt + RUN_RECOVERY_DELAY_MS);
}
