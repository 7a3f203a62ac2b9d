import { randomUUID } from 'node:crypto';
import { BRASILIA, dateIn } from '../../../../src/domain/time/timezone';
import type { SimulatorControl } from '../../../support/stack/simulator';
import { waitFor } from '../../../support/stack/wait-for';
import { VendorSimulator, type VendorWebhook } from '../vendor-simulator';

export const WEBHOOK_TOKEN = 'token-of-the-asaas-webhook';
export const KEY = '$aact_hmlg_000bench';
const SLUG = 'gateway_1';

/** A body of Asaas: a payment, a list, another object or an error. Tests read these by name and compare the rest as a whole. */
export interface Body {
  readonly id: string;
  readonly status: string;
  readonly data: readonly Body[];
  readonly refunds: readonly object[] | null;
  readonly installment?: string;
  readonly creditCard: { readonly creditCardToken: string };
  readonly walletId: string;
  readonly apiKey: string;
  readonly errors: readonly { readonly code: string; readonly description: string }[];
  readonly split?: readonly { readonly id: string; readonly totalValue: number; readonly status: string }[];
  readonly externalReference: string | null;
}

export interface Answer {
  readonly status: number;
  readonly body: Body;
  readonly headers: Headers;
}

export interface ReceivedWebhook extends VendorWebhook {
  readonly event: { readonly id: string; readonly event: string; readonly payment: Body };
}

interface SendOptions {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests to a simulator that speaks Asaas' protocol at gateway_1. */
export class AsaasBench {
  private constructor(private readonly fake: VendorSimulator) {}

  static async start({ searchLagMs = 0 } = {}): Promise<AsaasBench> {
    const options = { slug: SLUG, vendor: 'asaas', webhookSecret: WEBHOOK_TOKEN, searchLagMs } as const;
    return new AsaasBench(await VendorSimulator.start(options));
  }

  get control(): SimulatorControl {
    return this.fake.control;
  }

  /** A request below `/v3`. Rejects if no whole answer comes. */
  async send(method: string, path: string, body?: object, options: SendOptions = {}): Promise<Answer> {
    const { key = KEY, headers = {} } = options;
    const response = await fetch(this.fake.urlOf(`v3/${path}`), {
      method,
      headers: {
        ...(key !== null && { access_token: key }),
        'content-type': 'application/json',
        'user-agent': 'bench',
        connection: 'close',
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }

  get(path: string, options: SendOptions = {}): Promise<Answer> {
    return this.send('GET', path, undefined, options);
  }

  post(path: string, body: object, options: SendOptions = {}): Promise<Answer> {
    return this.send('POST', path, body, options);
  }

  /** The id of a new customer. */
  async customer(options: SendOptions = {}): Promise<string> {
    return (await this.post('customers', CUSTOMER, options)).body.id;
  }

  /** The names of the webhooks about a payment with this reference, as soon as there are that many. */
  async events(reference: string, count: number): Promise<readonly ReceivedWebhook[]> {
    const about = () => this.received.filter(({ event }) => event.payment.externalReference === reference);
    await waitFor(() => Promise.resolve(about().length >= count), {
      what: `${count} events of ${reference}`,
    });
    return about();
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

  private get received(): readonly ReceivedWebhook[] {
    return this.fake.received.map((webhook) => ({
      ...webhook,
      event: JSON.parse(webhook.body.toString()) as ReceivedWebhook['event'],
    }));
  }
}

export const CUSTOMER = { name: 'Ana Lima', cpfCnpj: '529.982.247-25', email: 'ana@example.com' } as const;

export const CARDS = {
  approved: '5162306219378829',
  /** Declined in the vendor's sandbox. */
  declined: '5184019740373151',
  noFunds: '4000000000009995',
} as const;

export function rawCard(number: string = CARDS.approved) {
  const expiryYear = String(new Date().getUTCFullYear() + 2);
  return { holderName: 'ANA LIMA', number, expiryMonth: '05', expiryYear, ccv: '318' };
}

const HOLDER = {
  name: 'Ana Lima',
  email: 'ana@example.com',
  cpfCnpj: '52998224725',
  postalCode: '50060-000',
  addressNumber: '12',
  phone: '8132221100',
} as const;

export const dayFromNow = (days: number): string =>
  dateIn(BRASILIA, new Date(Date.now() + days * 24 * 60 * 60 * 1000));

/** A payment of R$ 100 in Asaas' words. */
export class AsaasPayment {
  readonly transactionId = randomUUID();
  readonly reference = `${this.transactionId}-1`;

  constructor(private readonly bench: AsaasBench) {}

  /** The body of `POST /v3/payments` with a raw card. */
  card(customer: string, number: string = CARDS.approved, changes: object = {}): object {
    const creditCard = rawCard(number);
    const card = { creditCard, creditCardHolderInfo: HOLDER, remoteIp: '203.0.113.7' };
    return { ...this.body(customer, 'CREDIT_CARD'), ...card, ...changes };
  }

  body(customer: string, billingType: string, changes: object = {}): object {
    const externalReference = this.reference;
    return { customer, billingType, value: 100, dueDate: dayFromNow(3), externalReference, ...changes };
  }

  async pay(number: string = CARDS.approved, changes: object = {}): Promise<Answer> {
    return this.bench.post('payments', this.card(await this.bench.customer(), number, changes));
  }

  async create(billingType: 'PIX' | 'BOLETO', changes: object = {}): Promise<Answer> {
    return this.bench.post('payments', this.body(await this.bench.customer(), billingType, changes));
  }

  /** Paid by its customer. */
  async paid(billingType: 'PIX' | 'BOLETO'): Promise<Answer> {
    const { body } = await this.create(billingType);
    await this.bench.control.pay(this.transactionId);
    return this.bench.get(`payments/${body.id}`);
  }

  async totals() {
    return (await this.bench.control.ledger(this.transactionId)).totals;
  }
}
