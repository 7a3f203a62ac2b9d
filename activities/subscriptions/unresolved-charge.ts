import { isUnresolved, unresolvedCycle } from '../../src/domain/subscriptions/charge-hold';
import { isUnanswered } from '../../src/domain/subscriptions/charge-result';
import {
  transition,
  type SubscriptionState,
  type Transition,
} from '../../src/domain/subscriptions/subscription';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { SubscriptionRecord } from '../../src/persistence/subscriptions/subscription-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import { isCharge } from '../payments/attempt-predicates';
import type { SubscriptionDeps } from './subscription-deps';

/** An advancing test clock waits for a probe this long at least, because most gateways answer at once. */
const PROBE_CHECK_MS = 500;

type Deps = Pick<SubscriptionDeps, 'attempts' | 'subscriptionSettings' | 'now'>;

/**
 * Puts the open charge on hold if its gateway does not report the outcome: a probe as soon as it is known not to be answered,
 * another charge after a while. Null if it is not on hold by that, or was already.
 */
export async function holdUnresolved(
  deps: Deps,
  tx: Tx,
  { state }: SubscriptionRecord,
  payment: PaymentRecord,
): Promise<Transition | null> {
  const { openCycle: cycle } = state;
  if (cycle === null || !canBeUnresolved(state)) return null;
  const isProbe = cycle.hold !== null;
  if (!isProbe && ageMs(deps, payment) < deps.subscriptionSettings.unresolvedAfterMs) return null;
  const attempts = await deps.attempts.listByPayment(payment.id, tx);
  const isUnansweredNow = attempts.some(
    (attempt) => isCharge(attempt) && isUnanswered(attempt) && !(isProbe && attempt.status === 'sent'),
  );
  if (!isUnansweredNow) return null;
  return transition({ ...state, openCycle: unresolvedCycle(cycle, state.lastTransitionAt) });
}

/** When the open charge should be checked next because `holdUnresolved` may apply, in ms from now; null if it cannot. */
export function unresolvedCheckMs(
  deps: Deps,
  state: SubscriptionState,
  payment: PaymentRecord,
  isAdvancing: boolean,
): number | null {
  if (state.openCycle === null || !canBeUnresolved(state)) return null;
  if (state.openCycle.hold !== null)
    return isAdvancing ? Math.max(PROBE_CHECK_MS, ageMs(deps, payment)) : null;
  const leftMs = deps.subscriptionSettings.unresolvedAfterMs - ageMs(deps, payment);
  return leftMs > 0 ? leftMs : null;
}

/** First charges and plan changes are never on hold. */
function canBeUnresolved(state: SubscriptionState): boolean {
  return state.openCharge?.kind === 'cycle' && state.status !== 'pending' && !isUnresolved(state);
}

function ageMs({ now }: Deps, { createdAt }: PaymentRecord): number {
  return +now() - +createdAt;
}
