import type { DisputeInput } from '../../workflows/disputes/messages';
import type { DisputeDeps } from './dispute-deps';
import { publishDispute } from './publish-dispute';

/** Publishes that the evidence is due soon, once for each due date. Null if that is no longer so. */
export async function remind(
  deps: DisputeDeps,
  { transactionId, disputeId }: DisputeInput,
): Promise<'transaction.dispute.evidence_due' | null> {
  return deps.db.inTransaction(async (tx) => {
    const payment = await deps.payments.lock(tx, transactionId);
    const dispute = await deps.disputes.lock(tx, disputeId);
    if (dispute === null || dispute.status !== 'opened' || dispute.evidenceDueAt === null) return null;
    if (dispute.remindedFor?.getTime() === dispute.evidenceDueAt.getTime()) return null;
    const type = 'transaction.dispute.evidence_due';
    const sequence = dispute.eventSequence + 1;
    await publishDispute(deps, tx, { payment, dispute, type, sequence }, [deps.disputes.reminded(dispute)]);
    return type;
  });
}
