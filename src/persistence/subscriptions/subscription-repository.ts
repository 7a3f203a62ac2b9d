import type { InferCreationAttributes } from 'sequelize';
import type { MakeNullishOptional } from 'sequelize/types/utils';
import type { Interval } from '../../domain/subscriptions/billing-calendar';
import type { Coupon } from '../../domain/subscriptions/coupon';
import type { Customer } from '../../domain/customers/customer';
import type { SubscriptionId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { Plan } from '../../domain/subscriptions/plan';
import type { SubscriptionState, SubscriptionStatus } from '../../domain/subscriptions/subscription';
import type { BillingCycleRepository, BillingCycleRow } from './billing-cycle-repository';
import type { CouponRepository } from './coupon-repository';
import type { CustomerRepository } from '../customers/customer-repository';
import { SubscriptionModel } from '../models/subscription';
import type { OpenPlanChange, PlanChangeRepository } from './plan-change-repository';
import type { PlanRepository } from './plan-repository';
import { PreparedTable } from '../sql/prepared-table';
import type { OpenCommand, SubscriptionCommandRepository } from './subscription-command-repository';
import { toState, type SubscriptionRow } from './subscription-state';
import type { Database, Tx } from '../sql/transaction';

export type NewSubscription = MakeNullishOptional<InferCreationAttributes<SubscriptionModel>>;

/** A subscription with all that belongs to it, as one transaction sees it. */
export interface SubscriptionRecord {
  readonly row: SubscriptionRow;
  readonly state: SubscriptionState;
  readonly plan: Plan;
  readonly newPlan: Plan | null;
  readonly customer: Customer;
  readonly coupon: Coupon | null;
  readonly openCycle: BillingCycleRow | null;
  readonly planChange: (OpenPlanChange & { readonly to: Plan }) | null;
  /** What is asked of it and not answered yet, the oldest first. */
  readonly commands: readonly OpenCommand[];
}

export interface SubscriptionFilter {
  readonly status?: SubscriptionStatus | undefined;
  readonly planId?: string | undefined;
  readonly customerToken?: string | undefined;
}

/** A subscription whose workflow is to run. */
export interface SubscriptionToWake {
  readonly uuid: SubscriptionId;
  readonly companyId: number;
  readonly status: SubscriptionStatus;
  readonly planName: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly interval: Interval;
  readonly intervalCount: number;
}

interface Owners {
  readonly plans: PlanRepository;
  readonly coupons: CouponRepository;
  readonly customers: CustomerRepository;
  readonly cycles: BillingCycleRepository;
  readonly planChanges: PlanChangeRepository;
  readonly commands: SubscriptionCommandRepository;
}

/** Long enough for whoever asked for something to wake the workflow. */
const WAKE_AFTER_COMMAND_MS = 5_000;
const SWEEP_AGAIN_MS = 15_000;

const TO_WAKE = `s.uuid, s.company_id AS "companyId", s.status, p.name AS "planName", p.amount_cents AS "amountCents",
  p.currency, p.interval, p.interval_count AS "intervalCount"`;

/** The one owner of `subscriptions`. */
export class SubscriptionRepository {
  private readonly table: PreparedTable<SubscriptionModel>;

  constructor(
    private readonly db: Database,
    private readonly owners: Owners,
  ) {
    this.table = new PreparedTable(db, SubscriptionModel);
  }

  async insert(tx: Tx, subscription: NewSubscription): Promise<SubscriptionRow> {
    return this.table.insertReturning(subscription, tx);
  }

  async find(companyId: number, uuid: SubscriptionId, tx?: Tx): Promise<SubscriptionRecord | null> {
    const row = await this.table.findOne({ companyId, uuid }, tx);
    return row && this.complete(row, tx);
  }

  /** Loads a subscription and keeps every other decision about it waiting until this transaction ends. */
  async lock(tx: Tx, uuid: SubscriptionId): Promise<SubscriptionRecord> {
    const row = await this.table.lockOne({ uuid }, tx);
    if (row === null) throw new Error('the subscription does not exist');
    return this.complete(row, tx);
  }

  /** The same for a request, which may name another company's. */
  async lockOf(tx: Tx, companyId: number, uuid: SubscriptionId): Promise<SubscriptionRecord | null> {
    const row = await this.table.lockOne({ companyId, uuid }, tx);
    return row && this.complete(row, tx);
  }

  /** Newest first. */
  async list(
    companyId: number,
    { status, planId, customerToken }: SubscriptionFilter,
    page: PageRequest,
  ): Promise<Page<SubscriptionRecord>> {
    const { limit, offset } = pageBounds(page);
    const filter = [companyId, status ?? null, planId ?? null, customerToken ?? null];
    const [ids, [counted]] = await this.db.reading((tx) =>
      Promise.all([
        this.db.query<{ id: number }>(
          `SELECT s.id ${MATCHING} ORDER BY s.created_at DESC, s.id DESC LIMIT $5 OFFSET $6`,
          [...filter, limit, offset],
          tx,
        ),
        this.db.query<{ total: number }>(`SELECT count(*) AS total ${MATCHING}`, filter, tx),
      ]),
    );
    const rows = await this.table.findAll({ id: ids.map(({ id }) => id) }, ['createdAt', 'id']);
    return { rows: await this.completeAll(rows.reverse()), total: counted?.total ?? 0 };
  }

  /** Changes columns of a subscription that is locked by this transaction. */
  async change(tx: Tx, id: number, change: Partial<SubscriptionRow>): Promise<void> {
    await this.table.update(change, { id }, tx);
  }

  /** Has the sweeper wake its workflow, unless whoever brings the news does so soon. */
  async noteNews(tx: Tx, uuid: SubscriptionId, now: Date): Promise<SubscriptionToWake> {
    const [subscription] = await this.db.query<SubscriptionToWake>(
      `UPDATE subscriptions s SET recover_after = $1 FROM plans p WHERE p.id = s.plan_id AND s.uuid = $2
        RETURNING ${TO_WAKE}`,
      [new Date(now.getTime() + WAKE_AFTER_COMMAND_MS), uuid],
      tx,
    );
    if (subscription === undefined) throw new Error('the subscription does not exist');
    return subscription;
  }

  /**
   * Subscriptions whose workflow should have given a sign of life by now, at most `limit`, each put off so that no other
   * sweeper takes it meanwhile.
   */
  async takeOverdue(limit: number, now: Date): Promise<SubscriptionToWake[]> {
    return this.db.query<SubscriptionToWake>(
      `UPDATE subscriptions s SET recover_after = $1 FROM plans p
        WHERE p.id = s.plan_id AND s.id IN (
          SELECT id FROM subscriptions WHERE recover_after <= $2 ORDER BY recover_after LIMIT $3 FOR UPDATE SKIP LOCKED)
        RETURNING ${TO_WAKE}`,
      [new Date(now.getTime() + SWEEP_AGAIN_MS), now, limit],
    );
  }

  private async complete(row: SubscriptionRow, tx?: Tx): Promise<SubscriptionRecord> {
    const [record] = await this.completeAll([row], tx);
    if (record === undefined) throw new Error('one row makes one record');
    return record;
  }

  private async completeAll(rows: readonly SubscriptionRow[], tx?: Tx): Promise<SubscriptionRecord[]> {
    const ids = rows.map(({ id }) => id);
    const { cycles, commands, planChanges, customers, coupons, plans } = this.owners;
    const [openCycles, openCommands, openChanges, theirCustomers, theirCoupons] = await Promise.all([
      cycles.openOf(ids, tx),
      commands.openOf(ids, tx),
      planChanges.openOf(ids, tx),
      customers.ofIds(unique(rows.map((row) => row.customerId)), tx),
      coupons.ofIds(unique(rows.flatMap((row) => row.couponId ?? [])), tx),
    ]);
    const named = rows.flatMap((row) => [row.planId, row.newPlanId ?? []].flat());
    const theirPlans = await plans.ofIds(
      unique([...named, ...openChanges.map((change) => change.newPlanId)]),
      tx,
    );
    return rows.map((row) => {
      const change = openChanges.find(({ subscriptionId }) => subscriptionId === row.id);
      const parts = {
        plan: byId(theirPlans, row.planId),
        newPlan: row.newPlanId === null ? null : byId(theirPlans, row.newPlanId),
        coupon: row.couponId === null ? null : byId(theirCoupons, row.couponId),
        openCycle: openCycles.find(({ subscriptionId }) => subscriptionId === row.id) ?? null,
        planChange: change === undefined ? null : { ...change, to: byId(theirPlans, change.newPlanId) },
      };
      return {
        row,
        state: toState(row, parts),
        ...parts,
        customer: byId(theirCustomers, row.customerId),
        commands: openCommands.filter(({ subscriptionId }) => subscriptionId === row.id),
      };
    });
  }
}

const MATCHING = `FROM subscriptions s
  WHERE s.company_id = $1 AND ($2::text IS NULL OR s.status = $2)
    AND ($3::uuid IS NULL OR s.plan_id = (SELECT id FROM plans WHERE uuid = $3 AND company_id = $1))
    AND ($4::text IS NULL OR s.customer_id = (SELECT id FROM customers WHERE token = $4 AND company_id = $1))`;

function byId<Row extends { readonly id: number }>(rows: readonly Row[], id: number): Row {
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error('a subscription names a row that is not there');
  return row;
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
