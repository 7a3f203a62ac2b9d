import { setTimeout as delay } from 'node:timers/promises';
import type { Callbacks } from './callbacks';
import type { Exchange } from './exchange';
import type { Behavior } from './scripts';
import type { PreparedWork, WorkResult } from './vendors/adapter';

/** How long a response waits for a callback that is scripted to be sent first, in ms. */
const CALLBACK_FIRST_TIMEOUT_MS = 2_000;

/** Runs a call of any vendor's protocol and answers it, with the troubles of its script. */
export async function runCall(
  prepared: PreparedWork,
  behavior: Behavior,
  exchange: Exchange,
  callbacks: Callbacks,
): Promise<void> {
  const result = await commit(prepared, behavior);
  if (behavior.drop === 'before') return exchange.drop();
  if (behavior.hang === 'before' || result === null) return exchange.hang();
  const about =
    result.dispute === undefined ? {} : ({ kind: 'chargeback', dispute: result.dispute } as const);
  const callbackFirst = behavior.callback_first === true;
  const callbackCharge = result.charge?.callbacks === true ? result.charge : null;
  if (callbackFirst && callbackCharge !== null) {
    const timeout = delay(CALLBACK_FIRST_TIMEOUT_MS, undefined, { ref: false });
    await Promise.race([callbacks.send(callbackCharge, about), timeout]);
  }
  const sent = exchange.sendAfter(result.response, behavior);
  if (!callbackFirst && callbackCharge !== null && result.announced === true) {
    void callbacks.send(callbackCharge, about);
  }
  return sent;
}

/** Null if the script keeps the request from being processed. */
async function commit(prepared: PreparedWork, behavior: Behavior): Promise<WorkResult | null> {
  try {
    if (behavior.delay_ms !== undefined) await delay(behavior.delay_ms);
    if (behavior.status !== undefined) return { response: prepared.fail(behavior.status) };
    return behavior.drop === 'before' || behavior.hang === 'before' ? null : prepared.run();
  } finally {
    // Finished before the response is sent or lost: a request that hangs without a commit is no longer in progress.
    prepared.finish();
  }
}
