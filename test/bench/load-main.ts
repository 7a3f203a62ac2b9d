import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { Pool } from 'undici';
import type { bare } from './bare-workflow';
import { cardPaymentBody } from './card-payment';
import { runLoad, type Call, type Load } from './load';
import type { LoadAnswer, LoadTarget } from './load-process';

/** The load generator's process: makes the calls its parent asks for, one load after the other. */

const MAX_CONNECTIONS = 256;
/** Ids tell runs apart, and the floor's from the engine's. */
const RUN = randomUUID().slice(0, 8);

async function callOf(target: LoadTarget): Promise<Call> {
  switch (target.kind) {
    case 'engine':
      return httpCall(new URL(`${target.apiUrl}/payments/card`), {
        'x-client-id': target.clientId,
        'x-api-key': target.apiKey,
      });
    case 'floor':
      return httpCall(new URL(`${target.url}/payments/card`), {});
    case 'bare':
      return workflowCall(target.temporalAddress, target.taskQueue);
  }
}

/** A card payment with a key of its own, as merchants are told to send it; the id is the payment's. */
function httpCall(url: URL, headers: Record<string, string>): Call {
  const pool = new Pool(url.origin, { connections: MAX_CONNECTIONS });
  let number = 0;
  return async () => {
    number += 1;
    const payment = { number, orderId: `bench-${RUN}-${number}`, amountCents: 1_000 + (number % 50_000) };
    const response = await pool.request({
      method: 'POST',
      path: url.pathname,
      headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify(cardPaymentBody(payment)),
    });
    const text = await response.body.text();
    const body = JSON.parse(text) as { status?: string; transaction_id?: string };
    if (response.statusCode !== 200 || body.status !== 'approved' || body.transaction_id === undefined) {
      throw new Error(`a payment was answered ${response.statusCode}: ${text}`);
    }
    return body.transaction_id;
  };
}

async function workflowCall(address: string, taskQueue: string): Promise<Call> {
  const client = new Client({ connection: await Connection.connect({ address }) });
  let number = 0;
  return async () => {
    number += 1;
    const workflowId = `bare/${RUN}/${number}`;
    await client.workflow.execute<typeof bare>('bare', { workflowId, taskQueue });
    return workflowId;
  };
}

async function main(): Promise<void> {
  const call = await callOf(JSON.parse(process.argv[2] ?? '') as LoadTarget);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (load: Load) => {
    runLoad(load, call).then(
      (result) => answer({ result }),
      (error: unknown) => answer({ failed: error instanceof Error ? error.message : String(error) }),
    );
  });
}

function answer(message: LoadAnswer): void {
  process.send?.(message);
}

void main();
