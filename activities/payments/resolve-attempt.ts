import type { PaymentFact } from '../../src/domain/payments/payment-lifecycle';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { PaymentStep, Resolution, ResolveInput } from '../../workflows/messages';
import { isCharge, isOpen } from './attempt-predicates';
import { loadPayment, lockPayment } from './load-payment';
import { applyPaymentTransition } from './apply-payment-transition';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep } from './payment-step';
import { recordResolution } from './record-resolution';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** Applies an operator's resolution to an attempt. */
export async function resolveAttempt(deps: PaymentDeps, input: ResolveInput): Promise<PaymentStep> {
  const { transactionId, attemptId, resolution } = input;
  const { attempts } = await loadPayment(deps, transactionId);
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error('the attempt does not exist');
  if (attempt.status === 'pending') return resolvePending(deps, input);
  const message = `resolved by an operator as ${resolution.outcome}: ${resolution.reason}`;
  const { outcome, gatewayTransactionId } = resolution;
  const update =
    outcome === 'paid'
      ? ({ kind: 'confirmed', message, gatewayTransactionId } as const)
      : ({ kind: 'absent', message } as const);
  const source = { kind: 'operator', input } as const;
  return isCharge(attempt)
    ? recordCharge(deps, transactionId, attemptId, update, source)
    : recordOperation(deps, transactionId, attempt, update, source);
}

/**
 * Resolves an expired pix or boleto. If it is partly paid, the operator can only accept that amount. If inquiries are
 * inconclusive, the operator decides whether it was paid.
 */
async function resolvePending(deps: PaymentDeps, input: ResolveInput): Promise<PaymentStep> {
  return deps.db.inTransaction(async (tx) => {
    const context = await lockPayment(deps, tx, input.transactionId);
    const { payment, attempts } = context;
    const fact = isPending(attempts, input) ? factOf(payment, input.resolution) : null;
    if (fact === null || !(await recordResolution(deps, tx, payment, input)))
      return toPaymentStep(deps, context);
    return toPaymentStep(deps, await applyPaymentTransition(deps, tx, context, fact));
  });
}

/** Restarts the inquiry schedule of an attempt, as an operator requested. */
export async function restartInquirySchedule(deps: PaymentDeps, input: ResolveInput): Promise<void> {
  await deps.db.inTransaction(async (tx) => {
    const { payment, attempts } = await lockPayment(deps, tx, input.transactionId);
    const isUnknown = attempts.some((attempt) => attempt.id === input.attemptId && isOpen(attempt));
    const isWaiting = isUnknown || isPending(attempts, input);
    if (isWaiting && (await recordResolution(deps, tx, payment, input)))
      await deps.payments.markStuck(input.transactionId, null, deps.now(), tx);
  });
}

function isPending(attempts: readonly AttemptRecord[], { attemptId }: ResolveInput): boolean {
  return attempts.some(({ id, status }) => id === attemptId && status === 'pending');
}

function factOf(
  { paidAmountCents, amountCents }: PaymentRecord,
  { outcome }: Resolution,
): PaymentFact | null {
  const isPartlyPaid = (paidAmountCents ?? 0) > 0;
  if (outcome === 'paid')
    return isPartlyPaid ? { kind: 'accepted' } : { kind: 'paid', paidAmountCents: amountCents };
  return isPartlyPaid ? null : { kind: 'expired' };
}
