import { coverRange, type TimeRange } from '../../domain/time/counter-range';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { pageBounds, type PageRequest } from '../../domain/shared/page';
import type { PaymentMethod, PaymentStatus } from '../../domain/payments/payment';
import type { Database } from '../sql/transaction';

/** The dimensions of the counters. */
export interface CountedFilter {
  readonly status?: PaymentStatus | undefined;
  readonly paymentMethod?: PaymentMethod | undefined;
  readonly gateway?: GatewaySlug | undefined;
}

export interface PaymentKeys {
  readonly id: number;
  readonly transactionId: string;
}

/**
 * One page of a company's payments, newest first, and the total: the result of `OFFSET` and `count(*)` without reading
 * the rows before the page. The counters locate the months, then the days, then the hours that contain the page's
 * payments, and only those hours are read. A single statement, so that page and total are of one snapshot.
 */
export async function loadCountedPage(
  db: Database,
  companyId: number,
  range: TimeRange,
  filter: CountedFilter,
  page: PageRequest,
): Promise<{ readonly keys: PaymentKeys[]; readonly total: number }> {
  const cover = coverRange(range);
  const { limit, offset } = pageBounds(page);
  const rows = await db.query<{ total: number; id: number | null; transactionId: string }>(PAGE, [
    companyId,
    range.from,
    range.to,
    filter.status ?? null,
    filter.paymentMethod ?? null,
    filter.gateway ?? null,
    cover.map(({ grain }) => grain),
    cover.map(({ from }) => from),
    cover.map(({ to }) => to),
    limit,
    offset,
  ]);
  const keys = rows.flatMap(({ id, transactionId }) => (id === null ? [] : [{ id, transactionId }]));
  return { keys, total: rows[0]?.total ?? 0 };
}

const RANGE = 'company_id = $1 AND created_at >= $2::timestamptz AND created_at < $3::timestamptz';
const MATCHES = (gateway: string): string =>
  `($4::text IS NULL OR status = $4) AND ($5::text IS NULL OR payment_method = $5) AND ($6::text IS NULL OR ${gateway} = $6)`;

/**
 * A range has at most seven parts. Listing seven lets the planner know that there are few and keep a generic plan:
 * planning this statement takes longer than running it.
 */
const COVER = Array.from({ length: 7 }, (_, part) => part + 1)
  .map((part) => `(($7::text[])[${part}], ($8::timestamptz[])[${part}], ($9::timestamptz[])[${part}])`)
  .join(', ');

/**
 * `uncounted` are payments that the counters lack: deltas not applied yet, payments without a result, and the parts of
 * the range shorter than an hour. `by_cover`, `by_day` and `by_hour` are buckets of counters plus `uncounted`, each with
 * the number of payments newer than it (`newer`); each step splits the buckets that contain a part of the page.
 */
