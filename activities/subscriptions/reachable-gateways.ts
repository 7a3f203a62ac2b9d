import type { GatewaySlug } from '../../src/domain/shared/gateway-slug';
import { isOutage } from '../../src/domain/routing/circuit';
import { candidatesFor } from '../../src/domain/routing/routing';
import { subscriptionNeeds } from '../../src/domain/routing/subscription-needs';
import {
  chain,
  type HoldReason,
  type SubscriptionState,
  type Transition,
} from '../../src/domain/subscriptions/subscription';
import { holdCycle } from '../../src/domain/subscriptions/subscription-cycle';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { SubscriptionDeps } from './subscription-deps';

/** The time of a step on the subscription's clock, and the platform gateways that its company may use. */
export interface StepTime {
  readonly at: Date;
  readonly platformSlugs: readonly GatewaySlug[];
}

/**
 * Puts a charge that a due event starts on hold if no gateway can be reached now, so that no payment is created that could only
 * fail. A charge that a person requests is sent nevertheless.
 */
export async function holdWhileUnreachable(
  deps: SubscriptionDeps,
  tx: Tx,
  subscription: SubscriptionRecord,
  started: Transition,
  step: StepTime,
): Promise<Transition> {
  const { row } = subscription;
  const { openCharge, openCycle: cycle, lastTransitionAt: at } = started.state;
  // A circuit is about a gateway in real time, and a test clock's hours pass in moments.
  if (openCharge?.kind !== 'cycle' || cycle === null || row.clockTarget !== null) return started;
  const reason = await unreachableReason(deps, tx, subscription, started.state, step);
  if (reason === null) return started;
  return chain(started, (state) => holdCycle(state, cycle, { beganAt: at, at, reason }));
}

/** Null if some gateway can be reached: no outage has opened its circuit. */
async function unreachableReason(
  deps: SubscriptionDeps,
  tx: Tx,
  { row, customer }: SubscriptionRecord,
  { plan: { currency } }: SubscriptionState,
  { platformSlugs }: StepTime,
): Promise<HoldReason | null> {
  const stored = await deps.gateways.listRoutableGateways(row.companyId, platformSlugs, tx);
  const now = deps.now();
  const { payer, billingAddress, cardApproved } = row;
  const initiator = cardApproved ? 'merchant' : 'customer';
  const needs = subscriptionNeeds({ currency, payer, customer, billingAddress, initiator });
  const candidates = candidatesFor(needs, deps.registry.routable(stored, now));
  if (candidates.length === 0) return 'not_attempted';
  return candidates.every(({ circuit }) => isOutage(circuit, now)) ? 'gateway_unavailable' : null;
}

/** The stored state, with its probe due now if the charge was released from its hold since it was last tried. */
export function releasedState({ row, state }: SubscriptionRecord, at: Date): SubscriptionState {
  const { holdCheckedAt: checkedAt, holdReleasedAt: releasedAt } = row;
  const isReleased = checkedAt !== null && releasedAt !== null && releasedAt > checkedAt;
  const { openCycle, openCharge } = state;
  const hold = openCycle?.hold ?? null;
  if (!isReleased || openCharge !== null || openCycle === null || hold === null) return state;
  return { ...state, openCycle: { ...openCycle, hold: { ...hold, nextProbeAt: at } } };
}
