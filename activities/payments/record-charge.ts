import { isOutdatedAnswer } from '../../src/domain/payments/repeated-charge';
import { CREDENTIALS_REJECTED } from '../../src/domain/routing/circuit';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { ManualResolutionRecord } from '../../src/persistence/payments/manual-resolution-repository';
import type { PaymentStep } from '../../workflows/messages';
import { acceptedOutcome, applyChargeResult } from './apply-charge-result';
import { awaitsOperator, isOpen, type SentAttempt } from './attempt-predicates';
import { isNotSentLocally, toAttemptResult, type ChargeUpdate } from './attempt-result-mapper';
import { forgetRefusedCardToken } from './gateways/card-token';
import { handleLateChargeResult } from './late-charge-result';
import { listInquiry } from './list-inquiry';
import { lockPayment } from './load-payment';
import type { PaymentDeps } from './payment-deps';
import { toPaymentStep } from './payment-step';
import { recordResolution } from './record-resolution';

/** Where an update comes from. An inquiry that changed something is listed among the payment's attempts. */
export type UpdateSource =
  | { readonly kind: 'call' }
  | { readonly kind: 'inquiry'; readonly requestMs: number }
  | { readonly kind: 'operator'; readonly resolution: ManualResolutionRecord };

/**
 * Records the result of a charge attempt and applies it to the payment, in one transaction under the payment's lock.
 * A recorded result is never overwritten: a late result of a slow worker changes nothing, except that a charge that
 * succeeded after all is adopted or reversed. An update about an earlier sending says nothing final.
 */
export async function recordCharge(
  deps: PaymentDeps,
  transactionId: string,
  sent: SentAttempt,
  update: ChargeUpdate,
  source: UpdateSource,
): Promise<PaymentStep> {
  return deps.db.inTransaction(async (tx) => {
    const { payment, attempts } = await lockPayment(deps, tx, transactionId);
    const attempt = attempts.find(({ id }) => id === sent.id);
    if (attempt === undefined) throw new Error('the attempt does not exist');
    if (source.kind === 'operator' && !awaitsOperator(attempt))
      return toPaymentStep(deps, { payment, attempts }, attempt);
    if (!isOpen(attempt)) return handleLateChargeResult(deps, tx, { payment, attempts, attempt }, update);
    if (isOutdated(sent, attempt, update)) return toPaymentStep(deps, { payment, attempts }, attempt);
    if (source.kind === 'operator' && !(await recordResolution(deps, tx, payment, source.resolution)))
      return toPaymentStep(deps, { payment, attempts }, attempt);

    const result = toAttemptResult(deps, payment, attempt, update);
    // The duration of an inquiry is recorded on its own row and was already added to the payment.
    const change = source.kind === 'inquiry' ? { ...result, requestMs: attempt.requestMs } : result;
    const unrecordedMs = source.kind === 'call' && 'requestMs' in update ? update.requestMs : 0;
    const finished = { ...attempt, ...change };
    const inquiries =
      source.kind === 'inquiry' ? [await listInquiry(deps, tx, finished, source.requestMs)] : [];
    const recorded = deps.attempts.recordedResult(attempt.id, change, deps.now());
    const context = { payment, attempts: [...attempts, ...inquiries], attempt: finished, result: recorded };
    await recordTechnicalFailure(deps, tx, attempt, update);
    await forgetRefusedCardToken(deps, tx, payment, attempt, update);
    return applyChargeResult(deps, tx, context, update, unrecordedMs);
  });
}

/** An operator's confirmation is about the charge, not about one sending. */
function isOutdated(sent: SentAttempt, attempt: AttemptRecord, update: ChargeUpdate): boolean {
  const succeeded = update.kind === 'confirmed' || acceptedOutcome(update) !== null;
  return isOutdatedAnswer(sent.sendCount, attempt.sendCount, succeeded);
}

/** Only technical failures count towards the gateway's circuit. */
async function recordTechnicalFailure(
  deps: PaymentDeps,
  tx: Tx,
  attempt: AttemptRecord,
  update: ChargeUpdate,
): Promise<void> {
  if (update.kind !== 'error' || isNotSentLocally(update)) return;
  const { family, message } = update;
  if (family === 'unsupported' || family === 'invalid_request') return;
  if (family === 'bad_credentials') {
    const { companyId, gatewaySlug } = attempt;
    deps.log.warn({ company_id: companyId, gateway: gatewaySlug }, 'gateway rejected the credentials');
  }
  await deps.circuits.recordFailure(
    tx,
    { companyId: attempt.companyId, slug: attempt.gatewaySlug },
    {
      at: deps.now(),
      reason: family === 'bad_credentials' ? CREDENTIALS_REJECTED : message,
      opensAtOnce: family === 'bad_credentials',
      openForMs: deps.settings.circuitOpenForMs,
    },
  );
}
