import type { AttemptStatus } from '../../domain/payments/payment';
import { coverRange, type TimeRange } from '../../domain/time/counter-range';
import type { Database } from '../sql/transaction';

/** Charges with the same status that one routing rule matched. */
export interface RuleCharges {
  /** The rule's name when the charges were made; null for all charges of the company, with or without a rule. */
  readonly rule: string | null;
  readonly status: AttemptStatus;
  readonly charges: number;
}

/** A company may rename rules as often as it likes. */
const MAX_ROWS = 5_000;

/**
 * Charges by routing rule and status, from the counters and the deltas that are not applied yet. `hours` begins and ends with an
 * hour.
 */
export function countRuleCharges(db: Database, companyId: number, hours: TimeRange): Promise<RuleCharges[]> {
  const parts = coverRange(hours);
  return db.query<RuleCharges>(RULE_CHARGES, [
    companyId,
    parts.map(({ grain }) => grain),
    parts.map(({ from }) => from),
    parts.map(({ to }) => to),
    hours.from,
    hours.to,
    MAX_ROWS,
  ]);
}

const counted = (rule: string, counters: string, deltas: string): string => `
  SELECT k.rule, k.status, k.charges FROM parts p CROSS JOIN LATERAL (
    SELECT ${rule} AS rule, status, charges FROM ${counters}
      WHERE company_id = $1 AND grain = p.grain AND bucket_start >= p."from" AND bucket_start < p."to" OFFSET 0) k
  UNION ALL
  SELECT ${rule}, status, charges FROM ${deltas} WHERE company_id = $1 AND created_at >= $5 AND created_at < $6`;

const RULE_CHARGES = `
  WITH parts AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) AS p (grain, "from", "to"))
  SELECT rule, status, sum(charges)::bigint AS charges FROM (
    ${counted('NULL::text', 'charge_counters', 'charge_counter_deltas')}
    UNION ALL
    ${counted('rule', 'rule_counters', 'rule_counter_deltas')}) AS c
  GROUP BY rule, status HAVING sum(charges) <> 0
  ORDER BY rule NULLS FIRST, charges DESC, status LIMIT $7`;
