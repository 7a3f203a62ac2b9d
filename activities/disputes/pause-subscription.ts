import { pausesSubscription } from '../../src/domain/disputes/dispute-fraud';
import { pauseCommandOf } from '../../src/domain/shared/ids';
import type { NewSubscriptionCommand } from '../../src/persistence/subscriptions/subscription-command-repository';
import type { DisputeInput } from '../../workflows/disputes/messages';
import type { DisputeDeps } from './dispute-deps';

/**
 * Tells the subscription whose charge is disputed to pause, once for each dispute, if the company wants that. The command is a row
 * with the mark on the dispute, in one transaction; its id is derived from the dispute's. Somebody who resumes the subscription
 * afterwards has the last word.
 */
export async function pauseSubscription(
  deps: DisputeDeps,
  { transactionId, disputeId, companyId }: DisputeInput,
): Promise<void> {
  const dispute = await deps.disputes.find(disputeId);
  if (dispute === null || dispute.subscriptionPausedAt !== null) return;
  const { pauseSubscription: from } = await deps.companyConfigs.get(companyId);
  if (!pausesSubscription(dispute, from)) return;
  const { subscriptionId } = await deps.payments.get(transactionId);
  if (subscriptionId === null) return;
  const { wakeSubscription } = deps;
  await deps.db.inTransaction(async (tx) => {
    const now = deps.now();
    // Before the dispute: the steps of a subscription lock it first, too.
    const { row, state } = await deps.subscriptions.lock(tx, subscriptionId);
    if (!(await deps.disputes.markSubscriptionPaused(tx, disputeId, now))) return;
    if (state.status === 'canceled') return;
    const { id: subscription, customerKey } = row;
    const command: NewSubscriptionCommand = {
      ...{ id: pauseCommandOf(disputeId), subscriptionId: subscription, companyId, customerKey },
      command: { kind: 'pause', until: null },
      idempotencyKey: null,
      // By the subscription's clock.
      requestedAt: new Date(+now + row.clockOffsetMs),
    };
    await deps.subscriptionCommands.insert(tx, command, now);
    const toWake = await deps.subscriptions.requestWake(tx, subscriptionId, now);
    if (wakeSubscription !== null) tx.afterCommit(() => wakeSubscription(toWake));
  });
}
