import type { MoneyOperation } from '../gateways/simulator/wire';
import type { StoredCharge } from './charge-store';

/** The status of an operation that was carried out; null for a charge itself. */
const CARRIED_OUT = {
  charge: null,
  authorize: null,
  capture: 'approved',
  cancel: 'canceled',
  refund: 'refunded',
} as const satisfies Record<MoneyOperation, string | null>;

/** A charge as `npm run restore -- import` reads it. */
export function reportOf(charge: StoredCharge): object {
  return {
    gateway: charge.gateway,
    gateway_transaction_id: charge.id,
    reference: charge.reference,
    status: charge.status === 'expired' ? 'canceled' : charge.status,
    amount: charge.amount,
    captured: charge.captured,
    refunded: charge.refunded,
    changed_at: charge.changedAt,
    operations: charge.operations
      .filter(({ operation, status, pending }) => pending === undefined && status === CARRIED_OUT[operation])
      .map(({ reference, operation, amount }) => ({ reference, operation, amount })),
  };
}
