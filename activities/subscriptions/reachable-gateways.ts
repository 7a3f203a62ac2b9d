import type { GatewaySlug } from '../../src/domain/shared/gateway-slug';
import { isOutage } from '../../src/domain/routing/circuit';
import { describeUnroutable } from '../../src/domain/routing/ignored-first-try';
import { candidatesFor } from '../../src/domain/routing/routing';
import { subscriptionNeeds } from '../../src/domain/routing/subscription-needs';
import {
  chain,
  type ChargeHold,
  type SubscriptionState,
  type Transition,
} from '../../src/domain/subscriptions/subscription';
import type { SubscriptionChargeResult } from '../../src/domain/subscriptions/charge-result';
import { holdCycle } from '../../src/domain/subscriptions/subscription-cycle';
import { routedCard } from '../../src/persistence/gateways/gateway-repository';
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
  const cause = await unreachableCause(deps, tx, subscription, started.state, step);
  if (cause === null) return started;
  return chain(started, (state) => holdCycle(state, cycle, { beganAt: at, at, ...cause }));
}

/** The result of a charge that no gateway was asked for, with what is in the way of all of them, if anything still is. */
export async function withObstacles(
  deps: SubscriptionDeps,
  tx: Tx,
  subscription: SubscriptionRecord,
  step: StepTime,
  result: SubscriptionChargeResult,
): Promise<SubscriptionChargeResult> {
  if (result.kind !== 'unanswered' || result.reason !== 'not_attempted') return result;
  const cause = await unreachableCause(deps, tx, subscription, subscription.state, step);
  return cause?.reason === 'not_attempted' ? { ...result, detail: cause.detail } : result;
}

/** Null if some gateway can be reached: no outage has opened its circuit. */
async function unreachableCause(
  deps: SubscriptionDeps,
  tx: Tx,
  { row, customer }: SubscriptionRecord,
  { plan: { currency } }: SubscriptionState,
  { platformSlugs }: StepTime,
): Promise<Pick<ChargeHold, 'reason' | 'detail'> | null> {
  const card = routedCard(row);
  const { gateways, hasCvv } = await deps.gateways.findRouting(row.companyId, platformSlugs, tx, card);
  const now = deps.now();
  const { payer, billingAddress, cardApproved } = row;
  const initiator = cardApproved ? 'merchant' : 'customer';
  const needs = subscriptionNeeds({ currency, payer, hasCvv, customer, billingAddress, initiator });
  const routable = deps.registries.of(row.companyId).routable(gateways, now);
  const candidates = candidatesFor(needs, routable);
  if (candidates.length === 0)
    return { reason: 'not_attempted', detail: describeUnroutable(routable, needs) };
  const isOut = candidates.every(({ circuit }) => isOutage(circuit, now));
  return isOut ? { reason: 'gateway_unavailable', detail: null } : null;
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
