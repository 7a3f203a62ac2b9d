import type { AuditActor } from '../../domain/companies/audit-actor';
import { ApiError, notFound } from '../../domain/shared/errors';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { ListedItem, SettlementList } from '../../persistence/read-models/settlement-list';
import type { SettlementItemRepository } from '../../persistence/settlement/settlement-item-repository';
import type { Database } from '../../persistence/sql/transaction';

export interface SettleItemDeps {
  readonly db: Database;
  readonly settlementItems: SettlementItemRepository;
  readonly settlementList: SettlementList;
  readonly audit: AuditRepository;
  readonly now: () => Date;
}

/**
 * Settles a difference: a person has dealt with it, and says why. It moves no money.
 *
 * @throws ApiError `not_found`; `invalid_state` if it is settled already
 */
export class SettleItem {
  constructor(private readonly deps: SettleItemDeps) {}

  async execute(actor: AuditActor, id: string, reason: string): Promise<ListedItem> {
    const { db, settlementItems, settlementList, audit, now } = this.deps;
    const { companyId, userId, requestId, sessionId } = actor;
    const found = await settlementList.findItem(companyId, id);
    if (found === null) throw notFound();
    await db.inTransaction(async (tx) => {
      if (!(await settlementItems.settle(tx, companyId, id, { reason, userId, at: now() })))
        throw new ApiError('invalid_state', 'The difference is settled already.');
      await audit.insert(tx, {
        companyId,
        userId,
        requestId,
        ...(sessionId !== undefined && { sessionId }),
        action: 'settlement_item.settle',
        subjectType: 'settlement_item',
        subjectId: id,
        changes: { kind: found.kind, reason },
        operationId: id,
      });
    });
    return (await settlementList.findItem(companyId, id)) ?? found;
  }
}
