import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client as PostgresClient } from 'pg';
import { loadSandboxConfig } from '../../../src/config';
import type { components } from '../../../src/http/generated/openapi';
import type { SandboxFile } from '../../../src/dev/sandbox-file';
import { waitUntil } from '../../../src/dev/wait-until';
import { SimulatorControl } from '../../support/stack/simulator';
import {
  SELECT_RECORDED_PAYMENTS,
  compareWithLedger,
  readLedger,
  type RecordedPayment,
} from '../../support/scenarios/reconciliation';
import { cardPaymentBody } from '../support/payment-bodies';
import { DEMO_KINDS, mixKinds, type DemoKind } from './demo-payments';
import { table } from '../support/table';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/**
 * `npm run demo`, while `npm start` runs: creates 200 payments with every test card and with failover between gateways.
 * Then compares the API's responses, the payment list and the database with the gateways' ledger. Exits with 1 if they
 * differ.
 */

type DemoApiPayment = components['schemas']['Payment'];
type PaymentListItem = components['schemas']['PaymentListItem'];
interface PaymentListPage {
  readonly data: PaymentListItem[];
  readonly meta: { readonly last_page: number };
}

interface DemoPayment {
  readonly kind: DemoKind;
  readonly payment: DemoApiPayment;
}

const CALLERS = 8;
const PER_PAGE = 100;
/** The absence of a charge takes 20 s to prove, at each of three gateways. */
const SETTLED_WITHIN_MS = 120_000;
const POLL_EVERY_MS = 500;
const SHOWN_DIFFERENCES = 20;

async function main(): Promise<void> {
  const sandbox = readSandbox();
  const payments = await createPayments(new SandboxApi(sandbox), new SimulatorControl(sandbox.simulator_url));
  console.log(`\n${summarize(payments)}\n`);
  const differences = await reconcile(sandbox, payments);
  if (differences.length === 0) {
    console.log(
      `The API, the payment list, the database and the ledger agree on all ${payments.length} payments.`,
    );
    return;
  }
  console.log(
    `${differences.length} differences:\n  ${differences.slice(0, SHOWN_DIFFERENCES).join('\n  ')}`,
  );
  process.exitCode = 1;
}

function readSandbox(): SandboxFile {
  const file = join(resolve(loadSandboxConfig().dataDir), 'sandbox.json');
  if (!existsSync(file)) throw new Error(`no ${file}: run "npm start" in another terminal first`);
  return JSON.parse(readFileSync(file, 'utf8')) as SandboxFile;
}

class SandboxApi {
  constructor(private readonly sandbox: SandboxFile) {}

  post(path: string, body: object): Promise<DemoApiPayment> {
    return this.call(path, { method: 'POST', body: JSON.stringify(body) });
  }

  get<T>(path: string): Promise<T> {
    return this.call(path, {});
  }

