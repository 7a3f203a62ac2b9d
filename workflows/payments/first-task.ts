import type { FirstAttempt } from '../../activities/payments/attempts/first-attempt';
import type { PaymentStatus } from '../../src/domain/payments/payment';
import type { PaymentStep } from '../messages';
import { HANDED_OVER, KEEPS_RESULT, type AfterTask } from '../shared/first-task';
import { UNTIL_NEXT_POLL } from './payment-details';
import { statusAttributes } from './status-attributes';

export { POLL } from './payment-details';

/**
 * What the payment's workflow does after its first attempt: it ends, or waits for the next poll. Everything else it does itself, in a
 * worker. Mirrors `PaymentRun`.
 *
 * @param now the wall clock, epoch ms
 */
export function afterFirstAttempt(first: FirstAttempt, now: number): AfterTask {
  if (first.kind === 'unrecorded') return KEEPS_RESULT;
  if (first.kind !== 'recorded' || !isSettled(first.step)) return HANDED_OVER;
  const { step } = first;
  const attributes = attributesAfter('processing', step);
  if (step.pollAt === null) return { kind: 'completed', attributes, result: { status: step.status } };
  const ms = step.pollAt - now;
  if (ms <= 0) return HANDED_OVER;
  return { kind: 'waiting', attributes, timer: { ms, summary: UNTIL_NEXT_POLL } };
}

/**
 * The same after the poll that a signal has brought to a payment that waited: it ends, or a worker goes on.
 *
 * @param before the status of the payment while it waited
 */
export function afterPoll(before: PaymentStatus, step: PaymentStep): AfterTask {
  if (!isSettled(step) || step.pollAt !== null) return HANDED_OVER;
  return { kind: 'completed', attributes: attributesAfter(before, step), result: { status: step.status } };
}

/** The same after the operation that an update has brought. */
export function afterOperation(before: PaymentStatus, attemptId: string, made: FirstAttempt): AfterTask {
  if (made.kind === 'unrecorded') return KEEPS_RESULT;
  if (made.kind !== 'recorded' || made.step.openOperations.includes(attemptId)) return HANDED_OVER;
  return afterPoll(before, made.step);
}

function attributesAfter(before: PaymentStatus, step: PaymentStep): ReturnType<typeof statusAttributes> {
  return step.status === before ? [] : statusAttributes(step);
}

/** Nothing is left to send, to inquire or to decide, and no test clock moves. */
function isSettled({ ready, unknown, openResolutions, clock }: PaymentStep): boolean {
  const isClockUnused = clock.offsetMs === 0 && clock.target === null;
  return !ready && unknown.length === 0 && openResolutions.length === 0 && isClockUnused;
}