const PAGE = `
  WITH cover AS MATERIALIZED (
    SELECT * FROM (VALUES ${COVER}) AS c (grain, "from", "to") WHERE grain IS NOT NULL),
  uncounted AS MATERIALIZED (
    SELECT date_trunc('hour', created_at, 'UTC') AS bucket_start, sum(payments) AS payments FROM (
      SELECT d.created_at, d.payments FROM payment_counter_deltas d
        WHERE ${RANGE} AND ${MATCHES('gateway')}
          AND NOT EXISTS (SELECT FROM cover c WHERE c.grain = 'raw' AND d.created_at >= c."from" AND d.created_at < c."to")
      UNION ALL
      SELECT p.created_at, 1 FROM (
        SELECT * FROM payments WHERE company_id = $1 AND status = 'processing' OFFSET 0) p
        WHERE ${RANGE} AND ${MATCHES('last_gateway')}
      UNION ALL
      SELECT p.created_at, 1 FROM cover c CROSS JOIN LATERAL (
        SELECT created_at FROM payments WHERE c.grain = 'raw' AND company_id = $1 AND created_at >= c."from"
          AND created_at < c."to" AND status <> 'processing' AND ${MATCHES('last_gateway')} OFFSET 0) p) changes
    GROUP BY 1),
  by_cover AS MATERIALIZED (
    SELECT grain, bucket_start, sum(payments)::bigint AS payments, (sum(sum(payments)) OVER (ORDER BY bucket_start DESC) - sum(payments))::bigint AS newer
      FROM (
        SELECT c.grain, k.bucket_start, k.payments FROM cover c CROSS JOIN LATERAL (
          SELECT bucket_start, payments FROM payment_counters WHERE company_id = $1 AND grain = c.grain AND bucket_start >= c."from"
            AND bucket_start < c."to" AND ${MATCHES('gateway')} OFFSET 0) k
        UNION ALL
        SELECT replace(c.grain, 'raw', 'hour'), date_trunc(replace(c.grain, 'raw', 'hour'), l.bucket_start, 'UTC'), l.payments
          FROM uncounted l JOIN cover c
            ON l.bucket_start < c."to" AND l.bucket_start >= date_trunc(replace(c.grain, 'raw', 'hour'), c."from", 'UTC')) counted
      GROUP BY grain, bucket_start HAVING sum(payments) > 0),
  ${splitBuckets('by_day', 'by_cover', 'month', 'day')},
  ${splitBuckets('by_hour', 'by_day', 'day', 'hour')},
  page AS (
    SELECT p.id, p.created_at FROM by_hour h CROSS JOIN LATERAL (
      SELECT id, created_at FROM payments
        WHERE ${RANGE} AND created_at >= h.bucket_start AND created_at < h.bucket_start + interval '1 hour' AND ${MATCHES('last_gateway')}
        ORDER BY created_at DESC, id DESC
        OFFSET greatest($11 - h.newer, 0) LIMIT least($10 + $11 - h.newer, $10)) p
      WHERE ${containsPage('h')}
      ORDER BY p.created_at DESC, p.id DESC LIMIT $10)
  SELECT total.payments AS total, p.id, p.transaction_id AS "transactionId"
    FROM (SELECT coalesce(sum(payments), 0)::bigint AS payments FROM by_cover) total
    LEFT JOIN page ON true LEFT JOIN payments p ON p.id = page.id
    ORDER BY page.created_at DESC, page.id DESC`;

/** Condition: the bucket contains a part of the page. */
function containsPage(bucket: string): string {
  return `${bucket}.newer < $10::bigint + $11::bigint AND ${bucket}.newer + ${bucket}.payments > $11::bigint`;
}

/** A CTE that splits the buckets of one grain into buckets of the next finer grain. */
function splitBuckets(name: string, buckets: string, grain: string, next: string): string {
  const inside = `bucket_start >= s.bucket_start AND bucket_start < date_add(s.bucket_start, interval '1 ${grain}', 'UTC')`;
  return `${name} AS MATERIALIZED (
    SELECT s.grain, s.bucket_start, s.payments, s.newer FROM ${buckets} s WHERE s.grain <> '${grain}' AND ${containsPage('s')}
    UNION ALL
    SELECT '${next}', k.bucket_start, sum(k.payments)::bigint,
        (s.newer + sum(sum(k.payments)) OVER (PARTITION BY s.bucket_start ORDER BY k.bucket_start DESC) - sum(k.payments))::bigint
      FROM ${buckets} s CROSS JOIN LATERAL (
        SELECT bucket_start, payments FROM payment_counters
          WHERE company_id = $1 AND grain = '${next}' AND ${inside} AND ${MATCHES('gateway')}
        UNION ALL
        SELECT date_trunc('${next}', bucket_start, 'UTC'), payments FROM uncounted WHERE ${inside}) k
      WHERE s.grain = '${grain}' AND ${containsPage('s')}
      GROUP BY s.bucket_start, s.newer, k.bucket_start HAVING sum(k.payments) > 0)`;
}
