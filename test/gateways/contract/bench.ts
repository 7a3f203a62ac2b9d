import { PURCHASE } from '../../support/fixtures/purchase-data';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { sentExpiry, type SentExpiry } from '../../../src/domain/routing/expiry-support';
import type { Capabilities } from '../../../src/domain/routing/routing';
import type { GatewayErrorFamily } from '../../../src/domain/payments/gateway-error-family';
import { GatewayError } from '../../../src/gateways/errors';
import type { CallbackHint } from '../../../src/gateways/callback';
import { followUpOutcome } from '../../../src/gateways/follow-up-outcome';
import type {
  Accepted,
  ChargeRequest,
  RefundBankAccount,
  FollowUp,
  GatewayAddress,
  GatewayCard,
  GatewayContext,
  GatewayDriver,
  GatewaySplit,
  InquiryResult,
  Outcome,
  Recipient,
  SubaccountInformation,
} from '../../../src/gateways/gateway';
import type {
  CallRecipient,
  ConsentCode,
  KnownRecipient,
  RecipientAuthorization,
} from '../../../src/gateways/recipient';
import { GatewayHttp } from '../../../src/gateways/http';
import { FOR_NOBODY, KEEP_NOTHING } from '../../support/fixtures/gateway-calls';
import { newGatewayContext } from '../../../src/gateways/new-gateway-context';
import { waitFor } from '../../support/stack/wait-for';
import type { PaymentMethod } from '../../../src/domain/payments/payment';
import type { GatewayUnderTest } from './gateway-under-test';
import { sameGateways } from '../../support/same-gateways';

export const AMOUNT = 12_990;
const UUID_LENGTH = 36;
const PIX_EXPIRES_IN_SECONDS = 3_600;
const DAY_MS = 24 * 60 * 60 * 1000;
export const BANK_ACCOUNT: RefundBankAccount = {
  holder_name: 'Ana Lima',
  holder_type: 'individual',
  holder_document: '52998224725',
  bank_code: '341',
  branch_number: '0001',
  account_number: '12345',
  account_check_digit: '6',
  type: 'checking',
};
/** For calls that are expected to time out. */
export const SHORT_TIMEOUT_MS = 300;
/** Generous, because tests share a busy machine: no test waits for them. */
const TIMEOUT_MS = 20_000;
const SEND_WINDOW_MS = 10_000;

export const BILLING_ADDRESS: GatewayAddress = {
  street: 'Rua das Flores',
  number: '12',
  complementary: 'Apto 3',
  neighborhood: 'Boa Vista',
  city: 'Recife',
  state: 'PE',
  zip_code: '50060000',
  country: 'BR',
};

/** Of an individual, as the API takes it. Gateways without references of ours tell owners by their e-mail addresses. */
function recipientInformation(document: string, reference: string): SubaccountInformation {
  const { bank_code, ...account } = BANK_ACCOUNT;
  const { country: _, ...address } = BILLING_ADDRESS;
  return {
    name: 'Loja da Ana',
    email: `loja+${reference}@example.com`,
    document,
    type: 'individual',
    birthdate: '1990-04-12',
    monthly_income: 650_000,
    professional_occupation: 'Florista',
    phone_numbers: [{ country: '81', number: '991234567', type: 'mobile' }],
    address,
    default_bank_account: { ...account, bank_code, holder_document: document },
  };
}

export interface CreatedCharge {
  readonly transactionId: string;
  readonly request: ChargeRequest;
  readonly charge: Accepted;
}

/** A driver at one slug, its gateway (connected when the tests run), and helpers that create payments. */
export class ContractBench {
  readonly capabilities: Capabilities;
  readonly replaysKeys: boolean;
  readonly supportsLookup: boolean;
  readonly provesAbsence: boolean;
  /** Otherwise its signed callbacks tell what happened. */
  readonly answersInquiries: boolean;
  /** Of the charges whose method does not matter to a test. */
  readonly mainMethod: PaymentMethod;
  /** The methods whose refunds the gateway always carries out later. */
  readonly pendingRefunds: readonly PaymentMethod[];
  private readonly refundCents = new Map<string, number>();
  /** By our references. */
  private readonly recipients = new Map<string, KnownRecipient>();
  /** Recipients that have authorized the platform, by their ids. */
  private readonly authorized = new Map<string, CallRecipient>();
  private connected: { gateway: GatewayUnderTest; http: GatewayHttp } | null = null;

