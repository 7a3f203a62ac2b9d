import type { Initiator } from '../../domain/companies/audit-actor';
import { changesBetween, type AuditAction, type AuditChanges } from '../../domain/companies/audit';
import { applyChange, type Change } from '../../domain/shared/change';
import {
  couponErrors,
  immutableFieldErrors,
  type Coupon,
  type CouponDetails,
} from '../../domain/subscriptions/coupon';
import { ApiError, notFound, validationError, type FieldErrors } from '../../domain/shared/errors';
import { newCouponId, parseCouponId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { CouponFilter, CouponRepository } from '../../persistence/subscriptions/coupon-repository';
import type { Creation } from '../shared/create-once';
import type { Database, Tx } from '../../persistence/sql/transaction';

export interface CouponsDeps {
  readonly db: Database;
  readonly coupons: CouponRepository;
  readonly audit: AuditRepository;
  /** The fields of a coupon by the API's names, for the audit log. */
  readonly present: (coupon: CouponDetails) => AuditChanges;
  readonly now: () => Date;
}

/** Manages a company's coupons. Changes by users are recorded in the audit log. */
export class Coupons {
  constructor(private readonly deps: CouponsDeps) {}

  /** @throws ApiError `validation_error`; on `code` if another coupon, active or not, has it */
  create(initiator: Initiator, details: CouponDetails): Creation<Coupon> {
    throwIfInvalid(couponErrors(details));
    const { coupons, present, now } = this.deps;
    return async (tx) => {
      const { companyId } = initiator;
      const coupon = await coupons.insert(tx, { ...details, uuid: newCouponId(), companyId }, now());
      if (coupon === null) throw validationError({ code: ['has already been taken'] });
      await this.recordAudit(tx, initiator, coupon, 'coupon.create', present(coupon));
      return coupon;
    };
  }

  /** @throws ApiError `not_found` */
  async get(companyId: number, id: string): Promise<Coupon> {
    const uuid = parseCouponId(id);
    const coupon = uuid && (await this.deps.coupons.find(companyId, uuid));
    if (!coupon) throw notFound();
    return coupon;
  }

  async list(companyId: number, filter: CouponFilter, page: PageRequest): Promise<Page<Coupon>> {
    return this.deps.coupons.list(companyId, filter, page);
  }

  /**
   * Changes a coupon for future redemptions. A `max_redemptions` below the redemptions so far exhausts it.
   *
   * @throws ApiError `not_found`; `validation_error`, also for immutable fields; `invalid_state` if `max_cycles` changes
   * after the coupon was redeemed
   */
  async change(initiator: Initiator, id: string, change: Change<CouponDetails>): Promise<Coupon> {
    return this.changeLocked(initiator, id, 'coupon.update', (before) => {
      const after = applyChange<Coupon>(before, change);
      throwIfInvalid(immutableFieldErrors(before, after));
      throwIfInvalid(couponErrors(after));
      if (after.maxCycles !== before.maxCycles && before.redemptionsCount > 0) throw alreadyRedeemed();
      return after;
    });
  }

  /** Deactivates a coupon. Subscriptions that redeemed it keep it. Idempotent. @throws ApiError `not_found` */
  async deactivate(initiator: Initiator, id: string): Promise<void> {
    await this.changeLocked(initiator, id, 'coupon.delete', (before) => ({ ...before, isActive: false }));
  }

  private async changeLocked(
    initiator: Initiator,
    id: string,
    action: AuditAction,
    change: (coupon: Coupon) => CouponDetails,
  ): Promise<Coupon> {
    const { db, coupons, present, now } = this.deps;
    const uuid = parseCouponId(id);
    if (uuid === null) throw notFound();
    return db.inTransaction(async (tx) => {
      const before = await coupons.lock(tx, initiator.companyId, uuid);
      if (before === null) throw notFound();
      const after = change(before);
      const changes = changesBetween(present(before), present(after));
      if (Object.keys(changes).length === 0) return before;
      await this.recordAudit(tx, initiator, before, action, changes);
      return coupons.update(tx, before.id, after, now());
    });
  }

  private async recordAudit(
    tx: Tx,
    { actor }: Initiator,
    { uuid }: Coupon,
    action: AuditAction,
    changes: AuditChanges,
  ): Promise<void> {
    if (actor === null) return;
    const subject = { subjectType: 'coupon', subjectId: uuid } as const;
    await this.deps.audit.insert(tx, { ...actor, ...subject, action, changes });
  }
}

function throwIfInvalid(errors: FieldErrors | null): void {
  if (errors !== null) throw validationError(errors);
}

function alreadyRedeemed(): ApiError {
  return new ApiError(
    'invalid_state',
    'The coupon has been redeemed: max_cycles can no longer change. Create another coupon.',
  );
}
