import { applyAcceptance } from '../../src/domain/disputes/dispute';
import type { DisputeInput } from '../../workflows/disputes/messages';
import type { DisputeDeps } from './dispute-deps';
import { consequences, recordDispute } from './record-dispute';

/**
 * Records that the gateway took the company's acceptance, in one transaction. What the gateway has reported meanwhile stays.
 * Returns the type of the event, if there is one.
 */
export async function recordAcceptance(
  deps: DisputeDeps,
  { transactionId, disputeId }: DisputeInput,
  requestId: string,
): Promise<string | null> {
  return deps.db.inTransaction(async (tx) => {
    const payment = await deps.payments.lock(tx, transactionId);
    const before = await deps.disputes.lock(tx, disputeId);
    const now = deps.now();
    const isNews = await deps.disputeRequests.close(
      { id: requestId, status: 'done', message: null },
      now,
      tx,
    );
    const after = before === null || !isNews ? null : applyAcceptance(before);
    if (before === null || after === null) return null;
    const attempts = await deps.attempts.listByTransaction(transactionId, tx);
    const known = await deps.disputes.listByPayment(tx, payment.id);
    const row = { ...before, ...after, closedAt: now, ...consequences(before, after, attempts) };
    return recordDispute(deps, tx, { payment, attempts, before, known }, row);
  });
}
