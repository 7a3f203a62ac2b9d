import {
  couponProblem,
  type Coupon,
  type CouponDetails,
  type CouponProblem,
  type CouponRefusal,
} from '../../domain/subscriptions/coupon';
import type { CouponId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import { dateIn } from '../../domain/time/timezone';
import type { Database, Tx } from '../sql/transaction';

export interface NewCoupon extends CouponDetails {
  readonly uuid: CouponId;
  readonly companyId: number;
}

export interface CouponFilter {
  readonly isActive?: boolean | undefined;
  /** Exact, case-sensitive. */
  readonly code?: string | undefined;
}

/** The redeemed or redeemable coupon, or why it cannot be redeemed. */
export type RedemptionResult =
  | { readonly coupon: Coupon; readonly problem: null }
  | { readonly coupon: null; readonly problem: CouponRefusal };

const COLUMNS = `id, uuid, code, name, description, discount_type AS "discountType",
  discount_value AS "discountValue", max_redemptions AS "maxRedemptions", redemptions_count AS "redemptionsCount",
  max_cycles AS "maxCycles", to_char(valid_from, 'YYYY-MM-DD') AS "validFrom",
  to_char(valid_until, 'YYYY-MM-DD') AS "validUntil", is_active AS "isActive", created_at AS "createdAt",
  updated_at AS "updatedAt"`;
const MATCHING = `company_id = $1 AND ($2::boolean IS NULL OR is_active = $2) AND ($3::text IS NULL OR code = $3)`;

/** Owns the table `coupons`. Redemptions do not change `updated_at`. */
export class CouponRepository {
  constructor(private readonly db: Database) {}

  /** Returns null if the company already has a coupon with that code. */
  async insert(tx: Tx, coupon: NewCoupon, now: Date): Promise<Coupon | null> {
    return this.db.queryOne<Coupon>(
      `INSERT INTO coupons (uuid, company_id, code, discount_type, discount_value, name, description, max_redemptions,
         max_cycles, valid_from, valid_until, is_active, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
       ON CONFLICT (company_id, code) DO NOTHING RETURNING ${COLUMNS}`,
      [
        coupon.uuid,
        coupon.companyId,
        coupon.code,
        coupon.discountType,
        coupon.discountValue,
        ...changeableOf(coupon),
        now,
      ],
      tx,
    );
  }

  async find(companyId: number, uuid: CouponId): Promise<Coupon | null> {
    return this.db.queryOne<Coupon>(`SELECT ${COLUMNS} FROM coupons WHERE company_id = $1 AND uuid = $2`, [
      companyId,
      uuid,
    ]);
  }

  /** Newest first. */
  async list(companyId: number, { isActive, code }: CouponFilter, page: PageRequest): Promise<Page<Coupon>> {
    const filter = [companyId, isActive, code];
    const { limit, offset } = pageBounds(page);
    // Not a prepared statement: its generic plan would not use the index on `code`.
    const [rows, [counted]] = await Promise.all([
      this.db.queryComposed<Coupon>(
        `SELECT ${COLUMNS} FROM coupons WHERE ${MATCHING} ORDER BY created_at DESC, id DESC LIMIT $4 OFFSET $5`,
        [...filter, limit, offset],
      ),
      this.db.queryComposed<{ total: number }>(
        `SELECT count(*) AS total FROM coupons WHERE ${MATCHING}`,
        filter,
      ),
    ]);
    return { rows, total: counted?.total ?? 0 };
  }

  /** By primary key, which must come from a row of the same company. */
  async get(tx: Tx, id: number): Promise<Coupon> {
    const [coupon] = await this.listByIds([id], tx);
    if (coupon === undefined) throw new Error('the coupon does not exist');
    return coupon;
  }

  /** By primary keys, which must come from rows of the same company. */
  async listByIds(ids: readonly number[], tx?: Tx): Promise<Coupon[]> {
    return this.db.query<Coupon>(`SELECT ${COLUMNS} FROM coupons WHERE id = ANY($1)`, [ids], tx);
  }

  /** Locks a coupon for a change; concurrent changes and redemptions wait for `tx`. */
  async lock(tx: Tx, companyId: number, uuid: CouponId): Promise<Coupon | null> {
    return this.db.queryOne<Coupon>(
      `SELECT ${COLUMNS} FROM coupons WHERE company_id = $1 AND uuid = $2 FOR NO KEY UPDATE`,
      [companyId, uuid],
      tx,
    );
  }

  /** Updates a coupon that `tx` has locked. Code and discount are immutable. */
  async update(tx: Tx, id: number, details: CouponDetails, now: Date): Promise<Coupon> {
    const row = await this.db.queryOne<Coupon>(
      `UPDATE coupons SET name = $2, description = $3, max_redemptions = $4, max_cycles = $5, valid_from = $6,
         valid_until = $7, is_active = $8, updated_at = $9
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, ...changeableOf(details), now],
      tx,
    );
    if (row === null) throw new Error('the coupon was not locked');
    return row;
  }

  /**
   * Counts one redemption of the company's coupon with that code, if it can be redeemed at that instant. Concurrent
   * redemptions wait for `tx`, so that they never exceed `max_redemptions`. `timezone` is the company's; the coupon's
   * dates are days in it.
   */
  async redeem(
    tx: Tx,
    companyId: number,
    code: string,
    at: Date,
    timezone: string,
  ): Promise<RedemptionResult> {
    const coupon = await this.db.queryOne<Coupon>(
      `UPDATE coupons SET redemptions_count = redemptions_count + 1
        WHERE company_id = $1 AND code = $2 AND is_active
          AND valid_from <= $3::date AND (valid_until IS NULL OR valid_until >= $3::date)
          AND (max_redemptions IS NULL OR redemptions_count < max_redemptions)
        RETURNING ${COLUMNS}`,
      [companyId, code, dateIn(timezone, at)],
      tx,
    );
    if (coupon !== null) return { coupon, problem: null };
    const { problem } = await this.findByCode(
      companyId,
      code,
      (found) => couponProblem(found, at, timezone),
      tx,
    );
    // The check may find no problem if another redemption was released since the update.
    return { coupon: null, problem: problem ?? 'coupon_exhausted' };
  }

  /** What `redeem` would return now, without redeeming. Concurrent requests may redeem the coupon first. */
  async check(companyId: number, code: string, at: Date, timezone: string): Promise<RedemptionResult> {
    return this.findByCode(companyId, code, (found) => couponProblem(found, at, timezone));
  }

  /** Releases a redemption of the coupon (by primary key), so that another customer can have it. */
  async releaseRedemption(tx: Tx, couponId: number): Promise<void> {
    await this.db.execute(
      'UPDATE coupons SET redemptions_count = redemptions_count - 1 WHERE id = $1 AND redemptions_count > 0',
      [couponId],
      tx,
    );
  }

  private async findByCode(
    companyId: number,
    code: string,
    problemOf: (coupon: Coupon) => CouponProblem | null,
    tx?: Tx,
  ): Promise<RedemptionResult> {
    const coupon = await this.db.queryOne<Coupon>(
      `SELECT ${COLUMNS} FROM coupons WHERE company_id = $1 AND code = $2`,
      [companyId, code],
      tx,
    );
    if (coupon === null) return { coupon, problem: 'coupon_not_found' };
    const problem = problemOf(coupon);
    return problem === null ? { coupon, problem } : { coupon: null, problem };
  }
}

/** In the order of the columns in the statements above. */
function changeableOf(coupon: CouponDetails): unknown[] {
  return [
    coupon.name,
    coupon.description,
    coupon.maxRedemptions,
    coupon.maxCycles,
    coupon.validFrom,
    coupon.validUntil,
    coupon.isActive,
  ];
}
