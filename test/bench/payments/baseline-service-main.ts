import { randomUUID } from 'node:crypto';
import express from 'express';
import { Pool } from 'pg';
import { Agent, request as undiciRequest } from 'undici';
import type { cardPaymentBody } from '../support/payment-bodies';

/**
 * Baseline F: a minimal payment service without durable workflows. It commits the payment, calls the gateway and commits
 * the result; it does not recover from a crash in between. Configured by `BENCH_BASELINE_PORT`,
 * `BENCH_BASELINE_DATABASE_URL` and `BENCH_SIMULATOR_URL`.
 */

const CONNECTIONS = 20;
const SCHEMA = `
  CREATE TABLE payments (
    id uuid PRIMARY KEY,
    merchant_order_id text NOT NULL,
    amount_cents bigint NOT NULL,
    status text NOT NULL,
    gateway_transaction_id text,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`;

type CardPaymentBody = ReturnType<typeof cardPaymentBody>;
interface GatewayReply {
  readonly id: string;
  readonly status: string;
}

const pool = new Pool({ connectionString: process.env.BENCH_BASELINE_DATABASE_URL, max: CONNECTIONS });
const agent = new Agent();
const chargeUrl = `${process.env.BENCH_SIMULATOR_URL}/gateway_1/charges`;

async function pay(body: CardPaymentBody): Promise<{ transaction_id: string; status: string }> {
  const id = randomUUID();
  await pool.query(
    `INSERT INTO payments (id, merchant_order_id, amount_cents, status) VALUES ($1, $2, $3, 'processing')`,
    [id, body.merchant_order_id, body.amount],
  );
  const { id: gatewayTransactionId, status } = await charge(id, body);
  await pool.query(
    'UPDATE payments SET status = $2, gateway_transaction_id = $3, updated_at = now() WHERE id = $1',
    [id, status, gatewayTransactionId],
  );
  return { transaction_id: id, status };
}

async function charge(id: string, body: CardPaymentBody): Promise<GatewayReply> {
  const response = await undiciRequest(chargeUrl, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer sk_bench_baseline',
      'idempotency-key': id,
    },
    body: JSON.stringify({
      reference: `${id}/1/charge`,
      amount: body.amount,
      currency: body.currency,
      method: 'card',
      customer: body.customer,
      card: { ...body.card, brand: 'visa' },
      billing_address: body.billing_address,
    }),
  });
  return (await response.body.json()) as GatewayReply;
}

async function main(): Promise<void> {
  await pool.query(SCHEMA);
  const app = express();
  app.use(express.json());
  app.post('/payments/card', async (request, response) => {
    response.json(await pay(request.body as CardPaymentBody));
  });
  app.get('/health', (_request, response) => {
    response.json({ status: 'ready' });
  });
  app.listen(Number(process.env.BENCH_BASELINE_PORT), '127.0.0.1');
}

void main();
