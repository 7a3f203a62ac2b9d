import { randomUUID } from 'node:crypto';
import { toCompactReference } from '../../../../src/gateways/compact-reference';
import type { SimulatorControl } from '../../../support/stack/simulator';
import { waitFor } from '../../../support/stack/wait-for';
import { VendorSimulator, type VendorWebhook } from '../vendor-simulator';

export const HMAC_KEY = '07E5C3A18F6D4B2907E5C3A18F6D4B2907E5C3A18F6D4B2907E5C3A18F6D4B29';
const SLUG = 'gateway_4';
export const MERCHANT_ACCOUNT = 'LojaECOM';

/** What tests read of an answer by name; everything else is compared as a whole. */
export interface Body {
  readonly pspReference: string;
  readonly merchantReference: string;
  readonly resultCode: string;
  readonly additionalData: Readonly<Record<string, string>>;
  readonly action: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly text: string;
}

export interface NotificationItem extends Readonly<Record<string, unknown>> {
  readonly eventCode: string;
  readonly success: string;
  readonly pspReference: string;
  readonly merchantReference: string;
  readonly additionalData: Readonly<Record<string, string>>;
}

export interface ReceivedNotification extends VendorWebhook {
  readonly item: NotificationItem;
}

interface SendOptions {
  readonly key?: string;
  readonly secret?: string;
  readonly text?: string;
  /** Beside the simulator, for example a proxy in front of it. */
  readonly base?: string;
}

/** Requests to a simulator that speaks Adyen's protocol at gateway_4. */
export class AdyenBench {
  private constructor(private readonly fake: VendorSimulator) {}

  static async start(webhookSecret = HMAC_KEY): Promise<AdyenBench> {
    return new AdyenBench(await VendorSimulator.start({ slug: SLUG, vendor: 'adyen', webhookSecret }));
  }

  get control(): SimulatorControl {
    return this.fake.control;
  }

  get url(): string {
    return this.fake.urlOf('v72');
  }

  get received(): readonly ReceivedNotification[] {
    return this.fake.received.map((webhook) => ({ ...webhook, item: itemIn(webhook.body) }));
  }

  /** A `POST` below `/v72`. Rejects if no whole answer comes. */
  async post(path: string, body: object, options: SendOptions = {}): Promise<Answer> {
    const { key, secret = 'key_of_the_bench', text = JSON.stringify(body), base = this.url } = options;
    const response = await fetch(`${base}/${path}`, {
      method: 'POST',
      headers: {
        'x-api-key': secret,
        'content-type': 'application/json',
        // A restart closes the connections that fetch would use again.
        connection: 'close',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: text,
    });
    const answer = await response.text();
    const { status, headers } = response;
    return { status, headers, text: answer, body: parsed(answer) };
  }

  /** The webhooks of an event that name this reference, as soon as there are that many. */
  async webhooks(eventCode: string, reference: string, count = 1): Promise<readonly ReceivedNotification[]> {
    const matching = () =>
      this.received.filter(
        ({ item }) => item.eventCode === eventCode && item.merchantReference === reference,
      );
    await waitFor(() => Promise.resolve(matching().length >= count), {
      what: `${count} ${eventCode} of ${reference}`,
    });
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

interface Notification {
  readonly notificationItems: readonly [{ readonly NotificationRequestItem: NotificationItem }];
}

function itemIn(body: Buffer): NotificationItem {
  return (JSON.parse(body.toString()) as Notification).notificationItems[0].NotificationRequestItem;
}

export const CARDS = {
  approved: '4000000000000010',
  mastercard: '5555555555554444',
  noFunds: '4000000000009995',
  stolen: '4000000000009979',
  advice: '5100000000000503',
  fraud: '4000000000000051',
  issuerAway: '4000000000000044',
  customerOnly: '4000000000000341',
  outage: '4000000000000119',
} as const;

export function scheme(number: string = CARDS.approved, changes: object = {}) {
  const expiryYear = String(new Date().getUTCFullYear() + 1);
  return {
    type: 'scheme',
    number,
    expiryMonth: '03',
    expiryYear,
    holderName: 'Tony Stark',
    cvc: '737',
    ...changes,
  };
}

const SHOPPER = {
  shopperName: { firstName: 'Tony', lastName: 'Stark' },
  socialSecurityNumber: '01234567890',
} as const;

export const PIX = { paymentMethod: { type: 'pix' }, ...SHOPPER } as const;

export const BOLETO = {
  paymentMethod: { type: 'boletobancario_santander' },
  ...SHOPPER,
  billingAddress: {
    street: 'Rua das Flores',
    houseNumberOrName: '12',
    city: 'Recife',
    postalCode: '50060000',
    stateOrProvince: 'PE',
    country: 'BR',
  },
  deliveryDate: '2040-09-20T12:00:00.000-03:00',
  shopperStatement: 'Aceitar o pagamento até o vencimento',
} as const;

/** A payment of R$ 100 in Adyen's words. */
export class AdyenPayment {
  readonly transactionId = randomUUID();
  readonly reference = toCompactReference(`${this.transactionId}-1`);

  constructor(private readonly bench: AdyenBench) {}

  /** The body of `POST /payments`. */
  request(changes: object = {}): object {
    return {
      amount: { currency: 'BRL', value: 10_000 },
      merchantAccount: MERCHANT_ACCOUNT,
      reference: this.reference,
      returnUrl: 'https://loja.example.com/volta',
      paymentMethod: scheme(),
      ...changes,
    };
  }

  create(changes: object = {}, options: SendOptions = {}): Promise<Answer> {
    return this.bench.post('payments', this.request(changes), options);
  }

  /** With a raw card, by default captured at once. */
  pay(number: string = CARDS.approved, changes: object = {}, options: SendOptions = {}): Promise<Answer> {
    return this.create({ paymentMethod: scheme(number), ...changes }, options);
  }

  authorize(options: SendOptions = {}): Promise<Answer> {
    return this.create({ additionalData: { manualCapture: 'true' } }, options);
  }

  /** `captures`, `cancels`, `refunds` or `reversals` of this payment, with a reference of its own. */
  modify(
    pspReference: string,
    action: 'captures' | 'cancels' | 'refunds' | 'reversals',
    value: number | null = 10_000,
    options: SendOptions & { readonly reference?: string } = {},
  ): Promise<Answer> {
    const hasAmount = action === 'captures' || action === 'refunds';
    return this.bench.post(
      `payments/${pspReference}/${action}`,
      {
        merchantAccount: MERCHANT_ACCOUNT,
        reference: options.reference ?? this.referenceOf(action),
        ...(hasAmount && value !== null && { amount: { currency: 'BRL', value } }),
      },
      options,
    );
  }

  referenceOf(action: 'captures' | 'cancels' | 'refunds' | 'reversals'): string {
    const operation = { captures: 'capture', cancels: 'cancel', refunds: 'refund', reversals: 'refund' }[
      action
    ];
    return toCompactReference(`${this.transactionId}-1-${operation}`);
  }

  async totals() {
    return (await this.bench.control.ledger(this.transactionId)).totals;
  }
}
