import { randomUUID } from 'node:crypto';
import type { SimulatorControl } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { VendorSimulator, type VendorWebhook } from './vendor-simulator';

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

export interface ReceivedWebhook extends VendorWebhook {
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

/** Requests to a simulator that speaks Pagar.me's protocol at gateway_1. */
export class PagarmeBench {
  private constructor(private readonly fake: VendorSimulator) {}

  static async start({ searchLagMs = 0 } = {}): Promise<PagarmeBench> {
    const options = { slug: SLUG, vendor: 'pagarme', webhookSecret: WEBHOOK_SECRET, searchLagMs } as const;
    return new PagarmeBench(await VendorSimulator.start(options));
  }

  get control(): SimulatorControl {
    return this.fake.control;
  }

  get received(): readonly ReceivedWebhook[] {
    return this.fake.received.map((webhook) => ({
      ...webhook,
      event: JSON.parse(webhook.body.toString()) as ReceivedWebhook['event'],
    }));
  }

  /** The address of a path beside the API. */
  urlOf(path: string): string {
    return this.fake.urlOf(path);
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

  restart(): Promise<void> {
    return this.fake.restart();
  }

  dataOnDisk(): string {
    return this.fake.dataOnDisk();
  }

  stop(): Promise<void> {
    return this.fake.stop();
  }
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
