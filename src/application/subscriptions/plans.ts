import type { Initiator } from '../../domain/companies/audit-actor';
import { changesBetween, type AuditAction, type AuditChanges } from '../../domain/companies/audit';
import { applyChange, type Change } from '../../domain/shared/change';
import { ApiError, notFound, validationError, type FieldErrors } from '../../domain/shared/errors';
import { newPlanId, parsePlanId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import {
  changedImmutableFields,
  planErrors,
  type Plan,
  type PlanDetails,
} from '../../domain/subscriptions/plan';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { PlanFilter, PlanRepository } from '../../persistence/subscriptions/plan-repository';
import type { Creation } from '../shared/create-once';
import type { Database, Tx } from '../../persistence/sql/transaction';

export interface PlansDeps {
  readonly db: Database;
  readonly plans: PlanRepository;
  readonly audit: AuditRepository;
  /** The fields of a plan by the API's names, for the audit log. */
  readonly present: (plan: PlanDetails) => AuditChanges;
  readonly now: () => Date;
}

/** Manages a company's plans. Changes by users are recorded in the audit log. */
export class Plans {
  constructor(private readonly deps: PlansDeps) {}

  /** @throws ApiError `validation_error` */
  create(initiator: Initiator, details: PlanDetails): Creation<Plan> {
    throwIfInvalid(planErrors(details));
    const { plans, present, now } = this.deps;
    return async (tx) => {
      const { companyId } = initiator;
      const plan = await plans.insert(tx, { ...details, uuid: newPlanId(), companyId }, now());
      await this.recordAudit(tx, initiator, plan, 'plan.create', present(plan));
      return plan;
    };
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
   * Changes a plan for future subscriptions.
   *
   * @throws ApiError `not_found`; `validation_error`; `invalid_state` if an immutable field changes although the plan has
   * subscriptions
   */
  async change(initiator: Initiator, id: string, change: Change<PlanDetails>): Promise<Plan> {
    return this.changeLocked(initiator, id, 'plan.update', async (tx, before) => {
      const after = applyChange<Plan>(before, change);
      throwIfInvalid(planErrors(after));
      const changedFields = changedImmutableFields(before, after);
      if (changedFields.length > 0 && (await this.deps.plans.isUsed(tx, before.id))) {
        throw hasSubscribers(changedFields);
      }
      return after;
    });
  }

  /** Deactivates a plan for new subscriptions; existing ones continue. Idempotent. @throws ApiError `not_found` */
  async deactivate(initiator: Initiator, id: string): Promise<void> {
    await this.changeLocked(initiator, id, 'plan.delete', async (_tx, before) => ({
      ...before,
      isActive: false,
    }));
  }

  private async changeLocked(
    initiator: Initiator,
    id: string,
    action: AuditAction,
    change: (tx: Tx, plan: Plan) => Promise<PlanDetails>,
  ): Promise<Plan> {
    const { db, plans, present, now } = this.deps;
    const uuid = parsePlanId(id);
    if (uuid === null) throw notFound();
    return db.inTransaction(async (tx) => {
      const before = await plans.lock(tx, initiator.companyId, uuid);
      if (before === null) throw notFound();
      const after = await change(tx, before);
      const changes = changesBetween(present(before), present(after));
      if (Object.keys(changes).length === 0) return before;
      await this.recordAudit(tx, initiator, before, action, changes);
      return plans.update(tx, before.id, after, now());
    });
  }

  private async recordAudit(
    tx: Tx,
    { actor }: Initiator,
    { uuid }: Plan,
    action: AuditAction,
    changes: AuditChanges,
  ): Promise<void> {
    if (actor === null) return;
    const subject = { subjectType: 'plan', subjectId: uuid } as const;
    await this.deps.audit.insert(tx, { ...actor, ...subject, action, changes });
  }
}

function throwIfInvalid(errors: FieldErrors | null): void {
  if (errors !== null) throw validationError(errors);
}

function hasSubscribers(fields: readonly string[]): ApiError {
  return new ApiError(
    'invalid_state',
    `The plan has subscriptions: ${fields.join(', ')} can no longer change. Make another plan.`,
  );
}
