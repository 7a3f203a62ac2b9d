import type { Initiator } from '../../domain/companies/audit-actor';
import { changesBetween, type AuditAction, type AuditChanges } from '../../domain/companies/audit';
import { changed, type Change } from '../../domain/shared/change';
import {
  couponFaults,
  immutableFaults,
  type Coupon,
  type CouponDetails,
} from '../../domain/subscriptions/coupon';
import { ApiError, notFound, validationError, type FieldErrors } from '../../domain/shared/errors';
import { newCouponId, parseCouponId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { CouponFilter, CouponRepository } from '../../persistence/subscriptions/coupon-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';

export interface CouponsDeps {
  readonly db: Database;
  readonly coupons: CouponRepository;
  readonly audit: AuditRepository;
  /** What a company says of a coupon by the API's names, by which the audit log tells what changed. */
  readonly present: (coupon: CouponDetails) => AuditChanges;
  readonly now: () => Date;
}

/** A company's coupons. What its people change is in the audit log. */
export class Coupons {
  constructor(private readonly deps: CouponsDeps) {}

  /** @throws ApiError `validation_error`, on `code` when another coupon has it, also one that is not active */
  async create(author: Initiator, details: CouponDetails): Promise<Coupon> {
    refuse(couponFaults(details));
    const { db, coupons, present, now } = this.deps;
    return db.inTransaction(async (tx) => {
      const { companyId } = author;
      const coupon = await coupons.insert(tx, { ...details, uuid: newCouponId(), companyId }, now());
      if (coupon === null) throw validationError({ code: ['has already been taken'] });
      await this.note(tx, author, coupon, 'coupon.create', present(coupon));
      return coupon;
    });
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
   * Says who may redeem it from now on. Fewer `max_redemptions` than there were end it.
   *
   * @throws ApiError `not_found`; `validation_error`, also on what only another coupon can be; `invalid_state` when it
   * would change for how long those who redeemed it have it
   */
  async change(author: Initiator, id: string, change: Change<CouponDetails>): Promise<Coupon> {
    return this.changeLocked(author, id, 'coupon.update', (before) => {
      const after = changed<Coupon>(before, change);
      refuse(immutableFaults(before, after));
      refuse(couponFaults(after));
      if (after.maxCycles !== before.maxCycles && before.redemptionsCount > 0) throw promised();
      return after;
    });
  }

  /** Nobody redeems it any more; who has it keeps it. Once more it does nothing. @throws ApiError `not_found` */
  async deactivate(author: Initiator, id: string): Promise<void> {
    await this.changeLocked(author, id, 'coupon.delete', (before) => ({ ...before, isActive: false }));
  }

  private async changeLocked(
    author: Initiator,
    id: string,
    action: AuditAction,
    change: (coupon: Coupon) => CouponDetails,
  ): Promise<Coupon> {
    const { db, coupons, present, now } = this.deps;
    const uuid = parseCouponId(id);
    if (uuid === null) throw notFound();
    return db.inTransaction(async (tx) => {
      const before = await coupons.lock(tx, author.companyId, uuid);
      if (before === null) throw notFound();
      const after = change(before);
      const changes = changesBetween(present(before), present(after));
      if (Object.keys(changes).length === 0) return before;
      await this.note(tx, author, before, action, changes);
      return coupons.update(tx, before.id, after, now());
    });
  }

  private async note(
    tx: Tx,
    { actor }: Initiator,
    { uuid }: Coupon,
    action: AuditAction,
    changes: AuditChanges,
  ): Promise<void> {
    if (actor === null) return;
    const subject = { subjectType: 'coupon', subjectId: uuid } as const;
    await this.deps.audit.record(tx, { ...actor, ...subject, action, changes });
  }
}

function refuse(faults: FieldErrors | null): void {
  if (faults !== null) throw validationError(faults);
}

function promised(): ApiError {
  return new ApiError(
    'invalid_state',
    'The coupon has been redeemed: max_cycles can no longer change. Make another coupon.',
  );
}
