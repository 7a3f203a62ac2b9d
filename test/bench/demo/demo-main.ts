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
import { DEMO_KINDS, demoRequest, mixKinds, type PlannedPayment } from './demo-payments';
import { gatewaysTable, kindsTable, unsettled, type DemoApiPayment, type DemoPayment } from './demo-report';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/**
 * `npm run demo`, while `npm start` or `npm run start:vendors` runs: creates 200 payments at all gateways, with failover
 * between them. Then compares the API's responses, the payment list and the database with the gateways' ledger. Exits with
 * 1 if they differ, or if a payment has no result.
 */

type PaymentListItem = components['schemas']['PaymentListItem'];
interface PaymentListPage {
  readonly data: PaymentListItem[];
  readonly meta: { readonly last_page: number };
}

const CALLERS = 8;
const PER_PAGE = 100;
/** The absence of a charge takes 20 s to prove, at some vendors a minute more, and a busy machine needs longer. */
const SETTLED_WITHIN_MS = 240_000;
const POLL_EVERY_MS = 500;
const SHOWN_PROBLEMS = 20;

async function main(): Promise<void> {
  const sandbox = readSandbox();
  const payments = await createPayments(new SandboxApi(sandbox), new SimulatorControl(sandbox.simulator_url));
  console.log(`\n${kindsTable(payments)}\n\n${gatewaysTable(payments, await readVendors(sandbox))}\n`);
  const problems = [...unsettled(payments, sandbox.base_url), ...(await reconcile(sandbox, payments))];
  if (problems.length === 0) {
    console.log(
      `The API, the payment list, the database and the ledger agree on all ${payments.length} payments.`,
    );
    return;
  }
  console.log(`${problems.length} problems:\n  ${problems.slice(0, SHOWN_PROBLEMS).join('\n  ')}`);
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
  const planned = mixKinds(DEMO_KINDS);
  console.log(`Creating ${planned.length} payments; those of an outage settle after about two minutes ...`);
  // The simulator's scripts match on the amount, so it is unique.
  const firstAmount = 10_000 + randomInt(1_000_000);
  const payments: DemoPayment[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let number = next++; number < planned.length; number = next++) {
      const plan = planned[number];
      if (plan === undefined) return;
      const payment = await createPayment(api, simulator, plan, number, firstAmount + number);
      payments.push({ kind: plan.kind, payment });
      if (payments.length % 50 === 0) console.log(`  ${payments.length} settled`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return payments;
}

/** The payment with its result, or as it is after `SETTLED_WITHIN_MS`. */
async function createPayment(
  api: SandboxApi,
  simulator: SimulatorControl,
  planned: PlannedPayment,
  number: number,
  amountCents: number,
): Promise<DemoApiPayment> {
  for (const { gateway, behavior, times } of planned.kind.scripts) {
    await simulator.script({ gateway, amount: amountCents, operation: 'charge' }, behavior, times);
  }
  const { path, body } = demoRequest(planned, { number, orderId: `demo-${amountCents}`, amountCents });
  let payment = await api.post(path, body);
  const { transaction_id: id } = payment;
  if (payment.status === 'pending') await simulator.pay(id);
  const isOpen = (): boolean => ['pending', 'processing'].includes(payment.status);
  const settle = async (): Promise<boolean> => {
    payment = await api.get<DemoApiPayment>(`/payments/${id}`);
    return !isOpen();
  };
  // The report names a payment that is still open.
  if (isOpen()) await waitUntil('a result', SETTLED_WITHIN_MS, settle, POLL_EVERY_MS).catch(() => undefined);
  return payment;
}

/** The vendor behind each gateway, which only users can read. */
async function readVendors({ api_url: url, admin }: SandboxFile): Promise<ReadonlyMap<string, string>> {
  const login = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  });
  const { token } = (await login.json()) as { token: string };
  const response = await fetch(`${url}/user/gateways`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`/user/gateways responded ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as components['schemas']['GatewayList'];
  return new Map(data.map(({ gateway_slug: slug, vendor }) => [slug, vendor ?? '']));
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
  const isUnreachable = error instanceof TypeError && error.message === 'fetch failed';
  if (isUnreachable)
    console.error('nothing answers: wait until "npm start" in another terminal prints "ready"');
  else console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
