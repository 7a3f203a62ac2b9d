import { randomUUID } from 'node:crypto';
import { toCompactReference } from '../../../../src/gateways/compact-reference';
import type { SimulatorControl } from '../../../support/stack/simulator';
import { waitFor } from '../../../support/stack/wait-for';
import { VendorSimulator, type VendorWebhook } from '../vendor-simulator';

const SLUG = 'gateway_1';
const MERCHANT_ID = 'f29b3f20-2cd2-4a0a-9a3e-6e3b6b2a1c11';
export const KEY = 'K'.repeat(40);
const NOTIFICATION_SECRET = 'x-merchant-token: token-of-the-notification';

/** A body of Cielo: a sale, the result of an operation, or a list of errors. Tests compare the rest as a whole. */
export interface Body {
  readonly MerchantOrderId: string;
  readonly Status: number;
  readonly ReturnCode: string;
  readonly Payment: {
    readonly PaymentId: string;
    readonly Status: number;
    readonly ReturnCode: string;
    readonly QrCodeString?: string;
    readonly IssuerTransactionId?: string;
    readonly Links: readonly { readonly Rel: string; readonly Href: string }[];
  };
}

export interface Answer {
  readonly status: number;
  /** Null if it is empty. */
  readonly body: Body;
}

interface SendOptions {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Requests to a simulator that speaks Cielo's protocol at gateway_1. */
export class CieloBench {
  private constructor(private readonly fake: VendorSimulator) {}

  static async start({ searchLagMs = 0 } = {}): Promise<CieloBench> {
    const options = { slug: SLUG, vendor: 'cielo', webhookSecret: NOTIFICATION_SECRET, searchLagMs } as const;
    return new CieloBench(await VendorSimulator.start(options));
  }

  get control(): SimulatorControl {
    return this.fake.control;
  }

  /** A request to the host of transactions, below `/1`. Rejects if no whole answer comes. */
  post(path: string, body: unknown, options: SendOptions = {}): Promise<Answer> {
    return this.send('POST', `1/${path}`, JSON.stringify(body), options);
  }

  put(path: string, options: SendOptions = {}): Promise<Answer> {
    return this.send('PUT', `1/${path}`, null, options);
  }

  /** A request to the host of queries. */
  query(path: string, options: SendOptions = {}): Promise<Answer> {
    return this.send('GET', `apiquery/1/${path}`, null, options);
  }

  async send(method: string, path: string, body: string | null, options: SendOptions = {}): Promise<Answer> {
    const { key = KEY, headers = {} } = options;
    const response = await fetch(this.fake.urlOf(path), {
      method,
      headers: {
        merchantid: MERCHANT_ID,
        merchantkey: key,
        'content-type': 'application/json',
        connection: 'close',
        ...headers,
      },
      body,
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as Body };
  }

  /** The notifications about a payment, as soon as there are that many. */
  async notifications(paymentId: string, count: number): Promise<readonly VendorWebhook[]> {
    const about = () => this.fake.received.filter(({ body }) => body.includes(paymentId));
    await waitFor(() => Promise.resolve(about().length >= count), { what: `${count} notifications` });
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
}

export const APPROVED_CARD = '4111111111111111';

export function card(number: string = APPROVED_CARD, changes: object = {}): object {
  const ExpirationDate = `12/${new Date().getUTCFullYear() + 3}`;
  return {
    CardNumber: number,
    Holder: 'ANA LIMA',
    ExpirationDate,
    SecurityCode: '123',
    Brand: 'Visa',
    ...changes,
  };
}

const CUSTOMER = { Name: 'Ana Lima', Identity: '52998224725', IdentityType: 'CPF' } as const;
const ADDRESS = {
  ...{ Street: 'Rua das Flores', Number: '12', Complement: 'Apto 3', ZipCode: '50060000' },
  ...{ District: 'Boa Vista', City: 'Recife', State: 'PE', Country: 'BRA' },
} as const;

/** A sale of R$ 157 in Cielo's words. */
export class CieloSale {
  readonly transactionId = randomUUID();
  readonly reference = `${this.transactionId}-1`;
  readonly order = toCompactReference(this.reference);

  constructor(private readonly bench: CieloBench) {}

  body(payment: object, customer: object = CUSTOMER): object {
    return { MerchantOrderId: this.order, Customer: customer, Payment: { Amount: 15_700, ...payment } };
  }

  cardBody(payment: object = {}, number?: string): object {
    const CreditCard = card(number);
    return this.body({ Type: 'CreditCard', Installments: 1, Capture: true, CreditCard, ...payment });
  }

  pay(payment: object = {}, number?: string): Promise<Answer> {
    return this.bench.post('sales/', this.cardBody(payment, number));
  }

  pix(): Promise<Answer> {
    return this.bench.post('sales/', this.body({ Type: 'Pix' }));
  }

  boletoBody(payment: object = {}): object {
    const ExpirationDate = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    const slip = { Type: 'Boleto', Provider: 'Bradesco2', ExpirationDate, Instructions: 'Até o vencimento' };
    return this.body({ ...slip, ...payment }, { ...CUSTOMER, Address: ADDRESS });
  }

  async totals() {
    return (await this.bench.control.ledger(this.transactionId)).totals;
  }
}
