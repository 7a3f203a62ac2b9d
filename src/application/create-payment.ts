import { setTimeout as delay } from 'node:timers/promises';
import { isExpired } from '../domain/card';
import type { AuthenticatedCompany } from '../domain/company';
import type { Customer } from '../domain/customer';
import { ApiError, validationError } from '../domain/errors';
import { newTransactionId, type TransactionId } from '../domain/ids';
import { routeGateways } from '../domain/routing';
import type { Split } from '../domain/split';
import type { Failpoint } from '../failpoints';
import type { GatewayRegistry } from '../gateways/registry';
import type { CustomerCardRepository } from '../persistence/customer-card-repository';
import type { CustomerRepository } from '../persistence/customer-repository';
import type { GatewayRepository } from '../persistence/gateway-repository';
import type { IdempotencyRecord, IdempotencyRepository } from '../persistence/idempotency-repository';
import type { NewPayment, PaymentRepository } from '../persistence/payment-repository';
import type { SubAccountRepository } from '../persistence/sub-account-repository';
import type { Database, Tx } from '../persistence/transaction';
import type { CardVault } from '../security/card-vault';
import { requestHash } from '../security/request-hash';
import type { PaymentWorkflows } from '../temporal/payments';
import type { FindPayment, FoundPayment } from './find-payment';
import { readPaymentRequest, type PaymentRequest, type ReadPaymentRequest } from './payment-request';

export interface CreatePaymentDeps {
  readonly db: Database;
  readonly payments: PaymentRepository;
  readonly idempotency: IdempotencyRepository;
  readonly customers: CustomerRepository;
  readonly customerCards: CustomerCardRepository;
  readonly subAccounts: SubAccountRepository;
  readonly gateways: GatewayRepository;
  readonly registry: GatewayRegistry;
  readonly vault: CardVault<Tx>;
  readonly workflows: Pick<PaymentWorkflows, 'awaitResult'>;
  readonly findPayment: FindPayment;
  readonly requestHashKey: string;
  readonly syncTimeoutMs: number;
  readonly failpoint: Failpoint;
  /** Tells people of an error that the caller must not see, because the payment exists. */
  readonly reportError: (transactionId: string, error: unknown) => void;
  readonly now: () => Date;
}

export interface CreatePaymentCommand {
  readonly company: AuthenticatedCompany;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly request: PaymentRequest;
  readonly receivedAt: Date;
}

/** When the table is asked about a lost COMMIT: pauses in ms, as long as a restarted database takes to answer. */
const COMMIT_LOOKUPS_MS = [50, 500, 1_000, 2_000, 4_000];

type CreatedPayment = FoundPayment['payment'];

/** What the caller is answered. */
export type PaymentAnswer =
  /** The recorded answer of this key, the same for every request that carries it. */
  | { readonly kind: 'recorded'; readonly status: number; readonly body: unknown; readonly replayed: boolean }
  /** No key, so no recorded answer; or a payment that is still processing. */
  | { readonly kind: 'payment'; readonly payment: FoundPayment; readonly replayed: false };

/**
 * Makes a payment once, whatever is resent: ONE transaction claims the key, puts the card in the vault and inserts the
 * payment as processing; then its workflow is started or joined, and waited for.
 *
 * @throws ApiError `validation_error`, `idempotency_key_reused`, `no_gateway_available`: nothing was created and the key is free
 */
export class CreatePayment {
  constructor(private readonly deps: CreatePaymentDeps) {}

  async execute(command: CreatePaymentCommand): Promise<PaymentAnswer> {
    const deadline = new Date(command.receivedAt.getTime() + this.deps.syncTimeoutMs);
    const hash = this.hash(command);
    const created = await this.createUnlessKnown(command, hash);
    if (created === null) return this.answerResent(command, hash, deadline);
    this.deps.failpoint('payment-committed');
    return this.awaitAnswer(command, { payment: created, attempts: [] }, deadline);
  }

  /** From here on the payment exists and may be charged: whatever fails, the answer is that it is processing. */
  private async awaitAnswer(
    command: CreatePaymentCommand,
    known: FoundPayment,
    deadline: Date,
  ): Promise<PaymentAnswer> {
    try {
      await this.deps.workflows.awaitResult(known.payment, deadline);
      const answer = await this.answer(command, known.payment.transactionId);
      this.deps.failpoint('answer-ready');
      return answer;
    } catch (error) {
      this.deps.reportError(known.payment.transactionId, error);
      return { kind: 'payment', payment: known, replayed: false };
    }
  }

