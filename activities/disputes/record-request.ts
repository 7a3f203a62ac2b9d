import { applyAnswer } from '../../src/domain/disputes/dispute';
import type { DisputeRequest } from '../../src/domain/disputes/dispute-request';
import type { DisputeInput } from '../../workflows/disputes/messages';
import type { DisputeDeps } from './dispute-deps';
import { consequences, recordDispute } from './record-dispute';

/**
 * Records that the gateway took the company's answer, in one transaction. What the gateway has reported meanwhile stays.
 * Returns the type of the event, if there is one.
 */
export async function recordRequest(
  deps: DisputeDeps,
  { transactionId, disputeId }: DisputeInput,
  { id, kind }: Pick<DisputeRequest, 'id' | 'kind'>,
): Promise<string | null> {
  return deps.db.inTransaction(async (tx) => {
    const payment = await deps.payments.lock(tx, transactionId);
    const before = await deps.disputes.lock(tx, disputeId);
    const now = deps.now();
    const isNews = await deps.disputeRequests.close({ id, status: 'done', message: null }, now, tx);
    const after = before === null || !isNews ? null : applyAnswer(before, kind);
    if (before === null || after === null) return null;
    const attempts = await deps.attempts.listByTransaction(transactionId, tx);
    const known = await deps.disputes.listByPayment(tx, payment.id);
    const closedAt = kind === 'accept' ? now : null;
    const row = { ...before, ...after, closedAt, ...consequences(before, after, attempts) };
    return recordDispute(deps, tx, { payment, attempts, before, known }, row);
  });
}

/** Records that the answer had no effect. The evidence of a submission is drafts again. */
export async function refuseRequest(
  deps: DisputeDeps,
  { id }: Pick<DisputeRequest, 'id'>,
  message: string,
): Promise<null> {
  return deps.db.inTransaction(async (tx) => {
    const isNews = await deps.disputeRequests.close({ id, status: 'refused', message }, deps.now(), tx);
    if (isNews) await deps.disputeEvidence.release(tx, id);
    return null;
  });
}
