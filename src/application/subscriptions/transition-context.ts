import type { DeclineClass } from '../../domain/payments/decline';
import type { NetworkIds } from '../../domain/shared/charge-initiation';
import { newBillingCycleId, type BillingCycleId } from '../../domain/shared/ids';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type { OpenCycle, SubscriptionState, Transition } from '../../domain/subscriptions/subscription';
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

export type SettledCharge = { readonly transactionId: string } & (
  | { readonly paid: true; readonly networkIds: NetworkIds | null }
  | { readonly paid: false; readonly decline: ChargeDecline }
);

/** Why a charge failed, as shown in events. */
export interface ChargeDecline {
  /** The issuer's response code, or the payment's code if no issuer declined it. */
  readonly code: string | null;
  readonly type: DeclineClass | null;
  readonly message: string;
}

/** The ids of a transition's cycles. The domain knows only their kinds and numbers, which differ within a transition. */
export type CycleIds = ReadonlyMap<string, BillingCycleId>;

/** A transition to save, and the record it was computed from. */
export interface UnsavedTransition {
  readonly before: SubscriptionRecord;
  readonly transition: Transition;
  readonly context: TransitionContext;
  readonly cycleIds: CycleIds;
  /** Wall clock. */
  readonly now: Date;
}

/** The stored ids of the cycles that were open before, and new ids for the others. */
export function assignCycleIds(
  { openCycle, openChange }: SubscriptionRecord,
  { state, closed }: Transition,
): CycleIds {
  const ids = new Map<string, BillingCycleId>();
  for (const row of [openCycle, openChange?.cycle]) if (row) ids.set(keyOf(row), row.id);
  for (const cycle of [...closed.map((one) => one.cycle), ...openCyclesOf(state)]) {
    if (!ids.has(keyOf(cycle))) ids.set(keyOf(cycle), newBillingCycleId());
  }
  return ids;
}

/** The unpaid cycle, and the one of a plan change that is being charged. */
export function openCyclesOf({ openCycle, openCharge }: SubscriptionState): OpenCycle[] {
  const ofChange = openCharge?.kind === 'plan_change' ? [openCharge.cycle] : [];
  return openCycle === null ? ofChange : [openCycle, ...ofChange];
}

export function cycleIdOf(ids: CycleIds, cycle: Pick<OpenCycle, 'kind' | 'number'>): BillingCycleId {
  const id = ids.get(keyOf(cycle));
  if (id === undefined) throw new Error('the cycle has no id');
  return id;
}

function keyOf({ kind, number }: Pick<OpenCycle, 'kind' | 'number'>): string {
  return `${kind} ${number}`;
}

/** Maps the API id of a plan in the transition to its primary key. */
export function planKeys({
  before: { plan, newPlan, openChange },
  context,
}: Pick<UnsavedTransition, 'before' | 'context'>): (planId: string) => number {
  const plans = [plan, newPlan, openChange?.to, context.plan];
  return (planId) => {
    const found = plans.find((candidate) => candidate?.uuid === planId);
    if (!found) throw new Error('the plan is not part of the transition');
    return found.id;
  };
}
