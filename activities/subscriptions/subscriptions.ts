import type { Tx } from '../../src/persistence/sql/transaction';
import type { AdvanceInput, SubscriptionStep } from '../../workflows/messages';
import { processNext } from './process-subscription';
import { reportFailures } from '../shared/failures';
import type { SubscriptionDeps } from './subscription-deps';
import { finishStep } from './subscription-step';

/** Bounds a transaction: what is left to decide is decided in the next one. */
const MOST_DECISIONS = 10;

/** What a subscription's workflow can do; safe to run again after a crash at any line. */
export function createSubscriptionActivities(deps: SubscriptionDeps) {
  /**
   * Decides everything about a subscription that can be decided now, in order: how its open charge ended, what has
   * become due, what was asked for. A charge that begins is a payment in the same transaction; it is waited for.
   */
  async function advanceSubscription(input: AdvanceInput): Promise<SubscriptionStep> {
    const { companyId } = input;
    deps.failpoint('subscription-step', companyId);
    const step = await deps.db.inTransaction((tx) => advance(deps, tx, input));
    deps.failpoint('subscription-step-committed', companyId);
    return step;
  }

  return { advanceSubscription: reportFailures(deps.log)('advanceSubscription', advanceSubscription) };
}

async function advance(deps: SubscriptionDeps, tx: Tx, input: AdvanceInput): Promise<SubscriptionStep> {
  let record = await deps.subscriptions.lock(tx, input.subscriptionId);
  const offsetMs = Math.max(input.offsetMs, record.row.clockOffsetMs);
  const at = new Date(input.now + offsetMs);
  const told: string[] = [];
  for (let decisions = 0; decisions < MOST_DECISIONS; decisions += 1) {
    const decided = await processNext(deps, tx, record, at);
    if (decided === null) return finishStep(deps, tx, record, { at, offsetMs, told, more: false });
    told.push(...decided);
    record = await deps.subscriptions.lock(tx, input.subscriptionId);
  }
  return finishStep(deps, tx, record, { at, offsetMs, told, more: true });
}
