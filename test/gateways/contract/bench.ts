import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/gateway-slug';
import type { Capabilities } from '../../../src/domain/routing';
import { GatewayError, type GatewayErrorFamily } from '../../../src/gateways/errors';
import type {
  Accepted,
  ChargeRequest,
  FollowUp,
  GatewayCard,
  GatewayContext,
  GatewayDriver,
  InquiryResult,
  Outcome,
} from '../../../src/gateways/gateway';
import { GatewayHttp } from '../../../src/gateways/http';

/** How a gateway misbehaves for a payment's next request, or for its next one of some operation. */
export type Trouble =
  | { readonly status: number }
  | { readonly delay_ms: number }
  | { readonly drop: 'before' | 'after' }
  | { readonly hang: 'before' | 'after' }
  | { readonly truncate: true; readonly drop?: 'after' }
  | { readonly html: number }
  | { readonly duplicate_id: true };

/** The gateway a driver talks to: a simulator, or a vendor's stand-in that can be made to misbehave. */
export interface GatewayUnderTest {
  readonly baseUrl: string;
  readonly goodSecret: string;
  readonly badSecret: string;
  readonly approvedCard: string;
  /** Card numbers that are declined, by response code. */
  readonly declinedCards: Readonly<Record<string, string>>;
  /** The document a recipient is made with, by the state it is then in. */
  readonly documents: Readonly<Record<'active' | 'pending' | 'refused', string>>;
  causeTrouble(transactionId: string, trouble: Trouble, operation?: string): Promise<void>;
  /** Captured and not returned, over all charges of a payment, as the gateway itself tells. */
  netCapturedCents(transactionId: string): Promise<number>;
  /** How many requests of the payment reached the gateway. */
  requestCount(transactionId: string): Promise<number>;
}

export const AMOUNT = 12_990;
/** For calls that are to time out. */
export const SHORT_TIMEOUT_MS = 300;
const TIMEOUT_MS = 5_000;
const SEND_WINDOW_MS = 2_000;

/** A driver at one slug, its gateway once the tests run, and payments to try them with. */
export class ContractBench {
  readonly can: Capabilities;
  readonly replaysKeys: boolean;
  readonly looksUp: boolean;
  private connected: { gateway: GatewayUnderTest; http: GatewayHttp } | null = null;

  constructor(
    readonly driver: GatewayDriver,
    readonly slug: GatewaySlug,
  ) {
    this.can = driver.capabilities(slug);
    this.replaysKeys = this.can.idempotency === 'both' || this.can.idempotency === 'replay';
    this.looksUp = this.can.idempotency === 'both' || this.can.idempotency === 'lookup';
  }

  connect(gateway: GatewayUnderTest): void {
    this.connected = { gateway, http: new GatewayHttp() };
  }

  async close(): Promise<void> {
    await this.connected?.http.close();
  }

  get gateway(): GatewayUnderTest {
    return this.connection().gateway;
  }

  /** A call of its own: a new key and a new send window. */
  context(changes: Partial<GatewayContext> = {}): GatewayContext {
    const { gateway, http } = this.connection();
    return {
      gateway: this.slug,
      baseUrl: gateway.baseUrl,
      secretKey: gateway.goodSecret,
      clientId: null,
      idempotencyKey: randomUUID(),
      sendBefore: Date.now() + SEND_WINDOW_MS,
      timeoutMs: TIMEOUT_MS,
      http,
      ...changes,
    };
  }

  card(number = this.gateway.approvedCard): GatewayCard {
    const expireYear = new Date().getUTCFullYear() + 3;
    return { number, cvv: '123', holderName: 'ANA LIMA', expireMonth: 12, expireYear, brand: 'visa' };
  }

  payment(changes: Partial<ChargeRequest> = {}): { transactionId: string; request: ChargeRequest } {
    const transactionId = randomUUID();
    const request: ChargeRequest = {
      reference: `${transactionId}-1`,
      amountCents: AMOUNT,
      currency: 'BRL',
      paymentMethod: 'card',
      installments: 1,
      softDescriptor: null,
      customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
      card: this.card(),
      billingAddress: null,
      splits: [],
      ...changes,
    };
    return { transactionId, request };
  }

  async charged(): Promise<{ transactionId: string; request: ChargeRequest; charge: Accepted }> {
    const { transactionId, request } = this.payment();
    return { transactionId, request, charge: accepted(await this.driver.charge(this.context(), request)) };
  }

  async authorized(): Promise<{ transactionId: string; authorization: Accepted }> {
    const { transactionId, request } = this.payment();
    return { transactionId, authorization: accepted(await this.driver.authorize(this.context(), request)) };
  }

  followUp(charge: Accepted, reference: string, amountCents = AMOUNT): FollowUp {
    return { reference, gatewayTransactionId: charge.gatewayTransactionId, amountCents, splits: [] };
  }

  inquire(reference: string, gatewayTransactionId: string | null = null): Promise<InquiryResult> {
    return this.driver.inquire(this.context(), { reference, gatewayTransactionId });
  }

  private connection() {
    if (this.connected === null) throw new Error('the gateway is connected in beforeAll');
    return this.connected;
  }
}

export function accepted(outcome: Outcome): Accepted {
  if (outcome.kind === 'declined') throw new Error(`declined: ${outcome.code}`);
  return outcome;
}

export function found(result: InquiryResult): Outcome {
  if (result.kind !== 'found') throw new Error(`the inquiry is ${JSON.stringify(result)}`);
  return result.outcome;
}

export async function expectFamily(call: Promise<unknown>, family: GatewayErrorFamily): Promise<void> {
  const ended = await call.catch((error: unknown) => error);
  expect(ended).toBeInstanceOf(GatewayError);
  expect(ended).toMatchObject({ family });
}
