import type { DisputeReport } from '../../../gateways/simulator/wire-callback';
import type { StoredDispute } from '../../charge-store';

/** A dispute as callbacks report it. */
export function disputeReportOf(dispute: StoredDispute): DisputeReport {
  const { id, kind, status, amount, returned, reasonCode, evidenceDueAt, changedAt } = dispute;
  return {
    id,
    kind,
    status,
    amount,
    returned_amount: returned,
    reason_code: reasonCode,
    evidence_due_at: evidenceDueAt,
    changed_at: changedAt,
  };
}
