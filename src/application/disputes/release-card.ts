import type { AuditActor } from '../../domain/companies/audit-actor';
import { ApiError, notFound } from '../../domain/shared/errors';
import { parseDisputeId } from '../../domain/shared/ids';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { DisputeRepository } from '../../persistence/disputes/dispute-repository';
import type { DisputeList, ListedDispute } from '../../persistence/read-models/dispute-list';
import type { Database } from '../../persistence/sql/transaction';

export interface ReleaseCardDeps {
  readonly db: Database;
  readonly disputes: DisputeRepository;
  readonly disputeList: DisputeList;
  readonly audit: AuditRepository;
  readonly now: () => Date;
}

/**
 * Lets the company's subscriptions charge a card again that was disputed for fraud: a user answers for it, and says why. All disputes
 * for fraud of the same card are released with it; a later one blocks the card again. The next charge already counts it. Repeating
 * it changes nothing: the first release stays.
 *
 * @throws ApiError `not_found`; `invalid_state` if the dispute blocks no card
 */
export class ReleaseCard {
  constructor(private readonly deps: ReleaseCardDeps) {}

  async execute(actor: AuditActor, id: string, reason: string): Promise<ListedDispute> {
    const { db, disputes, disputeList, audit, now } = this.deps;
    const { companyId, userId, requestId, sessionId } = actor;
    const disputeId = parseDisputeId(id);
    const found = disputeId && (await disputeList.find(companyId, disputeId));
    if (disputeId === null || found === null) throw notFound();
    const released = await db.inTransaction(async (tx) => {
      const ids = await disputes.releaseCard(tx, { companyId, disputeId }, { at: now(), userId, reason });
      for (const subjectId of ids)
        await audit.insert(tx, {
          companyId,
          userId,
          requestId,
          ...(sessionId !== undefined && { sessionId }),
          action: 'dispute.release_card',
          subjectType: 'dispute',
          subjectId,
          changes: { reason },
        });
      return ids.length > 0;
    });
    const after = (await disputeList.find(companyId, disputeId)) ?? found;
    if (!released && after.cardReleasedAt === null)
      throw new ApiError('invalid_state', 'This dispute does not keep subscriptions from charging a card.');
    return after;
  }
}
