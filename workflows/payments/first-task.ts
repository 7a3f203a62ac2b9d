import type { FirstAttempt } from '../../activities/payments/attempts/first-attempt';
import type { PaymentStep } from '../messages';
import { HANDED_OVER, type AfterFirstTask } from '../shared/first-task';
import { UNTIL_NEXT_POLL } from './payment-details';
import { statusAttributes } from './status-attributes';

/**
 * What the payment's workflow does after its first attempt: it ends, or waits for the next poll. Everything else it does itself, in a
 * worker. Mirrors `PaymentRun`.
 *
 * @param now the wall clock, epoch ms
 */
export function afterFirstAttempt(first: FirstAttempt, now: number): AfterFirstTask {
  if (first.kind === 'unrecorded') return { kind: 'handed_over', keepsResult: true };
  if (first.kind !== 'recorded' || !isSettled(first.step)) return HANDED_OVER;
  const { step } = first;
  const attributes = step.status === 'processing' ? [] : statusAttributes(step);
  if (step.pollAt === null) return { kind: 'completed', attributes, result: { status: step.status } };
  const ms = step.pollAt - now;
  if (ms <= 0) return HANDED_OVER;
  return { kind: 'waiting', attributes, timer: { ms, summary: UNTIL_NEXT_POLL } };
}

/** Nothing is left to send, to inquire or to decide, and no test clock moves. */
function isSettled({ ready, unknown, openResolutions, clock }: PaymentStep): boolean {
  const isClockUnused = clock.offsetMs === 0 && clock.target === null;
  return !ready && unknown.length === 0 && openResolutions.length === 0 && isClockUnused;
}
