import { randomUUID } from 'node:crypto';
import { waitFor } from '../../support/stack/wait-for';
import type { SimulatorControl } from '../../support/stack/simulator';
import { VendorSimulator, type VendorWebhook } from './vendor-simulator';

export const WEBHOOK_SECRET = 'segredo-da-aplicacao';
const SLUG = 'gateway_1';
const ACCESS_TOKEN = 'TEST-6621-112314-bench-1';

/** What tests read of an answer by name; everything else is compared as a whole. */
interface Body {
  readonly id: number | string;
  readonly status: string;
  readonly results: readonly Body[];
  readonly access_token: string;
  readonly refresh_token: string;
  readonly point_of_interaction: { readonly transaction_data: Readonly<Record<string, string | null>> };
  readonly transaction_details: Readonly<Record<string, unknown>>;
  readonly date_of_expiration: string;
  readonly cause: readonly { readonly code: number | string; readonly description: string }[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export interface ReceivedWebhook extends VendorWebhook {
  readonly event: {
    readonly id: number;
    readonly type: string;
    readonly action?: string;
    readonly data: { readonly id: string | number; readonly payment_id?: number };
  };
}

interface SendOptions {
  /** `null` sends none; by default a new one. */
  readonly key?: string | null;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text?: string;
}

/** Requests to a simulator that speaks Mercado Pago's protocol at gateway_1. */
export class MercadoPagoBench {
  private constructor(private readonly fake: VendorSimulator) {}

  static async start({ searchLagMs = 0 } = {}): Promise<MercadoPagoBench> {
    const options = {
      slug: SLUG,
      vendor: 'mercadopago',
      webhookSecret: WEBHOOK_SECRET,
      searchLagMs,
    } as const;
    return new MercadoPagoBench(await VendorSimulator.start(options));
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

  /** Rejects if no whole answer comes. */
  async send(method: string, path: string, body?: object, options: SendOptions = {}): Promise<Answer> {
    const { key = randomUUID(), token = ACCESS_TOKEN, headers = {} } = options;
    const { text = body === undefined ? null : JSON.stringify(body) } = options;
    const response = await fetch(this.fake.urlOf(path), {
      method,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        // A restart closes the connections that fetch would use again.
        connection: 'close',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(key !== null && method !== 'GET' && { 'x-idempotency-key': key }),
        ...headers,
      },
      body: text,
    });
    const answer = await response.text();
    return { status: response.status, headers: response.headers, text: answer, body: parsed(answer) };
  }

  get(path: string, options: SendOptions = {}): Promise<Answer> {
    return this.send('GET', path, undefined, options);
  }

  /** The webhooks whose query names this object, as soon as there are that many. */
  async webhooks(id: number | string, count = 1): Promise<readonly ReceivedWebhook[]> {
    const matching = () =>
      this.received.filter(({ query }) => new URLSearchParams(query).get('data.id') === String(id));
    await waitFor(() => Promise.resolve(matching().length >= count), { what: `${count} webhooks of ${id}` });
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
  master: '5555555555554444',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  lost: '4000000000009987',
  fraud: '4000000000000051',
  outage: '4000000000000119',
} as const;

export const PAYER = {
  email: 'ana@example.com',
  first_name: 'Ana',
  last_name: 'Lima',
  identification: { type: 'CPF', number: '52998224725' },
  address: {
    zip_code: '50060000',
    street_name: 'Rua das Flores',
    street_number: '12',
    neighborhood: 'Boa Vista',
    city: 'Recife',
    federal_unit: 'PE',
  },
} as const;

export function rawCard(number: string = CARDS.approved, changes: object = {}) {
  const cardholder = { name: 'ANA LIMA', identification: { type: 'CPF', number: '52998224725' } };
  return {
    card_number: number,
    expiration_month: 12,
    expiration_year: new Date().getUTCFullYear() + 1,
    security_code: '123',
    cardholder,
    ...changes,
  };
}

/** A payment of R$ 129.90 in Mercado Pago's words. */
export class MercadoPagoPayment {
  readonly transactionId = randomUUID();
  readonly reference = `${this.transactionId}-1`;

  constructor(private readonly bench: MercadoPagoBench) {}

  /** The body of `POST /v1/payments`. */
  body(changes: object = {}): object {
    return {
      transaction_amount: 129.9,
      description: 'Chaveiro',
      payer: PAYER,
      external_reference: this.reference,
      ...changes,
    };
  }

  create(changes: object = {}, options: SendOptions = {}): Promise<Answer> {
    return this.bench.send('POST', 'v1/payments', this.body(changes), options);
  }

  async token(card: object = rawCard()): Promise<string> {
    return String((await this.bench.send('POST', 'v1/card_tokens', card)).body.id);
  }

  /** By a card, by default captured at once. */
  async pay(card: object = rawCard(), changes: object = {}, options: SendOptions = {}): Promise<Answer> {
    const token = await this.token(card);
    return this.create({ token, installments: 1, payment_method_id: 'visa', ...changes }, options);
  }

  authorize(): Promise<Answer> {
    return this.pay(rawCard(), { capture: false });
  }

  pix(changes: object = {}): Promise<Answer> {
    return this.create({ payment_method_id: 'pix', ...changes });
  }

  boleto(changes: object = {}): Promise<Answer> {
    return this.create({ payment_method_id: 'bolbradesco', ...changes });
  }

  async totals(): Promise<{
    readonly captured: number;
    readonly refunded: number;
    readonly canceled: number;
  }> {
    return (await this.bench.control.ledger(this.transactionId)).totals;
  }
}

/** An instant in Brasília as Mercado Pago takes it. */
export function inDays(days: number): string {
  const at = new Date(Date.now() + days * 24 * 60 * 60 * 1000 - 3 * 60 * 60 * 1000);
  return `${at.toISOString().slice(0, 23)}-03:00`;
}
