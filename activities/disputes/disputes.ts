import { disputePauseMs, reminderAt } from '../../src/domain/disputes/dispute-deadline';
import type { DisputeRecord } from '../../src/persistence/disputes/dispute-repository';
import type { DisputeInput, DisputeStep } from '../../workflows/disputes/messages';
import { reportFailures } from '../shared/failures';
import { withHeartbeat } from '../shared/heartbeat';
import { applyNews } from './apply-news';
import type { DisputeDeps } from './dispute-deps';
import { pauseSubscription } from './pause-subscription';
import { remind } from './remind';
import { advanceRequest } from './send-request';

/** How long after its next step the sweeper signals the workflow of a dispute. */
const RECOVERY_MARGIN_MS = 60_000;

/** The activities of a dispute's workflow. Each can be retried after a crash at any line. */
export function createDisputeActivities(deps: DisputeDeps) {
  /** Makes one step: applies the callbacks that are stored, tells the gateway what the company answers, pauses a subscription, reminds if that is due, and says when the next step is. */
  async function advanceDispute(input: DisputeInput): Promise<DisputeStep> {
    const { transactionId, disputeId } = input;
    let published: string | null = null;
    for (const news of await deps.disputeNews.list(transactionId, disputeId))
      published = (await applyNews(deps, input, news)) ?? published;
    const request = await advanceRequest(deps, input);
    published = request.published ?? published;
    await pauseSubscription(deps, input);
    const dispute = await deps.disputes.find(disputeId);
    if (dispute === null) return { status: null, pauseMs: null, published };
    const reminder = nextReminder(dispute);
    const isDue = reminder !== null && reminder <= deps.now();
    if (isDue) published = (await remind(deps, input)) ?? published;
    const pauseMs = sooner(request.pauseMs, disputePauseMs(dispute, isDue ? null : reminder, deps.now()));
    const recoverAfter =
      pauseMs === null ? null : new Date(deps.now().getTime() + pauseMs + RECOVERY_MARGIN_MS);
    await deps.disputes.scheduleRecovery(disputeId, recoverAfter);
    return { status: dispute.status, pauseMs, published };
  }

  return { advanceDispute: withHeartbeat(reportFailures(deps.log)('advanceDispute', advanceDispute)) };
}

/** The shorter of two pauses; null: none is needed. */
function sooner(first: number | null, second: number | null): number | null {
  return first === null || second === null ? (first ?? second) : Math.min(first, second);
}

/** Null if the company was reminded of this due date. */
function nextReminder(dispute: DisputeRecord): Date | null {
  const { evidenceDueAt, remindedFor } = dispute;
  if (evidenceDueAt === null || evidenceDueAt.getTime() === remindedFor?.getTime()) return null;
  return reminderAt(dispute, dispute.openedAt);
}
