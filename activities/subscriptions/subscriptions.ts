import type { GatewaySlug } from '../../src/domain/shared/gateway-slug';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { AdvanceInput, SubscriptionStep } from '../../workflows/messages';
import { processNext } from './process-subscription';
import { reportFailures } from '../shared/failures';
import type { SubscriptionDeps } from './subscription-deps';
import { finishStep } from './subscription-step';

/** Bounds the length of a transaction; the next step continues. */
const MAX_TRANSITIONS_PER_STEP = 10;

/** The activities of the subscription workflow. They are idempotent. */
export function createSubscriptionActivities(deps: SubscriptionDeps) {
  /**
   * Processes everything that can be processed now, in order: the result of the open charge, due events, requested
   * commands. A new charge inserts its payment in the same transaction, and processing stops until that is settled.
   */
  async function advanceSubscription(input: AdvanceInput): Promise<SubscriptionStep> {
    const { companyId } = input;
    deps.failpoint('subscription-step', companyId);
    const platformSlugs = await deps.platformSlugs(companyId);
    const step = await deps.db.inTransaction((tx) => advance(deps, tx, input, platformSlugs));
    deps.failpoint('subscription-step-committed', companyId);
    return step;
  }

  return { advanceSubscription: reportFailures(deps.log)('advanceSubscription', advanceSubscription) };
}

async function advance(
  deps: SubscriptionDeps,
  tx: Tx,
  input: AdvanceInput,
  platformSlugs: readonly GatewaySlug[],
): Promise<SubscriptionStep> {
  let record = await deps.subscriptions.lock(tx, input.subscriptionId);
  const offsetMs = Math.max(input.offsetMs, record.row.clockOffsetMs);
  const at = new Date(wallClock(deps, record, input) + offsetMs);
  const events: string[] = [];
  for (let count = 0; count < MAX_TRANSITIONS_PER_STEP; count += 1) {
    const processed = await processNext(deps, tx, record, { at, platformSlugs });
    if (processed === null) return finishStep(deps, tx, record, { at, offsetMs, events, more: false });
    events.push(...processed);
    record = await deps.subscriptions.lock(tx, input.subscriptionId);
  }
  return finishStep(deps, tx, record, { at, offsetMs, events, more: true });
}

/**
 * A step that was repeated while the database was unavailable has an old time, but its charges begin now. An advancing test
 * clock stops at each instant that the workflow has chosen.
 */
function wallClock({ now }: SubscriptionDeps, { row }: SubscriptionRecord, input: AdvanceInput): number {
  return row.clockTarget === null ? Math.max(input.now, +now()) : input.now;
}
