import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { Capabilities } from '../../../src/domain/routing/routing';
import { GatewayError, type GatewayErrorFamily } from '../../../src/gateways/errors';
import type {
  Accepted,
  ChargeRequest,
  BankAccount,
  FollowUp,
  GatewayCard,
  GatewayContext,
  GatewayDriver,
  GatewaySplit,
  InquiryResult,
  Outcome,
  RawCallback,
  Recipient,
} from '../../../src/gateways/gateway';
import { GatewayHttp } from '../../../src/gateways/http';
import type { PaymentMethod } from '../../../src/domain/payments/payment';

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
  /** Card numbers whose network gives advice with a refusal, by that advice; none where the vendor does not pass it on. */
  readonly advisedCards: Readonly<Record<string, string>>;
  /** The document a recipient is made with, by the state it is then in. */
  readonly documents: Readonly<Record<'active' | 'pending' | 'refused', string>>;
  readonly webhookSecret: string;
  causeTrouble(transactionId: string, trouble: Trouble, operation?: string): Promise<void>;
  /** Captured and not returned, over all charges of a payment, as the gateway itself tells. */
  netCapturedCents(transactionId: string): Promise<number>;
  /** The customer pays a pix or billet: what is asked, or another amount. */
  pay(transactionId: string, amountCents?: number): Promise<void>;
  /** The gateway decides about a recipient it kept pending. */
  decideRecipient(recipientId: string, status: 'active' | 'refused'): Promise<void>;
  /** A cardholder disputes the payment. */
  dispute(transactionId: string): Promise<void>;
  /** The callbacks about a payment until now, oldest first. */
  callbacks(transactionId: string): Promise<readonly RawCallback[]>;
  /** What it was told, in its own words, of each of the payment's charges on a card on file. */
  recurringTold(transactionId: string): Promise<readonly object[]>;
  /** How many requests of the payment reached the gateway. */
  requestCount(transactionId: string): Promise<number>;
}

export const AMOUNT = 12_990;
const PIX_EXPIRES_IN_SECONDS = 3_600;
const DAY_MS = 24 * 60 * 60 * 1000;
export const BANK_ACCOUNT: BankAccount = {
  holder_name: 'Ana Lima',
  holder_type: 'individual',
  holder_document: '52998224725',
  bank_code: '341',
  branch_number: '0001',
  account_number: '12345',
  account_check_digit: '6',
  type: 'checking',
};
/** For calls that are to time out. */
export const SHORT_TIMEOUT_MS = 300;
const TIMEOUT_MS = 5_000;
const SEND_WINDOW_MS = 2_000;

export interface Charged {
  readonly transactionId: string;
  readonly request: ChargeRequest;
  readonly charge: Accepted;
}

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

  payment(
    changes: Partial<ChargeRequest> = {},
    paymentMethod: PaymentMethod = 'card',
  ): { transactionId: string; request: ChargeRequest } {
    const transactionId = randomUUID();
    const dueAt = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10);
    const expiresAt = new Date(Date.now() + 6 * DAY_MS).toISOString();
    const request: ChargeRequest = {
      reference: `${transactionId}-1`,
      amountCents: AMOUNT,
      currency: 'BRL',
      paymentMethod,
      installments: 1,
      softDescriptor: null,
      customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
      card: paymentMethod === 'card' ? this.card() : null,
      billingAddress: null,
      splits: [],
      pix: paymentMethod === 'pix' ? { expiresInSeconds: PIX_EXPIRES_IN_SECONDS } : null,
      billet: paymentMethod === 'billet' ? { dueAt, expiresAt, instructions: 'Não receber em cheque' } : null,
      recurring: null,
      ...changes,
    };
    return { transactionId, request };
  }

  async charged(
    changes: Partial<ChargeRequest> = {},
    paymentMethod: PaymentMethod = 'card',
  ): Promise<Charged> {
    const { transactionId, request } = this.payment(changes, paymentMethod);
    return { transactionId, request, charge: accepted(await this.driver.charge(this.context(), request)) };
  }

  async authorized(changes: Partial<ChargeRequest> = {}): Promise<Charged> {
    const { transactionId, request } = this.payment(changes);
    return { transactionId, request, charge: accepted(await this.driver.authorize(this.context(), request)) };
  }

  /** A pix or billet that its customer has paid. */
  async paid(paymentMethod: 'pix' | 'billet'): Promise<Charged> {
    const pending = await this.charged({}, paymentMethod);
    await this.gateway.pay(pending.transactionId);
    return pending;
  }

  followUp(charge: Accepted, reference: string, changes: Partial<FollowUp> = {}): FollowUp {
    const { gatewayTransactionId } = charge;
    const whole = { reference, gatewayTransactionId, amountCents: AMOUNT, splits: [] };
    return { ...whole, reason: null, bankAccount: null, ...changes };
  }

  /** A new active recipient's part of an amount. */
  async part(amountCents: number): Promise<GatewaySplit> {
    const { recipientId } = await this.recipient(randomUUID(), this.gateway.documents.active);
    return { recipientId, amountCents, liable: true, chargeProcessingFee: true };
  }

  recipient(reference: string, document: string, ctx: GatewayContext = this.context()): Promise<Recipient> {
    const { createRecipient } = this.driver;
    if (createRecipient === undefined) throw new Error('a driver with sub-accounts makes recipients');
    const name = 'Loja da Ana';
    const information = { name, email: 'loja@example.com', document, type: 'individual' as const };
    return createRecipient.call(this.driver, ctx, reference, information);
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
