import {
  transition,
  type PlanChange,
  type PlanTerms,
  type SubscriptionEvent,
  type SubscriptionState,
  type Transition,
} from './subscription';

/** Applies the planned plan change. A cancellation at the end of the period comes first, so that it never gets here. */
export function applyPlannedChange(state: SubscriptionState): Transition {
  const { plannedChange } = state;
  if (plannedChange === null) return transition(state);
  const event = planChangedEvent(plannedChange, { immediately: false, executed: true });
  return transition({ ...state, plan: plannedChange.to, plannedChange: null }, [event]);
}

/** The event of a planned change that another command revokes or replaces; none if no change is planned. */
export function withdrawnEvents({ plannedChange }: SubscriptionState): SubscriptionEvent[] {
  if (plannedChange === null) return [];
  const { to, changeType } = plannedChange;
  return [{ type: 'subscription.plan_change_withdrawn', newPlanId: to.planId, changeType }];
}

export function planChangedEvent(
  { to, changeType }: PlanChange,
  timing: { readonly immediately: boolean; readonly executed: boolean },
): SubscriptionEvent {
  return { type: 'subscription.plan_changed', newPlanId: to.planId, changeType, ...timing };
}

/** Whether both plans are charged equally often. */
export function hasSameInterval(a: PlanTerms, b: PlanTerms): boolean {
  return a.interval === b.interval && a.intervalCount === b.intervalCount;
}
