import { coverRange, type TimeRange } from '../../domain/time/counter-range';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { pageBounds, type PageRequest } from '../../domain/shared/page';
import type { PaymentMethod, PaymentStatus } from '../../domain/payments/payment';
import type { Database } from '../sql/transaction';

/** What the counters tell apart. */
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
 * One page of a company's payments, newest first, and how many there are in all: the answer of `OFFSET` and `count(*)`
 * without reading what lies before the page. The counters tell the months, in them the days, and in those the hours that
 * hold the page's payments; only those hours are read. One statement, and so one instant.
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
 * A range has at most seven parts. Spelled out, so that the planner knows without seeing them that there are few, and
 * plans the statement once: planning it takes longer than running it.
 */
const COVER = Array.from({ length: 7 }, (_, part) => part + 1)
  .map((part) => `(($7::text[])[${part}], ($8::timestamptz[])[${part}], ($9::timestamptz[])[${part}])`)
  .join(', ');

/**
 * `loose` is what the counters do not have: changes not yet folded, payments without a result, and those at the ends of
 * the range, less than an hour from the next counter. `spans` are counters with what is loose in them, each with how many
 * payments are newer than its own; at each step those that hold a part of the page go on.
 */
const PAGE = `
  WITH cover AS MATERIALIZED (
    SELECT * FROM (VALUES ${COVER}) AS c (grain, "from", "to") WHERE grain IS NOT NULL),
  loose AS MATERIALIZED (
    SELECT date_trunc('hour', created_at, 'UTC') AS at, sum(payments) AS payments FROM (
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
  widest AS MATERIALIZED (
    SELECT grain, at, sum(payments)::bigint AS payments, (sum(sum(payments)) OVER (ORDER BY at DESC) - sum(payments))::bigint AS newer
      FROM (
        SELECT c.grain, k.at, k.payments FROM cover c CROSS JOIN LATERAL (
          SELECT at, payments FROM payment_counters WHERE company_id = $1 AND grain = c.grain AND at >= c."from"
            AND at < c."to" AND ${MATCHES('gateway')} OFFSET 0) k
        UNION ALL
        SELECT replace(c.grain, 'raw', 'hour'), date_trunc(replace(c.grain, 'raw', 'hour'), l.at, 'UTC'), l.payments
          FROM loose l JOIN cover c
            ON l.at < c."to" AND l.at >= date_trunc(replace(c.grain, 'raw', 'hour'), c."from", 'UTC')) counted
      GROUP BY grain, at HAVING sum(payments) > 0),
  ${finer('by_day', 'widest', 'month', 'day')},
  ${finer('by_hour', 'by_day', 'day', 'hour')},
  page AS (
    SELECT p.id, p.created_at FROM by_hour h CROSS JOIN LATERAL (
      SELECT id, created_at FROM payments
        WHERE ${RANGE} AND created_at >= h.at AND created_at < h.at + interval '1 hour' AND ${MATCHES('last_gateway')}
        ORDER BY created_at DESC, id DESC
        OFFSET greatest($11 - h.newer, 0) LIMIT least($10 + $11 - h.newer, $10)) p
      WHERE ${holdPage('h')}
      ORDER BY p.created_at DESC, p.id DESC LIMIT $10)
  SELECT total.payments AS total, p.id, p.transaction_id AS "transactionId"
    FROM (SELECT coalesce(sum(payments), 0)::bigint AS payments FROM widest) total
    LEFT JOIN page ON true LEFT JOIN payments p ON p.id = page.id
    ORDER BY page.created_at DESC, page.id DESC`;

/** Those of a step's spans that hold a part of the page. */
function holdPage(span: string): string {
  return `${span}.newer < $10::bigint + $11::bigint AND ${span}.newer + ${span}.payments > $11::bigint`;
}

/** The next step: spans of one grain in those of the next finer. */
function finer(name: string, spans: string, grain: string, next: string): string {
  const inside = `at >= s.at AND at < date_add(s.at, interval '1 ${grain}', 'UTC')`;
  return `${name} AS MATERIALIZED (
    SELECT s.grain, s.at, s.payments, s.newer FROM ${spans} s WHERE s.grain <> '${grain}' AND ${holdPage('s')}
    UNION ALL
    SELECT '${next}', k.at, sum(k.payments)::bigint,
        (s.newer + sum(sum(k.payments)) OVER (PARTITION BY s.at ORDER BY k.at DESC) - sum(k.payments))::bigint
      FROM ${spans} s CROSS JOIN LATERAL (
        SELECT at, payments FROM payment_counters
          WHERE company_id = $1 AND grain = '${next}' AND ${inside} AND ${MATCHES('gateway')}
        UNION ALL
        SELECT date_trunc('${next}', at, 'UTC'), payments FROM loose WHERE ${inside}) k
      WHERE s.grain = '${grain}' AND ${holdPage('s')}
      GROUP BY s.at, s.newer, k.at HAVING sum(k.payments) > 0)`;
}
