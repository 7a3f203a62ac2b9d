import { decideAfterCharge, type ChargeDecision } from '../../src/domain/payments/charge-outcome';
import { billetExpiresAt } from '../../src/domain/payments/billet-calendar';
import { isPaidLater } from '../../src/domain/payments/payment';
import type { PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { JointChange } from '../../src/persistence/sql/joint-changes';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { Accepted } from '../../src/gateways/gateway';
import type { PaymentStep } from '../../workflows/messages';
import { toChargeAttempt, isCharge } from './attempt-predicates';
import { toChargeAttemptResult, type ChargeUpdate } from './attempt-result-mapper';
import { keepCardToken } from './gateways/card-token';
import { applyPaymentTransition, type TransitionDetails } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep, type PaymentContext } from './payment-step';

export interface ChargeContext extends PaymentContext {
  /** The attempt with its new result; `attempts` hold it as it was before. */
  readonly attempt: AttemptRecord;
  /** The change that records the result, made together with the payment's; absent if it is made already. */
  readonly result?: JointChange;
}

/** Applies the result of a charge attempt to a processing payment: it settles, fails over or stays unknown. */
export async function applyChargeResult(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts, attempt, result }: ChargeContext,
  update: ChargeUpdate,
  /** Gateway time, in ms, that the payment does not include yet. */
  requestMs: number,
): Promise<PaymentStep> {
  const current = attempts.map((other) => (other.id === attempt.id ? attempt : other));
  const decision = decide(deps, payment, attempts, attempt, update);
  if (decision.kind !== 'settle') {
    await deps.payments.addGatewayTime(tx, payment, requestMs, deps.now(), result && [result]);
    return toPaymentStep(deps, { payment, attempts: current }, attempt);
  }
  const accepted = acceptedOutcome(update);
  const fact = accepted === null ? decision.fact : chargeFact(payment, accepted, decision.fact);
  const details = { requestMs, ...deadlinesOf(payment, accepted), ...(result && { results: [result] }) };
  const next = await applyPaymentTransition(deps, tx, { payment, attempts: current }, fact, details);
  if (accepted !== null) await keepCardToken(deps, tx, next.payment, attempt, accepted);
  return toPaymentStep(deps, next, attempt);
}

/** The creation of a pix or boleto may already report a paid amount. */
function chargeFact(payment: PaymentRecord, accepted: Accepted, otherwise: PaymentFact): PaymentFact {
  const paid = accepted.paidAmountCents ?? 0;
  return isPaidLater(payment.paymentMethod) && paid > 0 ? { kind: 'paid', paidAmountCents: paid } : otherwise;
}

/** The capture deadline of an authorization, or the payment deadline of a pix or boleto. */
function deadlinesOf(payment: PaymentRecord, accepted: Accepted | null): TransitionDetails {
  if (accepted === null) return {};
  const { captureBefore, pix, billet } = accepted;
  return {
    captureBefore: captureBefore === null ? null : new Date(captureBefore),
    expiresAt: pix !== null ? new Date(pix.expiresAt) : billetExpiry(billet?.dueAt ?? payment.billetDueAt),
  };
}

function billetExpiry(dueAt: string | null): Date | null {
  return dueAt === null ? null : billetExpiresAt(dueAt);
}

/** The outcome of a charge that holds money or waits for it; null for any other update. */
export function acceptedOutcome(update: ChargeUpdate): Accepted | null {
  if (update.kind !== 'outcome') return null;
  const { outcome } = update;
  const isAccepted =
    outcome.kind === 'approved' || outcome.kind === 'authorized' || outcome.kind === 'pending';
  return isAccepted ? outcome : null;
}

function decide(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempts: readonly AttemptRecord[],
  attempt: AttemptRecord,
  update: ChargeUpdate,
): ChargeDecision {
  const earlier = attempts
    .filter((other) => isCharge(other) && other.attempt < attempt.attempt)
    .map(toChargeAttempt);
  return decideAfterCharge(
    toChargeAttemptResult(attempt, update),
    { gateway: attempt.gatewaySlug, earlier },
    {
      maxAttempts: deps.settings.maxAttempts,
      brand: payment.card?.brand ?? null,
      ageMs: deps.now().getTime() - payment.createdAt.getTime(),
    },
  );
}
