import type { Initiator } from '../../domain/companies/audit-actor';
import { changesBetween, type AuditAction, type AuditChanges } from '../../domain/companies/audit';
import { changed, type Change } from '../../domain/shared/change';
import { ApiError, notFound, validationError } from '../../domain/shared/errors';
import { newPlanId, parsePlanId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import {
  changedImmutableFields,
  planFaults,
  type Plan,
  type PlanDetails,
} from '../../domain/subscriptions/plan';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { PlanFilter, PlanRepository } from '../../persistence/subscriptions/plan-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';

export interface PlansDeps {
  readonly db: Database;
  readonly plans: PlanRepository;
  readonly audit: AuditRepository;
  /** What a company says of a plan by the API's names, by which the audit log tells what changed. */
  readonly present: (plan: PlanDetails) => AuditChanges;
  readonly now: () => Date;
}

/** What a company sells by subscription. What its people change is in the audit log. */
export class Plans {
  constructor(private readonly deps: PlansDeps) {}

  /** @throws ApiError `validation_error` */
  async create(author: Initiator, details: PlanDetails): Promise<Plan> {
    refuse(planFaults(details));
    const { db, plans, present, now } = this.deps;
    return db.inTransaction(async (tx) => {
      const { companyId } = author;
      const plan = await plans.insert(tx, { ...details, uuid: newPlanId(), companyId }, now());
      await this.note(tx, author, plan, 'plan.create', present(plan));
      return plan;
    });
  }

  /** @throws ApiError `not_found` */
  async get(companyId: number, id: string): Promise<Plan> {
    const uuid = parsePlanId(id);
    const plan = uuid && (await this.deps.plans.find(companyId, uuid));
    if (!plan) throw notFound();
    return plan;
  }

  async list(companyId: number, filter: PlanFilter, page: PageRequest): Promise<Page<Plan>> {
    return this.deps.plans.list(companyId, filter, page);
  }

  /**
   * Subscriptions that there are keep what they began with: it is for those to come.
   *
   * @throws ApiError `not_found`; `validation_error`; `invalid_state` when it would change what subscribers were promised
   */
  async change(author: Initiator, id: string, change: Change<PlanDetails>): Promise<Plan> {
    return this.changeLocked(author, id, 'plan.update', async (tx, before) => {
      const after = changed<Plan>(before, change);
      refuse(planFaults(after));
      const broken = changedImmutableFields(before, after);
      if (broken.length > 0 && (await this.deps.plans.isUsed(tx, before.id))) throw promised(broken);
      return after;
    });
  }

  /** There will be no new subscriptions; those that there are go on. Once more it does nothing. @throws ApiError `not_found` */
  async deactivate(author: Initiator, id: string): Promise<void> {
    await this.changeLocked(author, id, 'plan.delete', async (_tx, before) => ({
      ...before,
      isActive: false,
    }));
  }

  private async changeLocked(
    author: Initiator,
    id: string,
    action: AuditAction,
    change: (tx: Tx, plan: Plan) => Promise<PlanDetails>,
  ): Promise<Plan> {
    const { db, plans, present, now } = this.deps;
    const uuid = parsePlanId(id);
    if (uuid === null) throw notFound();
    return db.inTransaction(async (tx) => {
      const before = await plans.lock(tx, author.companyId, uuid);
      if (before === null) throw notFound();
      const after = await change(tx, before);
      const changes = changesBetween(present(before), present(after));
      if (Object.keys(changes).length === 0) return before;
      await this.note(tx, author, before, action, changes);
      return plans.update(tx, before.id, after, now());
    });
  }

  private async note(
    tx: Tx,
    { actor }: Initiator,
    { uuid }: Plan,
    action: AuditAction,
    changes: AuditChanges,
  ): Promise<void> {
    if (actor === null) return;
    const subject = { subjectType: 'plan', subjectId: uuid } as const;
    await this.deps.audit.record(tx, { ...actor, ...subject, action, changes });
  }
}

function refuse(faults: ReturnType<typeof planFaults>): void {
  if (faults !== null) throw validationError(faults);
}

function promised(fields: readonly string[]): ApiError {
  return new ApiError(
    'invalid_state',
    `The plan has subscriptions: ${fields.join(', ')} can no longer change. Make another plan.`,
  );
}
