import type { Database } from '../sql/transaction';

/** Owns the counters of lists and dashboard. Triggers insert the deltas (`migrations/initial/counters.ts` and `0049`). */
export class CounterRepository {
  constructor(private readonly db: Database) {}

  /**
   * Adds at most `limit` deltas of each kind to the counters and returns how many there were. Skips deltas that another
   * process has locked, and updates counters in one order, so that there are no deadlocks.
   */
  async applyDeltas(limit: number): Promise<number> {
    const applied = [
      await this.db.queryOne<{ deltas: number }>(APPLY_PAYMENT_DELTAS, [limit]),
      await this.db.queryOne<{ deltas: number }>(APPLY_CHARGE_DELTAS, [limit]),
      await this.db.queryOne<{ deltas: number }>(APPLY_RULE_DELTAS, [limit]),
    ];
    return applied.reduce((sum, row) => sum + (row?.deltas ?? 0), 0);
  }
}

const APPLY_PAYMENT_DELTAS = applyStatement(
  'payment_counter_deltas',
  'payment_counters',
  ['status', 'payment_method', 'gateway', 'currency'],
  ['payments', 'amount_cents', 'captured_cents', 'refunded_cents'],
);

const APPLY_CHARGE_DELTAS = applyStatement(
  'charge_counter_deltas',
  'charge_counters',
  ['gateway', 'status', 'response_code'],
  ['charges'],
);

const APPLY_RULE_DELTAS = applyStatement(
  'rule_counter_deltas',
  'rule_counters',
  ['rule', 'status'],
  ['charges'],
);

function applyStatement(
  deltas: string,
  counters: string,
  dimensions: readonly string[],
  sums: readonly string[],
): string {
  const key = ['company_id', 'grain', 'bucket_start', ...dimensions].join(', ');
  return `
    WITH removed AS (
      DELETE FROM ${deltas} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${deltas} LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING *),
    added AS (
      INSERT INTO ${counters} (${key}, ${sums.join(', ')})
      SELECT company_id, grain, date_trunc(grain, created_at, 'UTC') AS bucket_start, ${dimensions.join(', ')},
          ${sums.map((sum) => `sum(${sum})`).join(', ')}
        FROM removed, unnest(ARRAY['hour', 'day', 'month']) AS grain
        GROUP BY ${key}
        HAVING ${sums.map((sum) => `sum(${sum}) <> 0`).join(' OR ')}
        ORDER BY ${key}
      ON CONFLICT (${key}) DO UPDATE SET ${sums.map((sum) => `${sum} = ${counters}.${sum} + EXCLUDED.${sum}`).join(', ')})
    SELECT count(*) AS deltas FROM removed`;
}
