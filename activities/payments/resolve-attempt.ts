import type { PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { PaymentStep, Resolution, ResolveInput } from '../../workflows/messages';
import { isCharge, isOpen } from './attempt-predicates';
import { loadPayment, lockPayment } from './load-payment';
import { applyPaymentTransition } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { stepOf } from './payment-step';
import { recordResolution } from './record-resolution';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** Takes a person's word for what became of an attempt. */
export async function resolveAttempt(deps: PaymentDeps, input: ResolveInput): Promise<PaymentStep> {
  const { transactionId, attemptId, resolution } = input;
  const { attempts } = await loadPayment(deps, transactionId);
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error('the attempt does not exist');
  if (attempt.status === 'pending') return resolvePending(deps, input);
  const message = `resolved by a person as ${resolution.outcome}: ${resolution.reason}`;
  const { outcome, gatewayTransactionId } = resolution;
  const news =
    outcome === 'paid'
      ? ({ kind: 'confirmed', message, gatewayTransactionId } as const)
      : ({ kind: 'absent', message } as const);
  const source = { kind: 'person', said: input } as const;
  return isCharge(attempt)
    ? recordCharge(deps, transactionId, attemptId, news, source)
    : recordOperation(deps, transactionId, attempt, news, source);
}

/**
 * A pix or billet whose time is over. Of one that was paid in part a person may take that for the whole, and nothing
 * else is theirs to say of money that came; of one whose gateway does not tell, whether it was paid.
 */
async function resolvePending(deps: PaymentDeps, said: ResolveInput): Promise<PaymentStep> {
  return deps.db.inTransaction(async (tx) => {
    const situation = await lockPayment(deps, tx, said.transactionId);
    const { payment, attempts } = situation;
    const fact = isPending(attempts, said) ? factOf(payment, said.resolution) : null;
    if (fact === null || !(await recordResolution(deps, tx, payment, said))) return stepOf(deps, situation);
    return stepOf(deps, await applyPaymentTransition(deps, tx, situation, fact));
  });
}

/** Has the gateway asked again, from the beginning, as a person wished. */
export async function restartInquirySchedule(deps: PaymentDeps, said: ResolveInput): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const { payment, attempts } = await lockPayment(deps, tx, said.transactionId);
    const lost = attempts.some((attempt) => attempt.id === said.attemptId && isOpen(attempt));
    const waits = lost || isPending(attempts, said);
    if (waits && (await recordResolution(deps, tx, payment, said)))
      await deps.payments.markStuck(said.transactionId, null, deps.now(), tx);
  });
}

function isPending(attempts: readonly AttemptRecord[], { attemptId }: ResolveInput): boolean {
  return attempts.some(({ id, status }) => id === attemptId && status === 'pending');
}

function factOf(
  { paidAmountCents, amountCents }: PaymentRecord,
  { outcome }: Resolution,
): PaymentFact | null {
  const isPart = (paidAmountCents ?? 0) > 0;
  if (outcome === 'paid')
    return isPart ? { kind: 'accepted' } : { kind: 'paid', paidAmountCents: amountCents };
  return isPart ? null : { kind: 'expired' };
}
