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
  /** To the letter. */
  readonly code?: string | undefined;
}

/** A coupon that can be, or was, redeemed; or why it cannot. */
export type RedeemedOrProblem =
  | { readonly coupon: Coupon; readonly problem: null }
  | { readonly coupon: null; readonly problem: CouponRefusal };

const COLUMNS = `id, uuid, code, name, description, discount_type AS "discountType",
  discount_value AS "discountValue", max_redemptions AS "maxRedemptions", redemptions_count AS "redemptionsCount",
  max_cycles AS "maxCycles", to_char(valid_from, 'YYYY-MM-DD') AS "validFrom",
  to_char(valid_until, 'YYYY-MM-DD') AS "validUntil", is_active AS "isActive", created_at AS "createdAt",
  updated_at AS "updatedAt"`;
const MATCHING = `company_id = $1 AND ($2::boolean IS NULL OR is_active = $2) AND ($3::text IS NULL OR code = $3)`;

/** The one owner of `coupons`. `updated_at` is when its company changed it; redemptions only count. */
export class CouponRepository {
  constructor(private readonly db: Database) {}

  /** Null when the company has a coupon with that code. */
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
    // Planned for the filters that are there: a plan that fits all of them has no use for the index by code.
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

  /** By its inner id, which only a row of the same company names. */
  async get(tx: Tx, id: number): Promise<Coupon> {
    const [coupon] = await this.ofIds([id], tx);
    if (coupon === undefined) throw new Error('the coupon does not exist');
    return coupon;
  }

  /** By their inner ids, which only rows of the same company name. */
  async ofIds(ids: readonly number[], tx?: Tx): Promise<Coupon[]> {
    return this.db.query<Coupon>(`SELECT ${COLUMNS} FROM coupons WHERE id = ANY($1)`, [ids], tx);
  }

  /** For whoever changes it: until `tx` ends nobody else does, and nobody redeems it. */
  async lock(tx: Tx, companyId: number, uuid: CouponId): Promise<Coupon | null> {
    return this.db.queryOne<Coupon>(
      `SELECT ${COLUMNS} FROM coupons WHERE company_id = $1 AND uuid = $2 FOR NO KEY UPDATE`,
      [companyId, uuid],
      tx,
    );
  }

  /** Of a coupon that `tx` has locked: all but its code and discount, which stay. */
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
   * Counts one redemption of the company's coupon with that code, if it can be redeemed at that instant: never more than
   * `max_redemptions`, however many ask at once. Until `tx` ends all others who redeem it wait. `timezone` is the
   * company's, in which the coupon's dates are days.
   */
  async redeem(
    tx: Tx,
    companyId: number,
    code: string,
    at: Date,
    timezone: string,
  ): Promise<RedeemedOrProblem> {
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
    const { problem } = await this.queryCharge(
      companyId,
      code,
      (found) => couponProblem(found, at, timezone),
      tx,
    );
    // What stood in the way may be gone by now: another redemption was given back since.
    return { coupon: null, problem: problem ?? 'coupon_exhausted' };
  }

  /** What `redeem` would say now, without redeeming: no promise, others may be quicker. */
  async check(companyId: number, code: string, at: Date, timezone: string): Promise<RedeemedOrProblem> {
    return this.queryCharge(companyId, code, (found) => couponProblem(found, at, timezone));
  }

  /** Takes a redemption back, by the coupon's inner id: somebody else may have it. */
  async releaseRedemption(tx: Tx, couponId: number): Promise<void> {
    await this.db.execute(
      'UPDATE coupons SET redemptions_count = redemptions_count - 1 WHERE id = $1 AND redemptions_count > 0',
      [couponId],
      tx,
    );
  }

  private async queryCharge(
    companyId: number,
    code: string,
    problemOf: (coupon: Coupon) => CouponProblem | null,
    tx?: Tx,
  ): Promise<RedeemedOrProblem> {
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

/** In the order of the statements that write them. */
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
