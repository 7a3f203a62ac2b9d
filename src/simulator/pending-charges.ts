import type { Charge, ChargeStore } from './charge-store';
import { post } from './ledger';
import { endToEndId } from './pix-codes';

/** What becomes of a pix or billet once it waits: its customer pays it, or its time runs out. */
export class PendingCharges {
  constructor(
    private readonly store: ChargeStore,
    /** How long after it was made one is paid by itself, in ms; null: never. */
    private readonly paysAfterMs: number | null,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** The customer pays: in time or late, the whole, a part or too much. Splits and fee come out of the payment that completes it. */
  pay(charge: Charge, amount: number): Charge {
    const now = this.now();
    const paid = charge.paid + amount;
    const whole = paid >= charge.amount;
    const completes = whole && charge.paid < charge.amount;
    const paidCharge: Charge = {
      ...charge,
      paid,
      captured: charge.captured + amount,
      status: whole ? 'approved' : charge.status,
      message: whole ? 'paid' : 'underpaid',
      pix: charge.pix && { ...charge.pix, endToEndId: endToEndId(now) },
    };
    const taken = completes ? post.captured(amount, charge.splits, charge.fee) : post.captured(amount, [], 0);
    this.store.commit(paidCharge, charge.reference, [post.paid(amount), ...taken], now);
    return paidCharge;
  }

  /** Pays what is to be paid by itself, expires whatever is overdue, and returns what changed. */
  settleDue(): Charge[] {
    const now = this.now();
    return this.store.pending().flatMap((charge) => {
      if (charge.expiresAt !== null && charge.expiresAt <= now.toISOString()) return this.expire(charge, now);
      return this.paysNow(charge, now) ? this.pay(charge, charge.amount) : [];
    });
  }

  private paysNow(charge: Charge, now: Date): boolean {
    const madeAt = charge.operations[0]?.at;
    if (this.paysAfterMs === null || madeAt === undefined || charge.paid > 0) return false;
    return Date.parse(madeAt) + this.paysAfterMs <= now.getTime();
  }

  private expire(charge: Charge, now: Date): Charge {
    const expired: Charge = { ...charge, status: 'expired', message: 'expired' };
    this.store.commit(expired, charge.reference, [post.note('expired', charge.amount)], now);
    return expired;
  }
}
