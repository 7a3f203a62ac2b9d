import { randomInt, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Client as PostgresClient } from 'pg';
import { loadConfig } from '../../../src/config';
import type { components } from '../../../src/http/generated/openapi';
import type { SandboxFile } from '../../../src/dev/sandbox-file';
import { waitUntil } from '../../../src/dev/wait-until';
import { SimulatorControl } from '../../support/stack/simulator';
import { BOOKED_PAYMENTS, disagreements, readLedger, type BookedPayment } from '../support/reconciliation';
import { cardPaymentBody } from '../support/payment-bodies';
import { DEMO_KINDS, mixKinds, type DemoKind } from './demo-payments';
import { table } from '../support/table';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/**
 * `npm run demo`, beside a running `npm start`: 200 payments with every test card and gateways that fail over. Then the
 * API's answers, its listing and the database are compared with the gateways' ledger. Exits with 1 when they disagree.
 */

type Payment = components['schemas']['Payment'];
type PaymentListItem = components['schemas']['PaymentListItem'];
interface Listing {
  readonly data: PaymentListItem[];
  readonly meta: { readonly last_page: number };
}

interface Made {
  readonly kind: DemoKind;
  readonly payment: Payment;
}

const CALLERS = 8;
const PER_PAGE = 100;
/** An outage is proven gateway by gateway, 20 s each, at three of them. */
const SETTLED_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 500;
const SHOWN_DISAGREEMENTS = 20;

async function main(): Promise<void> {
  const sandbox = readSandbox();
  const made = await makePayments(new SandboxApi(sandbox), new SimulatorControl(sandbox.simulator_url));
  console.log(`\n${summarize(made)}\n`);
  const wrong = await compareBooks(sandbox, made);
  if (wrong.length === 0) {
    console.log(`Answers, listing, database and ledger agree on all ${made.length} payments.`);
    return;
  }
  console.log(`${wrong.length} disagreements:\n  ${wrong.slice(0, SHOWN_DISAGREEMENTS).join('\n  ')}`);
  process.exitCode = 1;
}

function readSandbox(): SandboxFile {
  const file = join(resolve(loadConfig().dataDir), 'sandbox.json');
  if (!existsSync(file)) throw new Error(`no ${file}: run "npm start" in another terminal first`);
  return JSON.parse(readFileSync(file, 'utf8')) as SandboxFile;
}

class SandboxApi {
  constructor(private readonly sandbox: SandboxFile) {}

  post(path: string, body: object): Promise<Payment> {
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
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}

async function makePayments(api: SandboxApi, simulator: SimulatorControl): Promise<Made[]> {
  const kinds = mixKinds(DEMO_KINDS);
  console.log(`Making ${kinds.length} payments; what became of an outage is known after a minute ...`);
  // Scripts know a payment by its amount, so every payment has its own.
  const firstAmount = 10_000 + randomInt(1_000_000);
  const made: Made[] = [];
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let number = next++; number < kinds.length; number = next++) {
      const kind = kinds[number];
      if (kind === undefined) return;
      made.push({ kind, payment: await makePayment(api, simulator, kind, number, firstAmount + number) });
      if (made.length % 50 === 0) console.log(`  ${made.length} settled`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return made;
}

async function makePayment(
  api: SandboxApi,
  simulator: SimulatorControl,
  kind: DemoKind,
  number: number,
  amountCents: number,
): Promise<Payment> {
  for (const { gateway, behavior } of kind.scripts) {
    await simulator.script({ gateway, amount: amountCents, operation: 'charge' }, behavior);
  }
  const body = cardPaymentBody({
    number,
    orderId: `demo-${amountCents}`,
    amountCents,
    cardNumber: kind.cardNumber,
  });
  const answer = await api.post('/payments/card', {
    ...body,
    gateway_first_try: kind.gatewayFirstTry ?? null,
  });
  if (answer.status !== 'processing') return answer;
  const settled = async (): Promise<Payment | false> => {
    const payment = await api.get<Payment>(`/payments/${answer.transaction_id}`);
    return payment.status !== 'processing' && payment;
  };
  return waitUntil(`payment ${answer.transaction_id} is settled`, SETTLED_WITHIN_MS, settled, ASK_EVERY_MS);
}

function summarize(made: readonly Made[]): string {
  const rows = DEMO_KINDS.map((kind) => {
    const payments = made.filter((one) => one.kind === kind).map(({ payment }) => payment);
    const count = (status: string): string => String(payments.filter((one) => one.status === status).length);
    const ways = new Set(payments.map(({ transactions }) => tried(transactions)));
    return [kind.title, String(payments.length), count('approved'), count('failed'), [...ways].join('; ')];
  });
  return table([['card or trouble', 'payments', 'approved', 'failed', 'gateways tried'], ...rows]).join('\n');
}

function tried(transactions: Payment['transactions']): string {
  return transactions
    .filter(({ operation }) => operation === 'charge')
    .map(({ gateway }) => gateway.replace('gateway_', ''))
    .join(' > ');
}

/** What the API answered, what it lists and what the database holds, each against the gateways' own ledger. */
async function compareBooks(sandbox: SandboxFile, made: readonly Made[]): Promise<string[]> {
  const ids = new Set(made.map(({ payment }) => payment.transaction_id));
  const entries = (await readLedger(sandbox.simulator_url)).filter(({ reference }) =>
    ids.has(transactionOf(reference)),
  );
  const listed = (await readListing(new SandboxApi(sandbox))).filter((item) => ids.has(item.transaction_id));
  const stored = (await readDatabase(sandbox)).filter(({ transactionId }) => ids.has(transactionId));
  return [
    ...missing(
      'listing',
      ids,
      listed.map((item) => item.transaction_id),
    ),
    ...missing(
      'database',
      ids,
      stored.map(({ transactionId }) => transactionId),
    ),
    ...disagreements(
      'answers',
      made.map(({ payment }) => booked(payment)),
      entries,
    ),
    ...disagreements('listing', listed.map(booked), entries),
    ...disagreements('database', stored, entries),
  ];
}

function missing(book: string, ids: ReadonlySet<string>, found: readonly string[]): string[] {
  const known = new Set(found);
  const repeated = found.length - known.size;
  return [
    ...[...ids].filter((id) => !known.has(id)).map((id) => `${id}: not in the ${book}`),
    ...(repeated === 0 ? [] : [`${repeated} payments are in the ${book} twice`]),
  ];
}

/** Nothing in the demo is captured in part or refunded. */
function booked({ transaction_id, status, amount }: Payment | PaymentListItem): BookedPayment {
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
    const { data, meta } = await api.get<Listing>(`/payments?per_page=${PER_PAGE}&page=${page}`);
    items.push(...data);
    lastPage = meta.last_page;
  }
  return items;
}

async function readDatabase({ database_url }: SandboxFile): Promise<BookedPayment[]> {
  const client = new PostgresClient({ connectionString: database_url });
  await client.connect();
  try {
    return (await client.query<BookedPayment>(BOOKED_PAYMENTS)).rows;
  } finally {
    await client.end();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
