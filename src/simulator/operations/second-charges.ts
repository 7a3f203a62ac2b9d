import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ChargeStore, StoredCharge } from '../charge-store';
import { post } from '../ledger';
import { controlErrorResponse, type SimulatorResponse } from '../replies';

const chargeBody = z.strictObject({ transaction_id: z.string().min(1) });

/** `POST /_admin/second-charges`: a gateway's own mistake, by which it takes the money of a payment twice. */
export class SecondCharges {
  constructor(private readonly store: ChargeStore) {}

  /** Charges what the payment's newest captured charge has taken again: under its reference, and an id of its own. */
  charge(body: unknown): SimulatorResponse {
    const parsed = chargeBody.safeParse(body);
    if (!parsed.success) return controlErrorResponse(422, 'invalid_request', z.prettifyError(parsed.error));
    const { transaction_id: id } = parsed.data;
    const first = this.store.ofTransaction(id).findLast(({ captured }) => captured > 0);
    if (first === undefined)
      return controlErrorResponse(404, 'not_found', 'no charge with this transaction_id is captured');
    const now = new Date();
    const { captured, splits, fee, reference, method } = first;
    const second = secondOf(first, now);
    const taken = method === 'card' ? post.authorized(captured) : post.paid(captured);
    this.store.commit(second, reference, [taken, ...post.captured(captured, splits, fee)], now);
    return { status: 201, body: { charge_id: second.id, first_charge_id: first.id, amount: captured } };
  }
}

/** As if the request had been carried out twice. No request of ours has its idempotency key. */
function secondOf(first: StoredCharge, now: Date): StoredCharge {
  const { captured: amount, reference } = first;
  const at = now.toISOString();
  return {
    ...first,
    id: `ch_${randomUUID()}`,
    amount,
    refunded: 0,
    status: 'approved',
    operations: first.operations.slice(0, 1).map((operation) => ({
      ...operation,
      reference,
      amount,
      idempotencyKey: null,
      status: 'approved' as const,
      at,
    })),
    // No callback is sent: the statement is the first to show it.
    callbacks: false,
    disputes: [],
  };
}
