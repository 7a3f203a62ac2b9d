import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import type { SimulatorControl } from '../../support/stack/simulator';
import { VendorSimulator } from './vendor-simulator';

export const WEBHOOK_SECRET = 'whsec_of_the_stripe_fake';
const SLUG = 'gateway_4';

export interface ReceivedEvent {
  readonly body: Buffer;
  readonly signature: string;
  readonly event: Stripe.Event;
}

/** Stripe's own SDK in front of a simulator that speaks Stripe's protocol at gateway_4. */
export class StripeBench {
  private constructor(private readonly fake: VendorSimulator) {}

  static async start({ searchLagMs = 0 } = {}): Promise<StripeBench> {
    const options = { slug: SLUG, vendor: 'stripe', webhookSecret: WEBHOOK_SECRET, searchLagMs } as const;
    return new StripeBench(await VendorSimulator.start(options));
  }

  get control(): SimulatorControl {
    return this.fake.control;
  }

  get received(): readonly ReceivedEvent[] {
    return this.fake.received.map(({ body, headers }) => ({
      body,
      signature: String(headers['stripe-signature']),
      event: JSON.parse(body.toString()) as Stripe.Event,
    }));
  }

  /** The SDK without retries of its own, pointed at the fake. */
  sdk(secret = 'sk_test_bench'): Stripe {
    const redirect: typeof fetch = (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      const headers = new Headers(init?.headers);
      // fetch counts the bytes itself.
      headers.delete('content-length');
      // A restart closes the connections that fetch would use again.
      headers.set('connection', 'close');
      return fetch(this.fake.urlOf(`${pathname.slice(1)}${search}`), { ...init, headers });
    };
    const httpClient = Stripe.createFetchHttpClient(redirect);
    return new Stripe(secret, { httpClient, maxNetworkRetries: 0, telemetry: false });
  }

  /** A request without the SDK. */
  async send(
    method: string,
    path: string,
    { form = {}, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; headers: Headers; text: string }> {
    const response = await fetch(this.fake.urlOf(`v1/${path}`), {
      method,
      headers: { authorization: 'Bearer sk_test_bench', ...headers },
      body: method === 'GET' ? null : new URLSearchParams(form),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
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

export const CARDS = {
  approved: '4000000000000010',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  lost: '4000000000009987',
  advice: '5100000000000503',
  outage: '4000000000000119',
} as const;

/** A payment of R$ 100 in Stripe's words. */
export class StripePayment {
  readonly transactionId = randomUUID();
  readonly reference = `${this.transactionId}-1`;

  constructor(private readonly sdk: Stripe) {}

  async method(number: string = CARDS.approved): Promise<string> {
    const exp_year = new Date().getUTCFullYear() + 1;
    const card = { number, exp_month: 12, exp_year, cvc: '123' };
    return (await this.sdk.paymentMethods.create({ type: 'card', card })).id;
  }

  /** Charges a card, or authorizes it with `capture_method: 'manual'`. */
  async pay(
    changes: Partial<Stripe.PaymentIntentCreateParams> = {},
    { number, key = randomUUID() }: { number?: string; key?: string } = {},
  ): Promise<Stripe.Response<Stripe.PaymentIntent>> {
    const params = await this.params(changes, number);
    return this.sdk.paymentIntents.create(params, { idempotencyKey: key });
  }

  /** Verifies a card without money. */
  async setUp(number?: string): Promise<Stripe.Response<Stripe.SetupIntent>> {
    return this.sdk.setupIntents.create({
      confirm: true,
      payment_method: await this.method(number),
      metadata: { reference: this.reference },
    });
  }

  private async params(changes: Partial<Stripe.PaymentIntentCreateParams>, number?: string) {
    const base = {
      amount: 10_000,
      currency: 'brl',
      confirm: true,
      metadata: { reference: this.reference },
      expand: ['latest_charge'],
      ...changes,
    };
    if (changes.payment_method !== undefined || changes.payment_method_data !== undefined) return base;
    return { ...base, payment_method: await this.method(number) };
  }
}

/** The charge of an intent whose `latest_charge` was expanded. */
export function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge {
  if (charge === null || typeof charge === 'string') throw new Error('latest_charge is not expanded');
  return charge;
}

/** The error of the SDK that a call ends with. */
export async function errorOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Stripe.errors.StripeError) return error;
  throw new Error(`not an error of Stripe: ${String(error)}`);
}
