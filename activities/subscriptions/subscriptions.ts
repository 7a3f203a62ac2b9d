import type { GatewaySlug } from '../../src/domain/shared/gateway-slug';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { AdvanceInput, SubscriptionStep } from '../../workflows/subscriptions/messages';
import { nextDue } from '../../src/domain/subscriptions/subscription-due';
import { processNext, type Processed } from './process-subscription';
import { waitForRestore } from '../shared/wait-for-restore';
import { reportFailures } from '../shared/failures';
import type { SubscriptionDeps } from './subscription-deps';
import type { PaymentDeps } from '../payments/payment-deps';
import { charge } from './charge-in-step';
import { finishStep, toStart, type StoredStep } from './subscription-step';

/** Bounds the length of a transaction; the next step continues. */
const MAX_TRANSITIONS_PER_STEP = 10;

/** The activities of the subscription workflow. They are idempotent. */
export function createSubscriptionActivities(deps: PaymentDeps & SubscriptionDeps) {
  /**
   * Processes everything that can be processed now, in order: the result of the open charge, due events, requested
   * commands. A new charge inserts its payment in the same transaction. Once that is committed, the first attempt is made
   * here, and its result is processed as well. Whatever does not settle it is left to the payment's workflow. If this process
   * dies at any line, the next step finds in Postgres how far this one came.
   */
  async function advanceSubscription(input: AdvanceInput): Promise<SubscriptionStep> {
    waitForRestore(deps.restoreState);
    const { companyId } = input;
    deps.failpoint('subscription-step', companyId);
    const platformSlugs = await deps.platformSlugs(companyId);
    const advanceOnce = () => deps.db.inTransaction((tx) => advance(deps, tx, input, platformSlugs));
    const { step, openPayment } = await advanceOnce();
    deps.failpoint('subscription-step-committed', companyId);
    const { awaited = [] } = input;
    if (openPayment === null || !(await charge(deps, openPayment))) return { ...step, awaited };
    const settled = await advanceOnce();
    deps.failpoint('subscription-charge-settled', companyId);
    // The next charge of the same step, for example of a command that waited for this one.
    if (settled.openPayment?.attempts === 0) deps.startPayment(toStart(settled.openPayment));
    return { ...settled.step, events: [...step.events, ...settled.step.events], awaited };
  }

  return { advanceSubscription: reportFailures(deps.log)('advanceSubscription', advanceSubscription) };
}

async function advance(
  deps: SubscriptionDeps,
  tx: Tx,
  input: AdvanceInput,
  platformSlugs: readonly GatewaySlug[],
): Promise<StoredStep> {
  let record = await deps.subscriptions.lock(tx, input.subscriptionId);
  const offsetMs = Math.max(input.offsetMs, record.row.clockOffsetMs);
  const at = new Date(wallClock(deps, record, input) + offsetMs);
  const events: string[] = [];
  for (let count = 0; count < MAX_TRANSITIONS_PER_STEP; count += 1) {
    const processed = await processNext(deps, tx, record, { at, platformSlugs });
    if (processed === null) return finishStep(deps, tx, record, { at, offsetMs, events, more: false });
    events.push(...processed.events);
    const { payment, state } = processed;
    if (isLast(processed, record, at)) {
      const outcome = { at, offsetMs, events, more: false, payment };
      return finishStep(deps, tx, { ...record, state }, outcome);
    }
    record = await deps.subscriptions.lock(tx, input.subscriptionId);
  }
  return finishStep(deps, tx, record, { at, offsetMs, events, more: true });
}

/** Whether it is certain without reading the subscription again that nothing is left to process. */
function isLast({ state }: Processed, { commands }: SubscriptionRecord, at: Date): boolean {
  const due = nextDue(state);
  const isDue = due !== null && due.at <= at;
  // One on hold may have been released.
  const isOnHold = (state.openCycle?.hold ?? null) !== null && state.openCharge === null;
  return commands.length === 0 && !isDue && !isOnHold;
}

/**
 * A step that was repeated while the database was unavailable has an old time, but its charges begin now. An advancing test
 * clock stops at each instant that the workflow has chosen.
 */
function wallClock({ now }: SubscriptionDeps, { row }: SubscriptionRecord, input: AdvanceInput): number {
  return row.clockTarget === null ? Math.max(input.now, +now()) : input.now;
}