  private async call<T>(path: string, init: RequestInit): Promise<T> {
    const response = await fetch(`${this.sandbox.api_url}${path}`, {
      ...init,
      headers: {
        'content-type': 'application/json',
        'x-client-id': this.sandbox.client_id,
        'x-api-key': this.sandbox.api_key,
        'idempotency-key': randomUUID(),
      },
    });
    if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}

async function createPayments(api: SandboxApi, simulator: SimulatorControl): Promise<DemoPayment[]> {
  const kinds = mixKinds(DEMO_KINDS);
  console.log(`Creating ${kinds.length} payments; those of an outage settle after about a minute ...`);
  // The simulator's scripts match on the amount, so it is unique.
  const firstAmount = 10_000 + randomInt(1_000_000);
  const payments: DemoPayment[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let number = next++; number < kinds.length; number = next++) {
      const kind = kinds[number];
      if (kind === undefined) return;
      payments.push({
        kind,
        payment: await createPayment(api, simulator, kind, number, firstAmount + number),
      });
      if (payments.length % 50 === 0) console.log(`  ${payments.length} settled`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return payments;
}

async function createPayment(
  api: SandboxApi,
  simulator: SimulatorControl,
  kind: DemoKind,
  number: number,
  amountCents: number,
): Promise<DemoApiPayment> {
  for (const { gateway, behavior } of kind.scripts) {
    await simulator.script({ gateway, amount: amountCents, operation: 'charge' }, behavior);
  }
  const body = cardPaymentBody({
    number,
    orderId: `demo-${amountCents}`,
    amountCents,
    cardNumber: kind.cardNumber,
  });
  const created = await api.post('/payments/card', {
    ...body,
    gateway_first_try: kind.gatewayFirstTry ?? null,
  });
  if (created.status !== 'processing') return created;
  const settledPayment = async (): Promise<DemoApiPayment | false> => {
    const payment = await api.get<DemoApiPayment>(`/payments/${created.transaction_id}`);
    return payment.status !== 'processing' && payment;
  };
  return waitUntil(
    `payment ${created.transaction_id} to settle`,
    SETTLED_WITHIN_MS,
    settledPayment,
    POLL_EVERY_MS,
  );
}

function summarize(demoPayments: readonly DemoPayment[]): string {
  const rows = DEMO_KINDS.map((kind) => {
    const payments = demoPayments.filter((demo) => demo.kind === kind).map(({ payment }) => payment);
    const count = (status: string): string =>
      String(payments.filter((payment) => payment.status === status).length);
    const sequences = new Set(payments.map(({ transactions }) => chargedGateways(transactions)));
    return [
      kind.title,
      String(payments.length),
      count('approved'),
      count('failed'),
      [...sequences].join('; '),
    ];
  });
  return table([['card or fault', 'payments', 'approved', 'failed', 'gateways charged'], ...rows]).join('\n');
}

function chargedGateways(transactions: DemoApiPayment['transactions']): string {
  return transactions
    .filter(({ operation }) => operation === 'charge')
    .map(({ gateway }) => gateway.replace('gateway_', ''))
    .join(' > ');
}

/** Compares the API's responses, the payment list and the database with the gateways' ledger. */
async function reconcile(sandbox: SandboxFile, payments: readonly DemoPayment[]): Promise<string[]> {
  const ids = new Set(payments.map(({ payment }) => payment.transaction_id));
  const entries = (await readLedger(sandbox.simulator_url)).filter(({ reference }) =>
    ids.has(transactionOf(reference)),
  );
  const listed = (await readListing(new SandboxApi(sandbox))).filter((item) => ids.has(item.transaction_id));
  const stored = (await readDatabase(sandbox)).filter(({ transactionId }) => ids.has(transactionId));
  return [
    ...missing(
      'payment list',
      ids,
      listed.map((item) => item.transaction_id),
    ),
    ...missing(
      'database',
      ids,
      stored.map(({ transactionId }) => transactionId),
    ),
    ...compareWithLedger(
      'API',
      payments.map(({ payment }) => recorded(payment)),
      entries,
    ),
    ...compareWithLedger('payment list', listed.map(recorded), entries),
    ...compareWithLedger('database', stored, entries),
  ];
}

function missing(source: string, ids: ReadonlySet<string>, found: readonly string[]): string[] {
  const known = new Set(found);
  const repeated = found.length - known.size;
  return [
    ...[...ids].filter((id) => !known.has(id)).map((id) => `${id}: not in the ${source}`),
    ...(repeated === 0 ? [] : [`${repeated} payments are in the ${source} twice`]),
  ];
}

/** The demo has no partial captures and no refunds. */
function recorded({ transaction_id, status, amount }: DemoApiPayment | PaymentListItem): RecordedPayment {
  return {
    transactionId: transaction_id,
    status,
    amountCents: amount,
    capturedCents: status === 'approved' ? amount : 0,
    refundedCents: 0,
  };
}

async function readListing(api: SandboxApi): Promise<PaymentListItem[]> {
  const items: PaymentListItem[] = [];
  for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
    const { data, meta } = await api.get<PaymentListPage>(`/payments?per_page=${PER_PAGE}&page=${page}`);
    items.push(...data);
    lastPage = meta.last_page;
  }
  return items;
}

async function readDatabase({ database_url }: SandboxFile): Promise<RecordedPayment[]> {
  const client = new PostgresClient({ connectionString: database_url });
  await client.connect();
  try {
    return (await client.query<RecordedPayment>(SELECT_RECORDED_PAYMENTS)).rows;
  } finally {
    await client.end();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
