import type { StoredCharge, ChargeStore } from '../charge-store';
import { post } from '../ledger';
import { endToEndId } from '../pix-codes';

/** Pays and expires pending pix and billets. */
export class PendingCharges {
  constructor(
    private readonly store: ChargeStore,
    /** Delay after creation until a charge is paid automatically, in ms; null disables this. */
    private readonly paysAfterMs: number | null,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /**
   * Records a customer's payment, on time or late, of any amount. The payment that completes the charge's amount captures
   * the splits and the fee.
   */
  pay(charge: StoredCharge, amount: number): StoredCharge {
    const now = this.now();
    const paid = charge.paid + amount;
    const isPaid = paid >= charge.amount;
    const completes = isPaid && charge.paid < charge.amount;
    const paidCharge: StoredCharge = {
      ...charge,
      paid,
      captured: charge.captured + amount,
      status: isPaid ? 'approved' : charge.status,
      message: isPaid ? 'paid' : 'underpaid',
      pix: charge.pix && { ...charge.pix, endToEndId: endToEndId(now) },
    };
    const captured = completes
      ? post.captured(amount, charge.splits, charge.fee)
      : post.captured(amount, [], 0);
    this.store.commit(paidCharge, charge.reference, [post.paid(amount), ...captured], now);
    return paidCharge;
  }

  /** Expires overdue charges, pays those due for automatic payment, and returns the changed charges. */
  processDue(): StoredCharge[] {
    const now = this.now();
    return this.store.pending().flatMap((charge) => {
      if (charge.expiresAt !== null && charge.expiresAt <= now.toISOString()) return this.expire(charge, now);
      return this.isPaidAutomatically(charge, now) ? this.pay(charge, charge.amount) : [];
    });
  }

  private isPaidAutomatically(charge: StoredCharge, now: Date): boolean {
    const createdAt = charge.operations[0]?.at;
    if (this.paysAfterMs === null || createdAt === undefined || charge.paid > 0) return false;
    return Date.parse(createdAt) + this.paysAfterMs <= now.getTime();
  }

  private expire(charge: StoredCharge, now: Date): StoredCharge {
    const expired: StoredCharge = { ...charge, status: 'expired', message: 'expired' };
    this.store.commit(expired, charge.reference, [post.memo('expired', charge.amount)], now);
    return expired;
  }
}
