import type { Database } from '../sql/transaction';

/** The sums of lists and dashboard (`0006-counters`), which triggers append changes to. */
export class CounterRepository {
  constructor(private readonly db: Database) {}

  /**
   * Folds at most `limit` changes of each kind into the counters, and returns how many there were. What others fold
   * meanwhile is left to them, and counters are taken in one order, so that nobody waits in a circle.
   */
  async fold(limit: number): Promise<number> {
    const folded = [
      await this.db.queryOne<{ taken: number }>(FOLD_PAYMENTS, [limit]),
      await this.db.queryOne<{ taken: number }>(FOLD_CHARGES, [limit]),
    ];
    return folded.reduce((sum, row) => sum + (row?.taken ?? 0), 0);
  }
}

const FOLD_PAYMENTS = foldStatement(
  'payment_counter_deltas',
  'payment_counters',
  ['status', 'payment_method', 'gateway', 'currency'],
  ['payments', 'amount_cents', 'captured_cents', 'refunded_cents'],
);

const FOLD_CHARGES = foldStatement(
  'charge_counter_deltas',
  'charge_counters',
  ['gateway', 'status', 'response_code'],
  ['charges'],
);

function foldStatement(
  deltas: string,
  counters: string,
  kinds: readonly string[],
  sums: readonly string[],
): string {
  const key = ['company_id', 'grain', 'at', ...kinds].join(', ');
  return `
    WITH taken AS (
      DELETE FROM ${deltas} WHERE ctid = ANY (ARRAY (SELECT ctid FROM ${deltas} LIMIT $1 FOR UPDATE SKIP LOCKED))
      RETURNING *),
    added AS (
      INSERT INTO ${counters} (${key}, ${sums.join(', ')})
      SELECT company_id, grain, date_trunc(grain, created_at, 'UTC') AS at, ${kinds.join(', ')},
          ${sums.map((sum) => `sum(${sum})`).join(', ')}
        FROM taken, unnest(ARRAY['hour', 'day', 'month']) AS grain
        GROUP BY ${key}
        HAVING ${sums.map((sum) => `sum(${sum}) <> 0`).join(' OR ')}
        ORDER BY ${key}
      ON CONFLICT (${key}) DO UPDATE SET ${sums.map((sum) => `${sum} = ${counters}.${sum} + EXCLUDED.${sum}`).join(', ')})
    SELECT count(*) AS taken FROM taken`;
}
