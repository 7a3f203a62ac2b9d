import { newAttemptId } from '../../src/domain/shared/ids';
import { attemptReference } from '../../src/domain/payments/payment';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentStep, ResolveInput } from '../../workflows/messages';
import { applyChargeResult, toAttemptResult, notSent, type ChargeUpdate } from './apply-charge-result';
import { isOpen } from './attempt-predicates';
import { handleLateChargeResult } from './late-charge-result';
import { lockPayment } from './load-payment';
import type { PaymentDeps } from './payment-deps';
import { stepOf } from './payment-step';
import { recordResolution } from './record-resolution';

/** Where the news comes from. An inquiry that changed something is listed among the payment's operations. */
export type UpdateSource =
  | { readonly kind: 'call' }
  | { readonly kind: 'inquiry'; readonly requestMs: number }
  | { readonly kind: 'person'; readonly said: ResolveInput };

/**
 * Records what became of a charge attempt and what that means for the payment, in one transaction under the payment's
 * lock. An attempt that has a result already keeps it: the news of a worker that wakes up late changes nothing, except
 * that money it moved after all is given back.
 */
export async function recordCharge(
  deps: PaymentDeps,
  transactionId: string,
  attemptId: string,
  news: ChargeUpdate,
  source: UpdateSource,
): Promise<PaymentStep> {
  return deps.db.inTransaction(async (tx) => {
    const { payment, attempts } = await lockPayment(deps, tx, transactionId);
    const attempt = attempts.find(({ id }) => id === attemptId);
    if (attempt === undefined) throw new Error('the attempt does not exist');
    if (!isOpen(attempt)) return handleLateChargeResult(deps, tx, { payment, attempts, attempt }, news);
    if (source.kind === 'person' && !(await recordResolution(deps, tx, payment, source.said)))
      return stepOf(deps, { payment, attempts }, attempt);

    const described = toAttemptResult(deps, attempt, news);
    // The time an inquiry took is its own, not the charge's, and has been noted.
    const change = source.kind === 'inquiry' ? { ...described, requestMs: attempt.requestMs } : described;
    const spentMs = source.kind === 'call' && 'requestMs' in news ? news.requestMs : 0;
    const finished = { ...attempt, ...change };
    const inquiries =
      source.kind === 'inquiry' ? [await listInquiry(deps, tx, finished, source.requestMs)] : [];
    const situation = { payment, attempts: [...attempts, ...inquiries], attempt: finished };
    const [step] = await Promise.all([
      applyChargeResult(deps, tx, situation, news, spentMs),
      deps.attempts.finish(tx, attempt.id, change, deps.now()),
      noteTechnicalFailure(deps, tx, attempt, news),
    ]);
    return step;
  });
}

/** Lists an inquiry that changed something among the payment's operations, with what it found. */
export async function listInquiry(
  deps: PaymentDeps,
  tx: Tx,
  subject: AttemptRecord,
  requestMs: number,
): Promise<AttemptRecord> {
  const now = deps.now();
  const inquiry: AttemptRecord = {
    ...subject,
    id: newAttemptId(),
    operation: 'inquiry',
    reference: attemptReference(subject.reference.slice(0, 36), subject.attempt, 'inquiry'),
    targetAttemptId: subject.id,
    routingReason: null,
    purpose: 'charge',
    idempotencyKey: null,
    splits: null,
    reason: null,
    sealedBankAccount: null,
    tries: 1,
    notFoundCount: 0,
    requestMs,
    sentAt: now,
    createdAt: now,
    updatedAt: now,
  };
  await deps.attempts.insert(tx, inquiry);
  return inquiry;
}

/** Technical failures, and only they, count towards the gateway's circuit. */
async function noteTechnicalFailure(
  deps: PaymentDeps,
  tx: Tx,
  attempt: AttemptRecord,
  news: ChargeUpdate,
): Promise<void> {
  if (news.kind !== 'error' || notSent(news)) return;
  const { family, message } = news;
  if (family === 'unsupported' || family === 'invalid_request') return;
  if (family === 'bad_credentials') {
    const { companyId, gatewaySlug } = attempt;
    deps.log.warn({ company_id: companyId, gateway: gatewaySlug }, 'the gateway refused the credentials');
  }
  await deps.circuits.recordFailure(
    tx,
    { companyId: attempt.companyId, slug: attempt.gatewaySlug },
    {
      at: deps.now(),
      reason: family === 'bad_credentials' ? 'the gateway refused the credentials' : message,
      opensAtOnce: family === 'bad_credentials',
      openForMs: deps.settings.circuitOpenForMs,
    },
  );
}
