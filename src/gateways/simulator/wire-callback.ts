import { z } from 'zod';
import type { DisputeHint } from '../callback';
import { chargeStatus, nonNegativeCents, reference } from './wire';

/** A dispute in a callback, as it was at that time. */
const disputeReport = z.object({
  id: z.string().min(1).max(255),
  kind: z.enum(['chargeback', 'retrieval', 'med']),
  status: z.enum(['opened', 'submitted', 'won', 'lost']),
  amount: z.int().positive(),
  returned_amount: nonNegativeCents,
  reason_code: z.string().max(64).nullable(),
  evidence_due_at: z.iso.datetime().nullable(),
  changed_at: z.iso.datetime(),
});
export type DisputeReport = z.output<typeof disputeReport>;

/** A callback: the charge's state at that time, or a chargeback. */
export const callbackBody = z.object({
  id: z.string().min(1).max(255),
  kind: z.enum([...chargeStatus.options, 'chargeback']),
  charge_id: z.string().min(1),
  reference,
  amount: nonNegativeCents,
  paid_amount: nonNegativeCents,
  captured_amount: nonNegativeCents.optional(),
  refunded_amount: nonNegativeCents.optional(),
  /** Of a chargeback: the dispute that it is about. */
  dispute: disputeReport.optional(),
  created_at: z.iso.datetime(),
});
export type CallbackBody = z.output<typeof callbackBody>;

export function reportedDisputeOf(dispute: DisputeReport): DisputeHint {
  const { id, kind, status, amount, returned_amount, reason_code, evidence_due_at, changed_at } = dispute;
  return {
    gatewayDisputeId: id,
    currency: null,
    kind,
    status,
    amountCents: amount,
    returnedCents: returned_amount,
    reasonCode: reason_code,
    evidenceDueAt: evidence_due_at === null ? null : new Date(evidence_due_at),
    at: new Date(changed_at),
  };
}
