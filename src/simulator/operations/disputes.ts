import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Callbacks } from '../callbacks';
import type { ChargeStore, StoredCharge, StoredDispute } from '../charge-store';
import { post, type Posting } from '../ledger';
import { controlErrorResponse, type SimulatorResponse } from '../replies';

const MAX_EVIDENCE_SECONDS = 366 * 24 * 60 * 60;

const openBody = z.strictObject({
  transaction_id: z.string().min(1),
  kind: z.enum(['chargeback', 'retrieval', 'med']).default('chargeback'),
  /** Everything that was captured if omitted. */
  amount: z.int().positive().optional(),
  reason_code: z.string().min(1).max(64).optional(),
  /** Seconds; no deadline if omitted. */
  evidence_due_in: z.number().positive().max(MAX_EVIDENCE_SECONDS).optional(),
});
const changeBody = z.strictObject({
  /** `submitted`: evidence that the merchant gave on the gateway's own pages. */
  status: z.enum(['submitted', 'won', 'lost', 'reopened']),
  /** Of a won dispute: all of it if omitted. */
  returned: z.int().positive().optional(),
});

/** `POST /_admin/disputes` and `POST /_admin/disputes/{id}`: what customers, banks and networks do. */
export class DisputeControl {
  constructor(
    private readonly store: ChargeStore,
    private readonly callbacks: Callbacks,
  ) {}

  open(body: unknown): SimulatorResponse {
    const parsed = openBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { transaction_id, kind, reason_code = null, evidence_due_in } = parsed.data;
    const charge = this.store.ofTransaction(transaction_id).findLast(({ captured }) => captured > 0);
    if (charge === undefined)
      return controlErrorResponse(404, 'not_found', 'no charge with this transaction_id is captured');
    const { amount = charge.captured } = parsed.data;
    if (amount > charge.captured)
      return controlErrorResponse(422, 'amount_too_large', `only ${charge.captured} were captured`);
    const now = new Date();
    const dueAt = evidence_due_in === undefined ? null : new Date(now.getTime() + evidence_due_in * 1_000);
    const dispute: StoredDispute = {
      id: `dp_${randomUUID()}`,
      kind,
      status: 'opened',
      amount,
      returned: 0,
      reasonCode: reason_code,
      evidenceDueAt: dueAt?.toISOString() ?? null,
      changedAt: now.toISOString(),
    };
    this.commit(charge, dispute, takes(dispute) ? [post.disputed(amount, dispute.id)] : [], now);
    return { status: 201, body: { id: dispute.id } };
  }

  /** Every dispute, or those of a payment. */
  list(query: URLSearchParams): SimulatorResponse {
    const transactionId = query.get('transaction_id');
    const charges = transactionId === null ? this.store.disputed() : this.store.ofTransaction(transactionId);
    const disputes = charges.flatMap(({ reference, disputes: ofCharge = [] }) =>
      ofCharge.map(({ id, kind, status, amount, returned }) => ({
        ...{ id, reference, kind, status, amount, returned },
      })),
    );
    return { status: 200, body: { disputes } };
  }

  show(id: string): SimulatorResponse {
    const dispute = this.store.withDispute(id)?.disputes?.find((one) => one.id === id);
    if (dispute === undefined) return controlErrorResponse(404, 'not_found', 'no dispute has this id');
    const { status, returned, evidence = [] } = dispute;
    return { status: 200, body: { id, status, returned, evidence } };
  }

  change(id: string, body: unknown): SimulatorResponse {
    const parsed = changeBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const charge = this.store.withDispute(id);
    const before = charge?.disputes?.find((dispute) => dispute.id === id);
    if (charge === null || before === undefined)
      return controlErrorResponse(404, 'not_found', 'no dispute has this id');
    const status = parsed.data.status === 'reopened' ? 'opened' : parsed.data.status;
    if (!mayFollow(before.status, status))
      return controlErrorResponse(422, 'invalid_state', `the dispute is ${before.status}`);
    const returned = status === 'won' ? (parsed.data.returned ?? before.amount) : 0;
    if (returned > before.amount)
      return controlErrorResponse(422, 'amount_too_large', `only ${before.amount} are disputed`);
    // Later than the change before it, so that receivers can tell their order.
    const now = new Date(Math.max(Date.now(), Date.parse(before.changedAt) + 1));
    const dispute = { ...before, status, returned, changedAt: now.toISOString() } as const;
    this.commit(charge, dispute, movements(before, dispute), now);
    return { status: 200, body: { id, status, returned } };
  }

  private commit(
    charge: StoredCharge,
    dispute: StoredDispute,
    postings: readonly Posting[],
    now: Date,
  ): void {
    const others = (charge.disputes ?? []).filter(({ id }) => id !== dispute.id);
    const changed = { ...charge, disputes: [...others, dispute] };
    this.store.commit(changed, charge.reference, postings, now);
    if (changed.callbacks) void this.callbacks.send(changed, { kind: 'chargeback', dispute });
  }
}

/** Only an open dispute is answered, only an undecided one is decided, and only a decided one is opened again. */
function mayFollow(before: StoredDispute['status'], after: StoredDispute['status']): boolean {
  const isDecided = before === 'won' || before === 'lost';
  if (after === 'submitted') return before === 'opened';
  return (after === 'opened') === isDecided;
}

/** What the merchant gets back, or loses again when a dispute is reopened. */
function movements(before: StoredDispute, after: StoredDispute): Posting[] {
  if (!takes(after)) return [];
  const returned = after.returned - before.returned;
  if (returned === 0) return [];
  return [returned > 0 ? post.disputeReturned(returned, after.id) : post.disputed(-returned, after.id)];
}

/** A retrieval only asks for documents. */
function takes({ kind }: StoredDispute): boolean {
  return kind !== 'retrieval';
}

function invalid(error: z.ZodError): SimulatorResponse {
  return controlErrorResponse(422, 'invalid_request', z.prettifyError(error));
}
