import type { DisputeEvent } from '../../src/domain/webhooks/webhook-event';
import type { DisputeRecord } from '../../src/persistence/disputes/dispute-repository';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { JointChange } from '../../src/persistence/sql/joint-changes';
import type { Tx } from '../../src/persistence/sql/transaction';
import { presentDispute } from '../../src/presenters/disputes/dispute';
import type { DisputeDeps } from './dispute-deps';

interface DisputePublication {
  readonly payment: PaymentRecord;
  readonly dispute: Omit<DisputeRecord, 'createdAt' | 'updatedAt' | 'recoverAfter'>;
  readonly type: DisputeEvent;
  readonly sequence: number;
}

/** Publishes an event about a dispute with the changes that it reports, by one statement. */
export async function publishDispute(
  deps: DisputeDeps,
  tx: Tx,
  { payment, dispute, type, sequence }: DisputePublication,
  changes: readonly JointChange[],
): Promise<void> {
  const now = deps.now();
  const lastRequest = await deps.disputeRequests.findLast(dispute.id, tx);
  const event = {
    companyId: payment.companyId,
    subject: { type: 'dispute', id: dispute.id },
    sequence,
    type,
    content: presentDispute({ ...payment, ...dispute, lastRequest, updatedAt: now }),
    personal: null,
    createdAt: now,
  } as const;
  const created = await deps.events.publish(tx, event, { changes });
  // If the process crashes before this runs, the sweeper starts the deliveries.
  if (created.length > 0) tx.afterCommit(() => deps.startDeliveries(created));
}
