import { setTimeout as delay } from 'node:timers/promises';
import type { PaymentInput, PaymentStep } from '../../../workflows/messages';
import type { PaymentDeps } from '../payment-deps';
import { withoutCardToken } from '../gateways/card-token';
import { recordAnswerOf, sendNext, type UnrecordedAnswer } from './send-next';

/** How an attempt inside a workflow task ended. */
export type FirstAttempt =
  | { readonly kind: 'recorded'; readonly step: PaymentStep }
  /** The gateway answered and the database did not. The workflow keeps the answer until a regular activity has recorded it. */
  | { readonly kind: 'unrecorded'; readonly unrecorded: UnrecordedAnswer }
  /** Nothing was sent, because other charges of the card are in progress. */
  | { readonly kind: 'card_busy' };

/** Pauses before the answer is recorded again. Then it goes to the workflow's history, which survives this process. */
const RECORD_AGAIN_AFTER_MS = [100, 400, 1_000];

/**
 * Sends a payment's next request, mostly its first charge, and records the answer, in a local activity of a workflow task.
 * Local activities have no heartbeats and no details: all that must survive this process is in Postgres. If the task is
 * lost, another worker runs this again, and the claim of the attempt decides that it sends nothing.
 */
export async function firstAttempt(deps: PaymentDeps, input: PaymentInput): Promise<FirstAttempt> {
  deps.failpoint('first-attempt-started', input.companyId);
  try {
    const sent = await sendNext(deps, input);
    if (sent.kind === 'card_busy') return sent;
    if (sent.kind === 'nothing') return { kind: 'recorded', step: sent.step };
    return await recordOrKeep(deps, input, sent.unrecorded);
  } finally {
    deps.callers.release(input.transactionId);
  }
}

async function recordOrKeep(
  deps: PaymentDeps,
  input: PaymentInput,
  unrecorded: UnrecordedAnswer,
): Promise<FirstAttempt> {
  for (const pauseMs of [...RECORD_AGAIN_AFTER_MS, null]) {
    try {
      return { kind: 'recorded', step: await recordAnswerOf(deps, input, unrecorded) };
    } catch (error) {
      const fields = { transaction_id: input.transactionId, err: error };
      if (pauseMs === null) deps.log.error(fields, 'answer not recorded; the workflow keeps it');
      else await delay(pauseMs);
    }
  }
  return { kind: 'unrecorded', unrecorded: withoutCardToken(unrecorded) };
}
