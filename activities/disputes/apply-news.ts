import { applyReport, isDecided, type DisputeAnswer, type Dispute } from '../../src/domain/disputes/dispute';
import { isForFraud } from '../../src/domain/disputes/dispute-fraud';
import type { DisputeRequest } from '../../src/domain/disputes/dispute-request';
import { cardIdentity } from '../../src/domain/subscriptions/charge-guard';
import type { UnprocessedNews } from '../../src/persistence/disputes/dispute-news';
import type { DisputeRecord } from '../../src/persistence/disputes/dispute-repository';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { DisputeInput } from '../../workflows/disputes/messages';
import type { DisputeDeps } from './dispute-deps';
import { consequences, recordDispute, type DisputeRow } from './record-dispute';

/**
 * Applies what one callback reports, in one transaction: the dispute, what the payment shows of it, the ledger and the event. A
 * report that came before, or is older than what is known, changes nothing. Returns the type of the event, if there is one.
 */
export async function applyNews(
  deps: DisputeDeps,
  { transactionId, disputeId }: DisputeInput,
  news: UnprocessedNews,
): Promise<string | null> {
  return deps.db.inTransaction(async (tx) => {
    // First the payment: refunds are claimed under the same lock.
    const payment = await deps.payments.lock(tx, transactionId);
    const before = await deps.disputes.lock(tx, disputeId);
    await deps.callbacks.markProcessed([news.id], deps.now(), tx);
    const request = await deps.disputeRequests.findLast(disputeId, tx);
    const after = applyReport(before, news.report, answerOf(request));
    if (after === null) return null;
    const attempts = await deps.attempts.listByTransaction(transactionId, tx);
    const known = await deps.disputes.listByPayment(tx, payment.id);
    const row = rowOf(payment, { disputeId, attempts, before, after, news });
    return recordDispute(deps, tx, { payment, attempts, before, known }, row);
  });
}

/** Null unless the gateway has, or may have, the company's answer. */
function answerOf(request: DisputeRequest | null): DisputeAnswer | null {
  if (request === null || request.status === 'requested' || request.status === 'refused') return null;
  const { kind, status, updatedAt } = request;
  return { kind, takenAt: status === 'done' ? updatedAt : null };
}

interface Change {
  readonly disputeId: DisputeInput['disputeId'];
  readonly attempts: readonly AttemptRecord[];
  readonly before: DisputeRecord | null;
  readonly after: Dispute;
  readonly news: UnprocessedNews;
}

function rowOf(payment: PaymentRecord, change: Change): DisputeRow {
  const { disputeId: id, attempts, before, after, news } = change;
  const charge = before === null ? chargeOf(attempts, news) : null;
  return {
    id,
    companyId: payment.companyId,
    paymentId: payment.id,
    attemptId: before?.attemptId ?? charge?.id ?? news.attemptId,
    gatewaySlug: before?.gatewaySlug ?? charge?.gatewaySlug ?? missingCharge(),
    gatewayDisputeId: news.report.gatewayDisputeId,
    currency: payment.currency,
    ...after,
    openedAt: before?.openedAt ?? after.reportedAt,
    closedAt: closedAt(before, after),
    remindedFor: before?.remindedFor ?? null,
    fraudCard: isForFraud(after) ? cardOf(payment) : null,
    cardReleasedAt: before?.cardReleasedAt ?? null,
    cardReleasedBy: before?.cardReleasedBy ?? null,
    cardReleaseReason: before?.cardReleaseReason ?? null,
    subscriptionPausedAt: before?.subscriptionPausedAt ?? null,
    ...consequences(before, after, attempts),
  };
}

/** Null if it was not paid by card. */
function cardOf({ cardFingerprint, card }: PaymentRecord): string | null {
  if (cardFingerprint === null || card === null) return null;
  const { expireMonth, expireYear } = card;
  return cardIdentity({ fingerprint: cardFingerprint, expireMonth, expireYear });
}

/** A gateway reports an accepted dispute later once more, as lost. */
function closedAt(before: DisputeRecord | null, after: Dispute): Date | null {
  if (after.status === 'accepted' && before?.status === 'accepted') return before.closedAt;
  return isDecided(after) ? after.reportedAt : null;
}

/** A callback may name an operation on the charge. */
function chargeOf(attempts: readonly AttemptRecord[], { attemptId }: UnprocessedNews): AttemptRecord | null {
  const named = attempts.find(({ id }) => id === attemptId);
  const chargeId = named?.targetAttemptId ?? named?.id;
  return attempts.find(({ id }) => id === chargeId) ?? null;
}

function missingCharge(): never {
  throw new Error('a stored callback names an attempt of its payment');
}
