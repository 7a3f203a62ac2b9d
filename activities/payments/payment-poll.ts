import type { UnprocessedCallback } from '../../src/persistence/payments/gateway-callback-repository';
import type { PollInput } from '../../workflows/messages';
import type { PaymentSettings } from './payment-deps';
import type { PaymentContext } from './payment-step';

/** One poll of a payment, with the callbacks that are not processed yet. */
export interface PaymentPoll extends PaymentContext {
  readonly input: PollInput;
  readonly callbacks: readonly UnprocessedCallback[];
}

/** A callback is dropped when its gateway stays inconclusive about the charge for this long. */
const DROP_CALLBACK_AFTER_MS = 7 * 24 * 60 * 60 * 1000;

export function isDropped({ receivedAt }: UnprocessedCallback, now: Date): boolean {
  return now.getTime() - receivedAt.getTime() > DROP_CALLBACK_AFTER_MS;
}

/** Whether an unsigned callback may trigger an inquiry now. Anybody can send one, so the interval is limited. */
export function mayFollowHints({ payment, input }: PaymentPoll, { hintPauseMs }: PaymentSettings): boolean {
  return payment.lastPolledAt === null || input.at - payment.lastPolledAt.getTime() >= hintPauseMs;
}
