import { randomUUID } from 'node:crypto';
import type { ChargeStore, StoredCharge, StoredOperation } from '../charge-store';
import { post } from '../ledger';

/** Refunds that the merchant makes on the gateway's own pages, without a request of ours. */
export class MerchantRefunds {
  constructor(
    private readonly store: ChargeStore,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Refunds `amount` cents, which the charge must still hold. The recipients of splits keep what they received. */
  refund(charge: StoredCharge, amount: number): StoredCharge {
    const now = this.now();
    const operation: StoredOperation = {
      operation: 'refund',
      // The gateway's own: no request named a reference.
      reference: `refund_${randomUUID()}`,
      idempotencyKey: null,
      status: 'refunded',
      amount,
      code: '00',
      message: 'refunded',
      adviceCode: null,
      declineClass: null,
      at: now.toISOString(),
    };
    const refunded = charge.refunded + amount;
    const changed: StoredCharge = {
      ...charge,
      refunded,
      status: refunded === charge.captured ? 'refunded' : charge.status,
      operations: [...charge.operations, operation],
    };
    this.store.commit(changed, charge.reference, post.refunded(amount, []), now);
    return changed;
  }
}
