import type { SubscriptionToStart } from '../../domain/subscriptions/subscription-start';
import type { Coupon } from '../../domain/subscriptions/coupon';
import type { StoredCustomer } from '../../domain/customers/customer';
import type { PersonalDataCipher } from '../../domain/customers/personal-data';
import type { SubscriptionId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { Plan } from '../../domain/subscriptions/plan';
import type { SubscriptionState, SubscriptionStatus } from '../../domain/subscriptions/subscription';
import type { BillingCycleRepository, BillingCycleRow } from './billing-cycle-repository';
import type { CouponRepository } from './coupon-repository';
import type { CustomerRepository } from '../customers/customer-repository';
import { SubscriptionModel } from '../models/subscription';
import type { PlanRepository } from './plan-repository';
import {
  KEY_OF_SUBSCRIPTION,
  openSubscription,
  sealSubscriptionCard,
  type NewSubscription,
  type StoredSubscriptionRow,
} from './subscription-personal-data';
import { changeJointly, type JointChange } from '../sql/joint-changes';
import { PreparedTable } from '../sql/prepared-table';
import type { OpenCommand, SubscriptionCommandRepository } from './subscription-command-repository';
import { agreedPlan, toState, type OpenPlanChange, type SubscriptionRow } from './subscription-state';
import type { Database, Tx } from '../sql/transaction';

/** A subscription with its related rows, read in one transaction. */
export interface SubscriptionRecord {
  readonly row: SubscriptionRow;
  readonly state: SubscriptionState;
  /** At the agreed price. */
  readonly plan: Plan;
  readonly newPlan: Plan | null;
  readonly customer: StoredCustomer;
  readonly coupon: Coupon | null;
  /** The unpaid regular cycle. */
  readonly openCycle: BillingCycleRow | null;
  /** The plan change whose charge has no certain result. */
  readonly openChange: OpenPlanChange | null;
  /** Unanswered commands, oldest first. */
  readonly commands: readonly OpenCommand[];
}

export interface SubscriptionFilter {
  readonly status?: SubscriptionStatus | undefined;
  readonly planId?: string | undefined;
  readonly customerToken?: string | undefined;
  readonly isChargeOnHold?: boolean | undefined;
}

interface RelatedRepositories {
  readonly plans: PlanRepository;
  readonly coupons: CouponRepository;
  readonly customers: CustomerRepository;
  readonly cycles: BillingCycleRepository;
  readonly commands: SubscriptionCommandRepository;
}

/** Time for the process that stored the request to signal the workflow itself. */
const RECOVERY_DELAY_AFTER_REQUEST_MS = 5_000;
const SWEEP_RETRY_DELAY_MS = 15_000;

/** The columns of `SubscriptionToStart`, from `subscriptions s` and `plans p`. */
export const WAKE_COLUMNS = `s.uuid, s.company_id AS "companyId", s.status, p.name AS "planName",
  s.plan_amount_cents AS "amountCents", s.plan_currency AS currency, s.plan_interval AS interval,
  s.plan_interval_count AS "intervalCount"`;

/** Owns the table `subscriptions`. */
export class SubscriptionRepository {
  private readonly table: PreparedTable<SubscriptionModel, Pick<SubscriptionRow, 'customerKey'>>;

  constructor(
    private readonly db: Database,
    private readonly repositories: RelatedRepositories,
    private readonly cipher: PersonalDataCipher,
  ) {
    this.table = new PreparedTable(db, SubscriptionModel, KEY_OF_SUBSCRIPTION);
  }

  async insert(tx: Tx, subscription: NewSubscription): Promise<SubscriptionRow> {
    const { card, billingAddress, payer, customerKey, ...others } = subscription;
    const sealed = await sealSubscriptionCard(this.cipher, customerKey, others.uuid, {
      card,
      billingAddress,
      payer,
    });
    return this.open(await this.table.insertReturning({ ...others, ...sealed }, tx));
  }

  async find(companyId: number, uuid: SubscriptionId, tx?: Tx): Promise<SubscriptionRecord | null> {
    const row = await this.table.findOne({ companyId, uuid }, tx);
    return row && this.toRecord(row, tx);
  }

  /** Loads and locks a subscription; other transactions that lock it wait for `tx`. */
  async lock(tx: Tx, uuid: SubscriptionId): Promise<SubscriptionRecord> {
    const row = await this.table.lockOne({ uuid }, tx);
    if (row === null) throw new Error('the subscription does not exist');
    return this.toRecord(row, tx);
  }

  /** Like `lock`, but returns null for a subscription of another company. */
  async lockForCompany(tx: Tx, companyId: number, uuid: SubscriptionId): Promise<SubscriptionRecord | null> {
    const row = await this.table.lockOne({ companyId, uuid }, tx);
    return row && this.toRecord(row, tx);
  }

  /** Newest first. */
  async list(
    companyId: number,
    { status, planId, customerToken, isChargeOnHold }: SubscriptionFilter,
    page: PageRequest,
  ): Promise<Page<SubscriptionRecord>> {
    const { limit, offset } = pageBounds(page);
    const filter = [companyId, status ?? null, planId ?? null, customerToken ?? null, isChargeOnHold ?? null];
    const ids = await this.db.query<{ id: number }>(
      `SELECT s.id ${FILTERED_FROM} ORDER BY s.created_at DESC, s.id DESC LIMIT $6 OFFSET $7`,
      [...filter, limit, offset],
    );
    const counted = await this.db.queryOne<{ total: number }>(
      `SELECT count(*) AS total ${FILTERED_FROM}`,
      filter,
    );
    return { rows: await this.listByIds(ids.map(({ id }) => id)), total: counted?.total ?? 0 };
  }

  /** By internal ids, newest first. */
  async listByIds(ids: readonly number[]): Promise<SubscriptionRecord[]> {
    const rows = await this.table.findAll({ id: ids }, ['createdAt', 'id']);
    return this.toRecords(rows.reverse());
  }

  /**
   * Updates columns of a subscription that `tx` has locked. A new card comes with its billing address, and can with a new payer.
   * `others` are changes of other rows, made by the same statement.
   */
  async change(
    tx: Tx,
    { id, uuid, customerKey, payer: known }: Pick<SubscriptionRow, 'id' | 'uuid' | 'customerKey' | 'payer'>,
    change: Partial<Omit<SubscriptionRow, 'customerKey'>>,
    others: readonly JointChange[] = [],
  ): Promise<void> {
    const { card, billingAddress = null, payer = known, ...columns } = change;
    const sealed =
      card && (await sealSubscriptionCard(this.cipher, customerKey, uuid, { card, billingAddress, payer }));
    const updated = { ...columns, ...sealed };
    if (others.length === 0) await this.table.update(updated, { id }, tx);
    else
      await changeJointly(
        this.db,
        [{ change: this.table.updating(updated, { id }), unlessOne: null }, ...others],
        tx,
      );
  }

  /** Has the sweeper signal the workflow, unless the caller does so first. */
  async requestWake(tx: Tx, uuid: SubscriptionId, now: Date): Promise<SubscriptionToStart> {
    const [subscription] = await this.db.query<SubscriptionToStart>(
      `UPDATE subscriptions s SET recover_after = $1 FROM plans p WHERE p.id = s.plan_id AND s.uuid = $2
        RETURNING ${WAKE_COLUMNS}`,
      [new Date(now.getTime() + RECOVERY_DELAY_AFTER_REQUEST_MS), uuid],
      tx,
    );
    if (subscription === undefined) throw new Error('the subscription does not exist');
    return subscription;
  }

  /**
   * At most `limit` subscriptions whose `recover_after` has passed. Postpones `recover_after`, so that no other sweeper
   * claims them meanwhile.
   */
  async claimOverdue(limit: number, now: Date): Promise<SubscriptionToStart[]> {
    return this.db.query<SubscriptionToStart>(
      `UPDATE subscriptions s SET recover_after = $1 FROM plans p
        WHERE p.id = s.plan_id AND s.id IN (
          SELECT id FROM subscriptions WHERE recover_after <= $2 ORDER BY recover_after LIMIT $3 FOR UPDATE SKIP LOCKED)
        RETURNING ${WAKE_COLUMNS}`,
      [new Date(now.getTime() + SWEEP_RETRY_DELAY_MS), now, limit],
    );
  }

  private open(row: StoredSubscriptionRow): Promise<SubscriptionRow> {
    return openSubscription(this.cipher, row);
  }

  private async toRecord(row: StoredSubscriptionRow, tx?: Tx): Promise<SubscriptionRecord> {
    const [record] = await this.toRecords([row], tx);
    if (record === undefined) throw new Error('one row makes one record');
    return record;
  }

  private async toRecords(stored: readonly StoredSubscriptionRow[], tx?: Tx): Promise<SubscriptionRecord[]> {
    const rows = await Promise.all(stored.map((row) => this.open(row)));
    const ids = rows.map(({ id }) => id);
    const { cycles, commands, customers, coupons, plans } = this.repositories;
    const openCycles = await cycles.openOf(ids, tx);
    const openCommands = await commands.openOf(ids, tx);
    const customerRows = await customers.listByIds(unique(rows.map((row) => row.customerId)), tx);
    const couponIds = unique(rows.flatMap((row) => row.couponId ?? []));
    const couponRows = couponIds.length === 0 ? [] : await coupons.listByIds(couponIds, tx);
    const planIds = rows.flatMap((row) => [row.planId, row.newPlanId ?? []].flat());
    const planRows = await plans.listByIds(
      unique([...planIds, ...openCycles.flatMap(({ newPlanId }) => newPlanId ?? [])]),
      tx,
    );
    return rows.map((row) => {
      const [openCycle, change] = openCyclesOf(openCycles, row.id);
      const related = {
        plan: agreedPlan(byId(planRows, row.planId), row),
        newPlan: row.newPlanId === null ? null : byId(planRows, row.newPlanId),
        coupon: row.couponId === null ? null : byId(couponRows, row.couponId),
        openCycle,
        openChange: change?.newPlanId ? { cycle: change, to: byId(planRows, change.newPlanId) } : null,
      };
      return {
        row,
        state: toState(row, related),
        ...related,
        customer: byId(customerRows, row.customerId),
        commands: openCommands.filter(({ subscriptionId }) => subscriptionId === row.id),
      };
    });
  }
}

const FILTERED_FROM = `FROM subscriptions s
  WHERE s.company_id = $1 AND ($2::text IS NULL OR s.status = $2)
    AND ($3::uuid IS NULL OR s.plan_id = (SELECT id FROM plans WHERE uuid = $3 AND company_id = $1))
    AND ($4::text IS NULL OR s.customer_id = (SELECT id FROM customers WHERE token = $4 AND company_id = $1))
    AND ($5::boolean IS NULL OR $5 = (s.hold_checked_at IS NOT NULL))`;

/** The unpaid regular cycle of a subscription, and the open cycle of a plan change. */
function openCyclesOf(
  cycles: readonly BillingCycleRow[],
  id: number,
): [BillingCycleRow | null, BillingCycleRow | null] {
  const own = cycles.filter(({ subscriptionId }) => subscriptionId === id);
  const find = (isRegular: boolean): BillingCycleRow | null =>
    own.find(({ kind }) => (kind === 'regular') === isRegular) ?? null;
  return [find(true), find(false)];
}

function byId<Row extends { readonly id: number }>(rows: readonly Row[], id: number): Row {
  const row = rows.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error('a related row of the subscription is missing');
  return row;
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