  private hash({ idempotencyKey, path, request }: CreatePaymentCommand): string {
    return idempotencyKey === null
      ? ''
      : requestHash(this.deps.requestHashKey, 'POST', path, withoutCvv(request));
  }

  /** Null when the key is taken: also when the request could not be made any more (its card has expired since). */
  private async createUnlessKnown(
    command: CreatePaymentCommand,
    hash: string,
  ): Promise<CreatedPayment | null> {
    const transactionId = newTransactionId();
    try {
      return await this.create(command, hash, transactionId);
    } catch (error) {
      const { idempotencyKey, company } = command;
      if (!(error instanceof ApiError)) return this.committedAfterAll(company.id, transactionId, error);
      if (idempotencyKey === null) throw error;
      if ((await this.deps.idempotency.find(company.id, idempotencyKey)) === null) throw error;
      return null;
    }
  }

  /** A connection lost under COMMIT leaves open whether the payment exists, and what exists is charged: the table is asked. */
  private async committedAfterAll(
    companyId: number,
    transactionId: string,
    cause: unknown,
  ): Promise<CreatedPayment> {
    for (const pauseMs of COMMIT_LOOKUPS_MS) {
      await delay(pauseMs);
      const found = await this.deps.payments
        .find(companyId, transactionId)
        .catch(() => 'unreachable' as const);
      if (found === null) throw cause;
      if (found !== 'unreachable') return found;
    }
    throw cause;
  }

  private async create(
    command: CreatePaymentCommand,
    hash: string,
    transactionId: TransactionId,
  ): Promise<CreatedPayment | null> {
    const { company, request, idempotencyKey } = command;
    const now = this.deps.now();
    const read = readPaymentRequest(request, now);
    if (!read.valid) throw validationError(read.errors);
    const claim = { companyId: company.id, key: idempotencyKey ?? '', requestHash: hash, transactionId };
    return this.deps.db.inTransaction(async (tx) => {
      if (idempotencyKey !== null && !(await this.deps.idempotency.claim(tx, claim))) return null;
      await this.assertCarriable(company, request, read.value.splits, tx);
      const parties = await this.resolveParties(tx, company, read.value, now);
      const payment = { ...describe(command, transactionId), ...parties, splits: mutable(read.value.splits) };
      return this.deps.payments.insert(tx, payment, now);
    });
  }

  private async assertCarriable(
    company: AuthenticatedCompany,
    request: PaymentRequest,
    splits: readonly Split[] | null,
    tx: Tx,
  ): Promise<void> {
    const recipientIds = (splits ?? []).map((split) => split.recipientId);
    await this.assertRecipients(company.id, recipientIds, tx);
    const { registry, gateways, now } = this.deps;
    const stored = await gateways.loadRoutableGateways(
      company.id,
      registry.platformSlugs(company.clientId),
      tx,
    );
    const routed = routeGateways(
      {
        paymentMethod: request.payment_method,
        authorizeOnly: !request.capture,
        currency: request.currency,
        recipientIds,
        gatewayFirstTry: request.gateway_first_try ?? null,
      },
      registry.routable(stored, now()),
    );
    if (routed.length === 0) {
      throw new ApiError('no_gateway_available', 'No enabled gateway can carry this payment.');
    }
  }

  private async assertRecipients(companyId: number, recipientIds: readonly string[], tx: Tx): Promise<void> {
    if (recipientIds.length === 0) return;
    const known = await this.deps.subAccounts.knownRecipientIds(companyId, recipientIds, tx);
    const unknown = recipientIds.flatMap((id, index) => (known.has(id) ? [] : [index]));
    if (unknown.length === 0) return;
    throw validationError(
      Object.fromEntries(
        unknown.map((index) => [`splits.${index}.recipient_id`, ['names no recipient of yours']]),
      ),
    );
  }

  /** The customer and the card, existing or new; a raw card goes into the vault here and nowhere else. */
  private async resolveParties(tx: Tx, company: AuthenticatedCompany, read: ReadPaymentRequest, now: Date) {
    const customer = await this.resolveCustomer(tx, company.id, read);
    const { card } = read;
    const parties = {
      customerId: customer.id,
      customer: snapshot(customer),
      billingAddress: read.billingAddress,
    };
    switch (card.kind) {
      case 'none':
        return { ...parties, card: null, cardFingerprint: null, vaultCardId: null };
      case 'saved':
        return {
          ...parties,
          ...(await this.resolveSavedCard(tx, company.id, customer.id, card.token, read, now)),
        };
      case 'raw': {
        const { number, cvv, ...summary } = card.card;
        const vaultCardId = await this.deps.vault.put(tx, { companyId: company.id, number, cvv });
        const cardFingerprint = this.deps.vault.fingerprint(company.id, number);
        return { ...parties, card: { token: null, ...summary }, cardFingerprint, vaultCardId };
      }
    }
  }

