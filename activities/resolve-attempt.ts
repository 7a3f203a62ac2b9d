import type { PaymentFact } from '../src/domain/payment-lifecycle';
import type { PaymentRecord } from '../src/persistence/payment-repository';
import type { PaymentStep, Resolution, ResolveInput } from '../workflows/messages';
import { isCharge } from './attempt-kind';
import { movePayment } from './move-payment';
import type { PaymentDeps } from './payment-deps';
import { stepOf } from './payment-step';
import { recordCharge } from './record-charge';
import { recordOperation } from './record-operation';

/** Takes a person's word for what became of an attempt. */
export async function resolveAttempt(deps: PaymentDeps, input: ResolveInput): Promise<PaymentStep> {
  const { transactionId, attemptId, resolution } = input;
  const payment = await deps.payments.get(transactionId);
  const attempts = await deps.attempts.ofPayment(payment.id);
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error('the attempt does not exist');
  if (attempt.status === 'pending') return resolvePending(deps, input);
  const message = `resolved by a person as ${resolution.outcome}: ${resolution.reason}`;
  const { outcome, gatewayTransactionId } = resolution;
  const news =
    outcome === 'paid'
      ? ({ kind: 'confirmed', message, gatewayTransactionId } as const)
      : ({ kind: 'absent', message } as const);
  const source = { kind: 'person' } as const;
  return isCharge(attempt)
    ? recordCharge(deps, transactionId, attemptId, news, source)
    : recordOperation(deps, transactionId, attempt, news, source);
}

/**
 * A pix or billet whose time is over. Of one that was paid in part a person may take that for the whole, and nothing
 * else is theirs to say of money that came; of one whose gateway does not tell, whether it was paid.
 */
async function resolvePending(
  deps: PaymentDeps,
  { transactionId, resolution }: ResolveInput,
): Promise<PaymentStep> {
  return deps.db.inTransaction(async (tx) => {
    const payment = await deps.payments.lock(tx, transactionId);
    const attempts = await deps.attempts.ofPayment(payment.id, tx);
    const fact = factOf(payment, resolution);
    if (fact === null) return stepOf(deps, { payment, attempts });
    const moved = await movePayment(deps, tx, { payment, attempts }, fact);
    return stepOf(deps, moved);
  });
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
