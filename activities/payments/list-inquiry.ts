import { newAttemptId } from '../../src/domain/shared/ids';
import { attemptReference } from '../../src/domain/payments/payment';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { Tx } from '../../src/persistence/sql/transaction';
import type { PaymentDeps } from './payment-deps';

/**
 * Adds an inquiry that changed something, or that contradicts the records, to the payment's attempts. Its result is the
 * subject's, unless `result` says otherwise.
 */
export async function listInquiry(
  deps: PaymentDeps,
  tx: Tx,
  subject: AttemptRecord,
  requestMs: number,
  result: Partial<AttemptRecord> = {},
): Promise<AttemptRecord> {
  const inquiry = newInquiry(deps, subject, requestMs, result);
  await deps.attempts.insert(tx, inquiry);
  return inquiry;
}

/** The inquiry to add. */
export function newInquiry(
  deps: Pick<PaymentDeps, 'now'>,
  subject: AttemptRecord,
  requestMs: number,
  result: Partial<AttemptRecord> = {},
): AttemptRecord {
  const now = deps.now();
  return {
    ...subject,
    id: newAttemptId(),
    operation: 'inquiry',
    reference: attemptReference(subject.reference.slice(0, 36), subject.attempt, 'inquiry'),
    targetAttemptId: subject.id,
    routingReason: null,
    routingRule: null,
    routingReasons: null,
    purpose: 'charge',
    idempotencyKey: null,
    splits: null,
    reason: null,
    sealedBankAccount: null,
    sendCount: 1,
    notFoundCount: 0,
    // What an operator may or did resolve is the subject, not the inquiry.
    escalatedAt: null,
    openResolutionId: null,
    awaitedSince: null,
    requestMs,
    sentAt: now,
    createdAt: now,
    updatedAt: now,
    ...result,
  };
}
