import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../../../src/dev/ports';
import { type RunningSimulator, startSimulator } from '../../../src/simulator/server';
import { SimulatorControl } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';

export const WEBHOOK_SECRET = 'loja:senha-do-webhook';
const SLUG = 'gateway_1';

/** What tests read of a transaction by name; everything else is compared as a whole. */
interface Transaction {
  readonly id: string;
  readonly brand_id?: string;
  readonly retry_info?: { readonly brand_failure_return_code: string };
  readonly qr_code?: string;
  readonly expires_at?: string;
  readonly line?: string;
}

export interface Charge {
  readonly id: string;
  readonly last_transaction: Transaction;
}

/** A body of Pagar.me: an order, a charge, a list or an error. */
export interface Body {
  readonly id: string;
  readonly code: string;
  readonly charges: readonly Charge[];
  readonly data: readonly object[];
  readonly paging: { readonly total: number; readonly next?: string };
  readonly request: object;
}

export interface ReceivedWebhook {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly event: { readonly id: string; readonly type: string; readonly data: Body };
}

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly text: string;
}

interface SendOptions {
  readonly key?: string;
  readonly secret?: string;
  readonly text?: string;
}

/** A simulator in this process that speaks Pagar.me's protocol at gateway_1. */
export class PagarmeBench {
  private constructor(
    readonly received: readonly ReceivedWebhook[],
    private simulator: RunningSimulator,
    private readonly place: { folder: string; port: number; callbackUrl: string; searchLagMs: number },
    private readonly receiver: Server,
  ) {}

  static async start({ searchLagMs = 0 } = {}): Promise<PagarmeBench> {
    const received: ReceivedWebhook[] = [];
    const receiver = createServer((request, response) => {
      void buffer(request).then((body) => {
        received.push({
          body,
          headers: request.headers,
          event: JSON.parse(body.toString()) as ReceivedWebhook['event'],
        });
        response.writeHead(200).end();
      });
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const address = receiver.address();
    const callbackUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const folder = mkdtempSync(join(tmpdir(), 'pagarme-fake-'));
    const place = { folder, port: await freePort(), callbackUrl, searchLagMs };
    return new PagarmeBench(received, await open(place), place, receiver);
  }

  get control(): SimulatorControl {
    return new SimulatorControl(this.simulator.url);
  }

  /** The address of a path beside the API. */
  urlOf(path: string): string {
    return `${this.simulator.url}/${SLUG}/${path}`;
  }

  /** A request below `/core/v5`. Rejects if no whole answer comes. */
  async send(method: string, path: string, body?: object, options: SendOptions = {}): Promise<Answer> {
    const {
      key,
      secret = 'sk_test_bench',
      text = body === undefined ? null : JSON.stringify(body),
    } = options;
    const response = await fetch(this.urlOf(`core/v5/${path}`), {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`${secret}:`).toString('base64')}`,
        'content-type': 'application/json',
        // A restart closes the connections that fetch would use again.
        connection: 'close',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: text,
    });
    const answer = await response.text();
    return { status: response.status, text: answer, body: parsed(answer) };
  }

  get(path: string, options: SendOptions = {}): Promise<Answer> {
    return this.send('GET', path, undefined, options);
  }

  /** The webhooks of a type about a charge or order with this code, as soon as there are that many. */
  async webhooks(type: string, code: string, count = 1): Promise<readonly ReceivedWebhook[]> {
    const matching = () =>
      this.received.filter(({ event }) => event.type === type && event.data.code === code);
    await waitFor(() => Promise.resolve(matching().length >= count), { what: `${count} ${type} of ${code}` });
    return matching();
  }

  /** Ends the simulator and starts it again with the same data. */
  async restart(): Promise<void> {
    await this.simulator.stop();
    this.simulator = await open(this.place);
  }

  /** All that the simulator has written. */
  dataOnDisk(): string {
    const { folder } = this.place;
    return readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
  }

  async stop(): Promise<void> {
    await this.simulator.stop();
    this.receiver.closeAllConnections();
    this.receiver.close();
    rmSync(this.place.folder, { recursive: true, force: true });
  }
}

function open(place: { folder: string; port: number; callbackUrl: string; searchLagMs: number }) {
  return startSimulator({
    port: place.port,
    folder: place.folder,
    paysAfterMs: null,
    baseUrl: place.callbackUrl,
    webhookSecret: () => WEBHOOK_SECRET,
    vendors: new Map([[SLUG, 'pagarme']]),
    searchLagMs: place.searchLagMs,
  });
}

/** Empty if it is not JSON: a test that cuts answers reads the text. */
function parsed(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {} as Body;
  }
}

export const CARDS = {
  approved: '4000000000000010',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  advice: '5100000000000503',
  fraud: '4000000000000051',
  outage: '4000000000000119',
} as const;

export const CUSTOMER = {
  name: 'Tony Stark',
  email: 'tony@example.com',
  type: 'individual',
  document: '01234567890',
  phones: { mobile_phone: { country_code: '55', area_code: '21', number: '980004321' } },
} as const;

export function rawCard(number: string = CARDS.approved) {
  const exp_year = new Date().getUTCFullYear() + 1;
  return { number, holder_name: 'Tony Stark', exp_month: 12, exp_year, cvv: '351' };
}

/** A payment of R$ 100 in Pagar.me's words. */
export class PagarmePayment {
  readonly transactionId = randomUUID();
  readonly code = `${this.transactionId}-1`;

  constructor(private readonly bench: PagarmeBench) {}

  /** The body of `POST /orders`. */
  order(payment: object, changes: object = {}): object {
    return {
      code: this.code,
      closed: true,
      items: [{ amount: 5_000, description: 'Chaveiro', quantity: 2, code: 'sku-1' }],
      customer: CUSTOMER,
      payments: [payment],
      ...changes,
    };
  }

  create(payment: object, changes: object = {}, options: SendOptions = {}): Promise<Answer> {
    return this.bench.send('POST', 'orders', this.order(payment, changes), options);
  }

  /** An order with a raw card, by default captured at once. */
  pay(number: string = CARDS.approved, changes: object = {}, options: SendOptions = {}): Promise<Answer> {
    return this.create(card({ card: rawCard(number), ...changes }), {}, options);
  }

  /** An order with a raw card, authorized only. */
  authorize(): Promise<Answer> {
    return this.pay(CARDS.approved, { operation_type: 'auth_only' });
  }

  async captured(): Promise<number> {
    return (await this.bench.control.ledger(this.transactionId)).totals.captured;
  }

  async refunded(): Promise<number> {
    return (await this.bench.control.ledger(this.transactionId)).totals.refunded;
  }
}

/** A payment by credit card. */
export function card(credit_card: object): object {
  return { payment_method: 'credit_card', credit_card };
}

export const PIX = { payment_method: 'pix', pix: { expires_in: 3_600 } } as const;

export const BOLETO = {
  payment_method: 'boleto',
  boleto: {
    instructions: 'Pagar até o vencimento',
    due_at: '2040-09-20T00:00:00Z',
    document_number: '123',
    max_days_to_pay_past_due: 5,
  },
} as const;

/** The one charge of an order. */
export function chargeOf({ body }: Answer): Charge {
  const [charge] = body.charges;
  if (charge === undefined) throw new Error(`no charge in ${JSON.stringify(body)}`);
  return charge;
}
