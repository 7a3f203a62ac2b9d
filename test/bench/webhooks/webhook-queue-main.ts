import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool, type PoolClient } from 'pg';
import { Agent, request as undiciRequest } from 'undici';
import { webhookHeaders } from '../../../src/security/webhook-signature';

/**
 * Baseline Q: a queue in Postgres, read with `FOR UPDATE SKIP LOCKED`. Webhooks are signed and sent, without retries,
 * limits per endpoint, address checks or a record of attempts. Configured by `BENCH_DATABASE_URL`.
 */

const WORKERS = 16;
const IDLE_MS = 20;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS queued_webhooks (
    id uuid PRIMARY KEY,
    url text NOT NULL,
    payload text NOT NULL,
    status text NOT NULL DEFAULT 'pending',
    delivered_at timestamptz
  );
  CREATE INDEX IF NOT EXISTS queued_webhooks_pending ON queued_webhooks (id) WHERE status = 'pending'`;

interface Queued {
  readonly id: string;
  readonly url: string;
  readonly payload: string;
}

const pool = new Pool({ connectionString: process.env.BENCH_DATABASE_URL, max: WORKERS });
const agent = new Agent();
const secret = `whsec_${randomBytes(32).toString('base64')}`;

async function deliverNext(client: PoolClient): Promise<boolean> {
  await client.query('BEGIN');
  const { rows } = await client.query<Queued>(
    `SELECT id, url, payload FROM queued_webhooks WHERE status = 'pending' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
  );
  const [webhook] = rows;
  if (webhook !== undefined) {
    const status = await post(webhook);
    await client.query('UPDATE queued_webhooks SET status = $2, delivered_at = now() WHERE id = $1', [
      webhook.id,
      status < 300 ? 'delivered' : 'failed',
    ]);
  }
  await client.query('COMMIT');
  return webhook !== undefined;
}

async function post({ id, url, payload }: Queued): Promise<number> {
  const headers = webhookHeaders({ id: `msg_${id}`, sentAt: new Date(), body: payload }, [secret]);
  const { statusCode, body } = await undiciRequest(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: payload,
    dispatcher: agent,
  });
  await body.dump();
  return statusCode;
}

async function work(client: PoolClient): Promise<void> {
  while (await deliverNext(client));
}

/** While the queue is empty, only one connection polls it, so that it does not affect the service's measurements. */
async function main(): Promise<void> {
  await pool.query(SCHEMA);
  const clients = await Promise.all(Array.from({ length: WORKERS }, () => pool.connect()));
  const [first] = clients;
  for (;;) {
    if (first !== undefined && (await deliverNext(first))) await Promise.all(clients.map(work));
    else await delay(IDLE_MS);
  }
}

void main();
