import { newBillingCycleId, type BillingCycleId } from '../../domain/shared/ids';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type { OpenCycle, Transition } from '../../domain/subscriptions/subscription';
import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';

/** Facts that are stored with a transition and are not part of the subscription's state. */
export interface TransitionContext {
  /** The result of the charge that this transition settles. */
  readonly charge?: SettledCharge;
  /** The new card. */
  readonly card?: CardOnFile;
  /** The new plan. */
  readonly plan?: Plan;
}

export type SettledCharge =
  | { readonly paid: true; readonly transactionId: string; readonly networkTransactionId: string | null }
  | { readonly paid: false };

/** The ids of cycles by their numbers. The domain knows only the numbers. */
export type CycleIds = ReadonlyMap<number, BillingCycleId>;

/** A transition to save, and the record it was computed from. */
export interface UnsavedTransition {
  readonly before: SubscriptionRecord;
  readonly transition: Transition;
  readonly context: TransitionContext;
  readonly cycleIds: CycleIds;
  /** Wall clock. */
  readonly now: Date;
}

/** The stored id of the cycle that was open before, and new ids for the others. */
export function assignCycleIds({ openCycle }: SubscriptionRecord, { state, closed }: Transition): CycleIds {
  const ids = new Map<number, BillingCycleId>();
  if (openCycle !== null) ids.set(openCycle.number, openCycle.id);
  const open = state.openCycle === null ? [] : [state.openCycle];
  for (const { number } of [...closed.map(({ cycle }) => cycle), ...open]) {
    if (!ids.has(number)) ids.set(number, newBillingCycleId());
  }
  return ids;
}

export function cycleIdOf(ids: CycleIds, { number }: Pick<OpenCycle, 'number'>): BillingCycleId {
  const id = ids.get(number);
  if (id === undefined) throw new Error('the cycle has no id');
  return id;
}

/** Maps the API id of a plan in the transition to its primary key. */
export function planKeys({
  before: { plan, newPlan, planChange },
  context,
}: Pick<UnsavedTransition, 'before' | 'context'>): (planId: string) => number {
  const plans = [plan, newPlan, planChange?.to, context.plan];
  return (planId) => {
    const found = plans.find((candidate) => candidate?.uuid === planId);
    if (!found) throw new Error('the plan is not part of the transition');
    return found.id;
  };
}