  constructor(
    readonly driver: GatewayDriver,
    readonly slug: GatewaySlug,
    { pendingRefunds = [] }: { readonly pendingRefunds?: readonly PaymentMethod[] } = {},
  ) {
    this.pendingRefunds = pendingRefunds;
    this.capabilities = driver.capabilities(slug);
    const { methods } = this.capabilities;
    this.mainMethod = methods.includes('card') ? 'card' : (methods[0] ?? 'card');
    this.answersInquiries = this.capabilities.truth !== 'signed_callback';
    this.replaysKeys = this.capabilities.idempotency === 'both' || this.capabilities.idempotency === 'replay';
    this.provesAbsence = this.capabilities.provesAbsence !== false;
    this.supportsLookup =
      this.capabilities.idempotency === 'both' || this.capabilities.idempotency === 'lookup';
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

  /** As `context`, of a call whose gateway is at another address. */
  contextAt(url: string): GatewayContext {
    const names = Object.keys(this.connection().gateway.endpoints);
    return this.context({ endpoints: Object.fromEntries(names.map((name) => [name, url])) });
  }

  /** The context of a new call, with its own key and send window. */
  context(changes: Partial<GatewayContext> = {}, timeoutMs = TIMEOUT_MS): GatewayContext {
    const { gateway, http } = this.connection();
    const { goodSecret, goodCredentials = {} } = gateway;
    const { secretKey = goodSecret, credentials = goodCredentials, endpoints = gateway.endpoints } = changes;
    const registry = { driver: () => this.driver, endpoints: () => endpoints };
    const context = newGatewayContext(
      { registries: sameGateways(registry), http, unrecognizedAnswers: KEEP_NOTHING },
      {
        slug: this.slug,
        values: { secretKey, credentials },
        clientId: gateway.goodClientId ?? null,
        idempotencyKey: randomUUID(),
        sendBefore: Date.now() + SEND_WINDOW_MS,
        timeoutMs,
        asked: FOR_NOBODY,
      },
    );
    return { ...context, ...changes };
  }

  card(number = this.gateway.approvedCard): GatewayCard {
    const expireYear = new Date().getUTCFullYear() + 3;
    return {
      ...{ number, cvv: '123', holderName: 'ANA LIMA', expireMonth: 12, expireYear, brand: 'visa' },
      ...this.gateway.cardDetails,
    };
  }

  /** The number of a card that is declined, and what its decline has. */
  declinedCard(): readonly [number: string, decline: object] {
    const { declinedCards, cardsDeclinedWithoutCode = {} } = this.gateway;
    for (const [code, number] of Object.entries(declinedCards)) return [number, { code }];
    for (const [declineClass, number] of Object.entries(cardsDeclinedWithoutCode)) {
      return [number, { code: null, declineClass }];
    }
    throw new Error('the gateway declines no card');
  }

  /** What the driver gets for a pix that expires after this time by default, or for a boleto. */
  sentExpiry(paymentMethod: PaymentMethod, seconds: number): SentExpiry {
    const createdAt = new Date();
    const dueAt = new Date(createdAt.getTime() + 3 * DAY_MS).toISOString().slice(0, 10);
    return sentExpiry(this.capabilities, {
      pixExpiresInSeconds: paymentMethod === 'pix' ? seconds : null,
      billetDueAt: paymentMethod === 'billet' ? dueAt : null,
      ...{ isDefault: true, createdAt },
    });
  }

  newPayment(
    changes: Partial<ChargeRequest> = {},
    paymentMethod: PaymentMethod = this.mainMethod,
  ): { transactionId: string; request: ChargeRequest } {
    const transactionId = randomUUID();
    const { pix, billetDueAt: dueAt } = this.sentExpiry(paymentMethod, PIX_EXPIRES_IN_SECONDS);
    const expiresAt = new Date(Date.now() + 6 * DAY_MS).toISOString();
    const request: ChargeRequest = {
      reference: `${transactionId}-1`,
      amountCents: AMOUNT,
      currency: 'BRL',
      paymentMethod,
      installments: 1,
      softDescriptor: null,
      customer: {
        ...{ name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
        ...this.gateway.customerDetails,
      },
      card: paymentMethod === 'card' ? this.card() : null,
      billingAddress: this.needsAddress(paymentMethod) ? BILLING_ADDRESS : null,
      purchase: PURCHASE,
      splits: [],
      pix,
      billet: dueAt === null ? null : { dueAt, expiresAt, instructions: 'Não receber em cheque' },
      initiation: { initiator: 'customer', reason: 'one_off' },
      ...changes,
    };
    return { transactionId, request };
  }

  private needsAddress(method: PaymentMethod): boolean {
    return method === 'billet' || this.capabilities.requires?.[method]?.includes('billing_address') === true;
  }

  async createCharge(
    changes: Partial<ChargeRequest> = {},
    paymentMethod: PaymentMethod = this.mainMethod,
  ): Promise<CreatedCharge> {
    const { transactionId, request } = this.newPayment(changes, paymentMethod);
    return {
      transactionId,
      request,
      charge: requireAccepted(await this.driver.charge(this.contextOf(request.splits), request)),
    };
  }

  async createAuthorization(changes: Partial<ChargeRequest> = {}): Promise<CreatedCharge> {
    const { transactionId, request } = this.newPayment(changes);
    return {
      transactionId,
      request,
      charge: requireAccepted(await this.driver.authorize(this.contextOf(request.splits), request)),
    };
  }

  /** What a new charge of the main method is, and has captured. */
  get created(): { readonly kind: 'approved' | 'pending'; readonly capturedCents: number } {
    return this.mainMethod === 'card'
      ? { kind: 'approved', capturedCents: AMOUNT }
      : { kind: 'pending', capturedCents: 0 };
  }

  /** What the gateway answers to a refund of the main method. */
  get refundedKind(): 'refunded' | 'pending' {
    return this.pendingRefunds.includes(this.mainMethod) ? 'pending' : 'refunded';
  }

  /** Creates a charge of the main method that its customer has paid. */
  createApproved(): Promise<CreatedCharge> {
    return this.mainMethod === 'card' ? this.createCharge() : this.createPaid(this.mainMethod);
  }

  /** Creates a pix or billet that the customer has paid. */
  async createPaid(paymentMethod: 'pix' | 'billet'): Promise<CreatedCharge> {
    const pending = await this.createCharge({}, paymentMethod);
    await this.gateway.pay(pending.transactionId);
    return pending;
  }

  followUp(charge: Accepted, reference: string, changes: Partial<FollowUp> = {}): FollowUp {
    const { gatewayTransactionId } = charge;
    const common = { reference, gatewayTransactionId, amountCents: AMOUNT, currency: 'BRL', splits: [] };
    if (reference.includes('-refund')) this.refundCents.set(reference, changes.amountCents ?? AMOUNT);
    return { ...common, reason: null, bankAccount: null, ...changes };
  }

  /** The context of a call about a charge with these splits: in their recipient's name, where recipients authorize the platform. */
  contextOf(splits: readonly GatewaySplit[]): GatewayContext {
    const recipient = this.authorized.get(splits[0]?.recipientId ?? '');
    return this.context(recipient === undefined ? {} : { recipient });
  }

  get authorization(): RecipientAuthorization<GatewayContext> {
    const { recipientAuthorization } = this.driver;
    if (recipientAuthorization === undefined) throw new Error('no recipient authorizes the platform');
    return recipientAuthorization;
  }

  /** What an owner sends back who consents at a new link. */
  async consent(): Promise<ConsentCode> {
    const { consent } = this.gateway;
    if (consent === undefined) throw new Error('nobody consents');
    const redirectUri = 'https://payments.example.com/api/v1/consents/gateway';
    const state = randomUUID();
    const codeVerifier = randomBytes(32).toString('base64url');
    const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
    const link = this.authorization.consentUrl(this.context(), { redirectUri, state, codeChallenge });
    const answer = await consent(link);
    if (answer.state !== state) throw new Error('the gateway answered with another state');
    return { code: answer.code, redirectUri, codeVerifier };
  }

  /** A split to a new active recipient. */
  async splitTo(amountCents: number): Promise<GatewaySplit> {
    if (this.driver.recipientAuthorization !== undefined) {
      const grant = await this.authorization.redeem(this.context(), await this.consent());
      this.authorized.set(grant.recipientId, grant);
      return { recipientId: grant.recipientId, amountCents, liable: true, chargeProcessingFee: true };
    }
    const { recipientId } = await this.createRecipient(randomUUID(), this.gateway.documents.active);
    const paysCosts = this.capabilities.splitCosts !== 'platform';
    return { recipientId, amountCents, liable: paysCosts, chargeProcessingFee: paysCosts };
  }

  async createRecipient(
    reference: string,
    document: string,
    ctx: GatewayContext = this.context(),
  ): Promise<Recipient> {
    const { createRecipient } = this.driver;
    if (createRecipient === undefined)
      throw new Error('a driver with subAccounts must implement createRecipient');
    const information = recipientInformation(document, reference);
    const sent = { recipientId: null, sentAt: new Date(), information, secret: null };
    this.recipients.set(reference, sent);
    const made = await createRecipient.call(this.driver, ctx, reference, information);
    this.recipients.set(reference, {
      ...sent,
      recipientId: made.recipientId,
      secret: made.secret ?? null,
    });
    return made;
  }

  findRecipient(reference: string, ctx: GatewayContext = this.context()): Promise<Recipient | null> {
    const { findRecipient } = this.driver;
    if (findRecipient === undefined)
      throw new Error('a driver with subAccounts must implement findRecipient');
    const information = recipientInformation(this.gateway.documents.active, reference);
    const unknown = { recipientId: null, sentAt: new Date(), information, secret: null };
    const known = this.recipients.get(reference) ?? unknown;
    return findRecipient.call(this.driver, ctx, reference, known);
  }

  inquire(
    reference: string,
    gatewayTransactionId: string | null = null,
    ctx: GatewayContext = this.context(),
  ): Promise<InquiryResult> {
    const subject = { reference, gatewayTransactionId, sentAt: new Date() };
    const amountCents = this.refundCents.get(reference);
    const refund = amountCents === undefined ? {} : { refund: { amountCents, others: [] } };
    return this.driver.inquire(ctx, { ...subject, ...refund });
  }

  /**
   * What the gateway says about a charge or an operation on it: its answer to an inquiry, or else what its last signed callback about
   * it reports, once that is there.
   */
  async learn(reference: string, gatewayTransactionId: string | null = null): Promise<InquiryResult> {
    if (this.answersInquiries) return this.inquire(reference, gatewayTransactionId);
    const find = async () => (await this.signedHints(reference.slice(0, UUID_LENGTH), reference)).at(-1);
    const hint = await waitForGateway(find, `a callback about ${reference}`);
    return { kind: 'found', outcome: outcomeOf(hint) };
  }

  /** The hints about a charge or operation whose signatures are valid, oldest first. */
  private async signedHints(transactionId: string, reference: string): Promise<readonly CallbackHint[]> {
    const callbacks = await this.gateway.callbacks(transactionId);
    return callbacks.flatMap((raw) => {
      const reading = this.driver.readCallback(raw);
      const hints = reading.kind === 'hints' ? reading.hints : [];
      const secrets = [this.gateway.webhookSecret];
      return hints.filter(
        (hint) =>
          hint.kind === 'status' &&
          hint.subject.reference === reference &&
          this.driver.verifyCallback(raw, hint, secrets, new Date()) === 'valid',
      );
    });
  }

  private connection() {
    if (this.connected === null) throw new Error('connect() must be called in beforeAll');
    return this.connected;
  }
}

/** Waits until it tells something. A first question that fails ends the wait: it never will. */
export async function waitForGateway<T>(
  ask: () => Promise<T | undefined>,
  what: string,
): Promise<NonNullable<T>> {
  return (await ask()) ?? waitFor(ask, { what });
}

/** As the engine reads a callback that is a fact. */
function outcomeOf({ subject, reportedState }: CallbackHint): Outcome {
  const gatewayTransactionId = subject.gatewayTransactionId ?? '';
  if (reportedState === null) throw new Error('the callback does not tell the state');
  const { status, capturedCents, refundedCents, paidCents } = reportedState;
  if (status === 'declined') {
    const message = 'declined';
    const decline = { code: null, declineClass: 'soft', message, adviceCode: null } as const;
    return { kind: 'declined', gatewayTransactionId, ...decline };
  }
  const kind = status === 'expired' ? 'canceled' : status;
  const amountCents = refundedCents || capturedCents || AMOUNT;
  return {
    ...followUpOutcome(kind, gatewayTransactionId, amountCents),
    paidAmountCents: paidCents,
    chargeState: reportedState,
  };
}

export function requireAccepted(outcome: Outcome): Accepted {
  if (outcome.kind === 'declined') throw new Error(`declined: ${outcome.code}`);
  return outcome;
}

export function requireFound(result: InquiryResult): Outcome {
  if (result.kind !== 'found') throw new Error(`the inquiry result is ${JSON.stringify(result)}`);
  return result.outcome;
}

export async function expectFamily(call: Promise<unknown>, family: GatewayErrorFamily): Promise<void> {
  const result = await call.catch((error: unknown) => error);
  expect(result).toBeInstanceOf(GatewayError);
  expect(result).toMatchObject({ family });
}
