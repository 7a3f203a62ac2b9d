import type { Client } from 'pg';
import { seedCustomers } from './customers-seed';

const BATCH = 50_000;
/** The payments are spread evenly over one year. */
const PERIOD_DAYS = 365;

/** Fills an empty database with a company of `count` payments, as after one year. Returns the company's number. */
export async function seedPayments(client: Client, count: number): Promise<number> {
  const [company] = (
    await client.query<{ id: number }>(
      `INSERT INTO companies (client_id, name, slug) VALUES ('client_bench', 'Bench', 'bench') RETURNING id`,
    )
  ).rows;
  if (company === undefined) throw new Error('there is no company');
  await client.query(CUSTOMERS, [company.id]);
  await seedCustomers(client, company.id, Math.ceil(count / 4));
  // Disables triggers and foreign keys; the counters are filled with one statement below.
  await client.query(`SET session_replication_role = replica`);
  for (let first = 1; first <= count; first += BATCH) {
    const last = Math.min(count, first + BATCH - 1);
    await client.query(PAYMENTS, [company.id, first, last, count, PERIOD_DAYS]);
  }
  for (const statement of [ATTEMPTS, FAILED_OVER]) await client.query(statement);
  await client.query(COUNTERS);
  await client.query(`SET session_replication_role = origin`);
  await client.query(UNFOLDED_CHANGES);
  await client.query('VACUUM ANALYZE');
  return company.id;
}

const CUSTOMERS = `
  INSERT INTO customers (token, company_id, type, erased_at)
  SELECT 'cus_' || n, $1, 'individual', now()
    FROM generate_series(1, 100) AS n`;

/** Every attribute of a payment depends on its number, so the small and the large company have the same distribution. */
const PAYMENTS = `
  INSERT INTO payments (transaction_id, company_id, merchant_order_id, amount_cents, currency, payment_method, status,
    message, capture, installments, customer_id, customer, card, captured_amount_cents, refunded_amount_cents,
    posted_captured_cents, posted_refunded_cents, attempts, last_gateway, requested_at, settled_at, created_at, updated_at)
  SELECT uuidv7(), $1, 'order-' || n, amount, 'BRL', method, status, status, true, 1, c.id,
    jsonb_build_object('id', c.id, 'token', c.token, 'type', c.type),
    CASE WHEN method = 'card' THEN jsonb_build_object('token', null, 'brand', 'visa', 'first6Digits', '411111',
      'last4Digits', CASE WHEN n % 2 = 0 THEN '1111' ELSE lpad((n * 7919 % 10000)::text, 4, '0') END,
      'expireMonth', 12, 'expireYear', 2035) END,
    captured, refunded, captured, refunded,
    CASE WHEN failed_over THEN 2 ELSE 1 END, gateway, at, at, at, at
  FROM generate_series($2::bigint, $3::bigint) AS n
    JOIN customers c ON c.token = 'cus_' || n % 100 + 1
    CROSS JOIN LATERAL (SELECT
      now() - make_interval(secs => ($4::bigint - n) * ($5::float8 * 86400 / $4::bigint)) AS at,
      500 + n * 7919 % 50000 AS amount,
      n * 7907 % 100 < 5 AS failed_over,
      (ARRAY['card', 'card', 'card', 'card', 'card', 'card', 'card', 'pix', 'pix', 'billet'])[n * 31 % 10 + 1] AS method,
      (ARRAY['gateway_1', 'gateway_1', 'gateway_1', 'gateway_1', 'gateway_1', 'gateway_1', 'gateway_2', 'gateway_2',
        'gateway_2', 'gateway_3'])[n * 7919 / 10 % 10 + 1] AS gateway,
      CASE WHEN n * 7933 % 1000 < 810 THEN 'approved' WHEN n * 7933 % 1000 < 940 THEN 'failed'
        WHEN n * 7933 % 1000 < 970 THEN 'refunded' WHEN n * 7933 % 1000 < 990 THEN 'canceled' ELSE 'pending' END AS status) generated
    CROSS JOIN LATERAL (SELECT CASE WHEN status IN ('approved', 'refunded') THEN amount ELSE 0 END AS captured,
      CASE WHEN status = 'refunded' THEN amount ELSE 0 END AS refunded) amounts`;

/** What the triggers would have counted. */
const COUNTERS = `
  INSERT INTO payment_counters
    SELECT company_id, grain, date_trunc(grain, created_at, 'UTC'), status, payment_method, coalesce(last_gateway, ''),
      currency, count(*), sum(amount_cents), sum(captured_amount_cents), sum(refunded_amount_cents)
    FROM payments, unnest(ARRAY['hour', 'day', 'month']) AS grain WHERE status <> 'processing'
    GROUP BY 1, 2, 3, 4, 5, 6, 7;
  INSERT INTO charge_counters
    SELECT company_id, grain, date_trunc(grain, created_at, 'UTC'), gateway_slug, status,
      CASE WHEN status = 'declined' THEN left(coalesce(response_code, ''), 40) ELSE '' END, count(*)
    FROM gateway_attempts, unnest(ARRAY['hour', 'day', 'month']) AS grain
    WHERE operation IN ('authorize', 'charge') AND status NOT IN ('requested', 'sent')
    GROUP BY 1, 2, 3, 4, 5, 6`;

/** Changes that no worker has added to the counters yet. */
const UNFOLDED_CHANGES = `
  UPDATE payments SET status = 'refunded', refunded_amount_cents = amount_cents
    WHERE id IN (SELECT id FROM payments WHERE status = 'approved' ORDER BY created_at DESC LIMIT 100)`;

const ATTEMPT = `
  INSERT INTO gateway_attempts (id, payment_id, company_id, attempt, operation, gateway_slug,
    reference, status, amount_cents, gateway_transaction_id, response_code, response_message, decline_type, request_ms,
    sent_at, created_at, updated_at)`;

const ATTEMPTS = `${ATTEMPT}
  SELECT uuidv7(), id, company_id, attempts, 'charge', last_gateway, transaction_id || '-' || attempts,
    CASE status WHEN 'failed' THEN 'declined' WHEN 'canceled' THEN 'declined' WHEN 'refunded' THEN 'approved' ELSE status END,
    amount_cents, 'ch_' || id, CASE WHEN status IN ('failed', 'canceled') THEN (ARRAY['05', '51', '54', '91'])[id % 4 + 1]
    ELSE '00' END, status, NULL, 120, created_at, created_at, created_at
  FROM payments`;

const FAILED_OVER = `${ATTEMPT}
  SELECT uuidv7(), id, company_id, 1, 'charge', 'gateway_2', transaction_id || '-1', 'error', amount_cents,
    NULL, NULL, 'refused', NULL, 20, created_at, created_at, created_at
  FROM payments WHERE attempts = 2`;