  private async resolveCustomer(
    tx: Tx,
    companyId: number,
    { customer }: ReadPaymentRequest,
  ): Promise<Customer> {
    if (customer.kind === 'described')
      return this.deps.customers.upsertCustomer(tx, companyId, customer.details);
    const known = await this.deps.customers.findCustomerByToken(companyId, customer.token, tx);
    if (known === null) throw validationError({ 'customer.token': ['names no customer of yours'] });
    return known;
  }

  private async resolveSavedCard(
    tx: Tx,
    companyId: number,
    customerId: number,
    token: string,
    read: ReadPaymentRequest,
    now: Date,
  ) {
    const saved = await this.deps.customerCards.findCustomerCard(companyId, token, tx);
    if (saved === null || saved.customerId !== customerId) {
      throw validationError({ 'card.token': ['names no card of this customer'] });
    }
    if (isExpired(saved, now)) throw validationError({ 'card.token': ['the card has expired'] });
    const { brand, first6Digits, last4Digits, holderName, expireMonth, expireYear } = saved;
    return {
      card: { token, brand, first6Digits, last4Digits, holderName, expireMonth, expireYear },
      cardFingerprint: saved.fingerprint,
      vaultCardId: saved.vaultCardId,
      billingAddress: read.billingAddress ?? saved.billingAddress,
    };
  }

  /** The key is taken: the same request gets the same answer, or waits for it; another request is an error. */
  private async answerResent(
    command: CreatePaymentCommand,
    hash: string,
    deadline: Date,
  ): Promise<PaymentAnswer> {
    const { company, idempotencyKey } = command;
    const record = await this.findRecord(company.id, idempotencyKey);
    if (record.requestHash !== hash) {
      throw new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for a different request.');
    }
    if (record.responseStatus !== null) return recorded(record, record.responseStatus, true);
    const known = await this.deps.findPayment.byId(company.id, record.transactionId);
    return this.awaitAnswer(command, known, deadline);
  }

  private async answer(command: CreatePaymentCommand, transactionId: string): Promise<PaymentAnswer> {
    const { company, idempotencyKey } = command;
    if (idempotencyKey !== null) {
      const record = await this.findRecord(company.id, idempotencyKey);
      if (record.responseStatus !== null) return recorded(record, record.responseStatus, false);
    }
    const payment = await this.deps.findPayment.byId(company.id, transactionId);
    return { kind: 'payment', payment, replayed: false };
  }

  private async findRecord(companyId: number, key: string | null): Promise<IdempotencyRecord> {
    const record = await this.deps.idempotency.find(companyId, key ?? '');
    if (record === null) throw new Error('a claimed key is kept for ever');
    return record;
  }
}

function recorded(record: IdempotencyRecord, status: number, replayed: boolean): PaymentAnswer {
  return { kind: 'recorded', status, body: record.responseBody, replayed };
}

function describe(
  { company, request, idempotencyKey, receivedAt }: CreatePaymentCommand,
  transactionId: string,
) {
  return {
    transactionId,
    companyId: company.id,
    merchantOrderId: request.merchant_order_id,
    idempotencyKey,
    amountCents: request.amount,
    currency: request.currency,
    paymentMethod: request.payment_method,
    status: 'processing',
    message: 'processing',
    capture: request.capture,
    installments: request.installments,
    softDescriptor: request.soft_descriptor ?? null,
    metadata: request.metadata ?? null,
    gatewayFirstTry: request.gateway_first_try ?? null,
    saveCard: request.save_card,
    requestedAt: receivedAt,
  } satisfies Partial<NewPayment>;
}

function snapshot({ id, token, name, email, document, phone, address }: Customer): NewPayment['customer'] {
  return { id, token, name, email, document, phone, address };
}

function mutable(splits: readonly Split[] | null): Split[] | null {
  return splits && [...splits];
}

/** The CVV may not be kept, not even hashed (PCI DSS 3.3.1). */
function withoutCvv(request: PaymentRequest): PaymentRequest {
  if (!request.card) return request;
  const { cvv: _unkept, ...card } = request.card;
  return { ...request, card };
}
