import type { PaymentAttention } from '../../domain/dashboard/payment-attention';
import type { TimeRange } from '../../domain/time/counter-range';
import type { Database } from '../sql/transaction';

/**
 * Conditions on `payments`, in which `$1` is the company. They are literal, and repeat what the partial indexes
 * `payments_paid_other_amount`, `disputes_undecided` and `payments_stuck` say, because only then these are used. OFFSET 0, so that
 * the attempts are looked up by their payment.
 */
const CONDITIONS: Readonly<Record<PaymentAttention, string>> = {
  overpaid: 'paid_amount_cents <> amount_cents AND paid_amount_cents > amount_cents',
  // As undecidedCents of the domain: above 0.
  underpaid: `paid_amount_cents <> amount_cents AND payment_method <> 'card' AND status IN ('pending', 'failed', 'canceled')
    AND paid_amount_cents > refunded_amount_cents`,
  disputed: `id = ANY(ARRAY(SELECT payment_id FROM disputes
    WHERE company_id = $1 AND status IN ('opened', 'submitted')))`,
  contradicted: `stuck_at IS NOT NULL AND EXISTS (SELECT 1 FROM gateway_attempts a WHERE a.payment_id = payments.id
    AND a.operation = 'inquiry' AND a.purpose = 'found_at_gateway' AND a.escalated_at IS NOT NULL OFFSET 0)`,
};

export function needsAttention(attention: PaymentAttention): string {
  return CONDITIONS[attention];
}

export type AttentionCounts = Readonly<Record<PaymentAttention, number>>;

/** The overpaid payments of the period, and all others. An overpaid payment stays so: the gateway refunds the excess. */
export async function countAttention(
  db: Database,
  companyId: number,
  { from, to }: TimeRange,
): Promise<AttentionCounts> {
  const row = await db.queryOne<AttentionCounts>(COUNTS, [companyId, from, to]);
  return row ?? { overpaid: 0, underpaid: 0, disputed: 0, contradicted: 0 };
}

const COUNTS = `
  SELECT
    (SELECT count(*) FROM payments WHERE company_id = $1 AND created_at >= $2 AND created_at < $3 AND ${CONDITIONS.overpaid}) AS overpaid,
    (SELECT count(*) FROM payments WHERE company_id = $1 AND ${CONDITIONS.underpaid}) AS underpaid,
    (SELECT count(*) FROM payments WHERE company_id = $1 AND ${CONDITIONS.disputed}) AS disputed,
    (SELECT count(*) FROM payments WHERE company_id = $1 AND ${CONDITIONS.contradicted}) AS contradicted`;
