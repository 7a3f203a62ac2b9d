import { findClaimedKey, recordedAnswer } from '../shared/idempotency';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { customerSnapshot } from '../../domain/customers/customer';
import { initiationOfPayment, type ChargedMethod } from '../../domain/shared/charge-initiation';
import { ApiError, validationError } from '../../domain/shared/errors';
import { newTransactionId, type TransactionId } from '../../domain/shared/ids';
import { NO_CONTACT } from '../../domain/routing/required-data';
import { isPaidLater } from '../../domain/payments/payment';
import type { Split } from '../../domain/payments/split';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type { CustomerCardRepository } from '../../persistence/customers/customer-card-repository';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type { GatewayRepository } from '../../persistence/gateways/gateway-repository';
import type { NewPayment, PaymentRepository } from '../../persistence/payments/payment-repository';
import type { RestoreState } from '../../persistence/restore/restore-state';
import type { RestoredChargeRepository } from '../../persistence/restore/restored-charge-repository';
import type { SubAccountRepository } from '../../persistence/gateways/sub-account-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { CardVault } from '../../security/card-vault';
import { requestParts } from '../../security/request-part';
import { NO_REQUEST_HASHES, requestHashes } from '../../security/request-hash';
import type { KeyedValues, SecretKeys } from '../../security/secret-keys';
import { assertRoutable, type RoutableFor } from './assert-routable';
import { assertRecipients } from './assert-recipients';
import { toBuyer, type CheckoutClaim } from '../checkout/checkout-claim';
import type { FirstAttempts } from './first-attempts';
import { awaitPayment, readAnswer, type AwaitedPayment, type AwaitPaymentDeps } from './await-payment';
import type { FoundPayment } from './find-payment';
import { resolveInDoubtCommit } from './in-doubt-commit';
import type { PaymentAnswer } from './payment-answer';
import {
  resolveCustomer,
  resolveSavedCard,
  sealRawCard,
  type SavedCardOnFile,
} from './resolve-customer-and-card';
import { payerContact, paymentNeeds, type PayerContact } from './payment-needs';
import { readPaymentRequest, type PaymentRequest, type ReadPaymentRequest } from './payment-request';

export interface CreatePaymentDeps extends AwaitPaymentDeps {
  readonly db: Database;
  readonly payments: PaymentRepository;
  readonly customers: CustomerRepository;
  readonly customerCards: CustomerCardRepository;
  readonly subAccounts: SubAccountRepository;
  readonly gateways: GatewayRepository;
  readonly registries: GatewayRegistries;
  readonly vault: CardVault<Tx>;
  readonly firstAttempts: Pick<FirstAttempts, 'make' | 'join'>;
  readonly requestHashKeys: SecretKeys;
  readonly restoreState: Pick<RestoreState, 'hasLostCharges'>;
  readonly restoredCharges: Pick<RestoredChargeRepository, 'findLostPayment'>;
  readonly syncTimeoutMs: number;
  readonly now: () => Date;
}

export interface CreatePaymentCommand {
  readonly company: AuthenticatedCompany;
  readonly path: string;
  readonly idempotencyKey: string | null;
  readonly request: PaymentRequest;
  readonly receivedAt: Date;
  /** Set if the payment is made in a checkout session. */
  readonly checkout?: CheckoutClaim;
  /** The part of the amount that is interest. */
  readonly interestCents?: number;
  /** Records something with the new payment, in its transaction. */
  readonly recordInsert?: (tx: Tx, id: TransactionId) => Promise<void>;
}

type CreatedPayment = FoundPayment['payment'];

/**
 * Creates a payment once, however often the request is resent. ONE transaction claims the idempotency key, puts the card
 * in the vault and inserts the payment as `processing`. Then the payment's workflow is started, or joined if it runs, and
 * its result is awaited (docs/decisions/idempotency.md). If possible this process makes the first attempt itself.
 *
 * @throws ApiError `validation_error`, `idempotency_key_reused`, `no_gateway_available`: nothing was created and the key
 *   stays free
 */
export class CreatePayment {
  constructor(private readonly deps: CreatePaymentDeps) {}

  async execute(command: CreatePaymentCommand): Promise<PaymentAnswer> {
    const deadline = new Date(command.receivedAt.getTime() + this.deps.syncTimeoutMs);
    const hashes = this.hashesOf(command);
    const created = await this.createUnlessKeyClaimed(command, hashes);
    if (created === null) return this.answerResent(command, hashes, deadline);
    this.deps.failpoint('payment-committed', command.company.id);
    const known = { payment: created, attempts: [], deliveries: [] };
    return awaitPayment(this.deps, awaited(command, known, deadline), (payment) =>
      this.deps.firstAttempts.make(payment, deadline),
    );
  }

  private hashesOf({ idempotencyKey, path, request, checkout }: CreatePaymentCommand): KeyedValues {
    return idempotencyKey === null
      ? NO_REQUEST_HASHES
      : requestHashes(this.deps.requestHashKeys, 'POST', path, checkout?.request ?? request);
  }

  /** Null if the key is claimed already, even if the request is no longer valid (for example, its card has expired since). */
  private async createUnlessKeyClaimed(
    command: CreatePaymentCommand,
    hashes: KeyedValues,
  ): Promise<CreatedPayment | null> {
    const transactionId = await this.transactionIdOf(command);
    try {
      return await this.create(command, hashes, transactionId);
    } catch (error) {
      const { idempotencyKey, company } = command;
      if (!(error instanceof ApiError)) {
        const find = () => this.deps.payments.find(company.id, transactionId);
        return resolveInDoubtCommit({ db: this.deps.db, find, cause: error, idempotencyKey });
      }
      if (idempotencyKey === null) throw error;
      if ((await this.deps.idempotency.find(company.id, idempotencyKey)) === null) throw error;
      return null;
    }
  }

  /** That of the charge that was made for the same request before a restore and lost with it, if there is one. */
  private async transactionIdOf({ company, idempotencyKey }: CreatePaymentCommand): Promise<TransactionId> {
    if (idempotencyKey === null) return newTransactionId();
    const { restoreState, restoredCharges, requestHashKeys } = this.deps;
    const parts = requestParts(requestHashKeys, company.id, idempotencyKey);
    const lost = restoreState.hasLostCharges
      ? await restoredCharges.findLostPayment(company.id, parts)
      : null;
    return lost ?? newTransactionId(parts[0]);
  }

  private async create(
    command: CreatePaymentCommand,
    hashes: KeyedValues,
    transactionId: TransactionId,
  ): Promise<CreatedPayment | null> {
    const { company, request, idempotencyKey, checkout } = command;
    const now = this.deps.now();
    const read = readPaymentRequest(request, company, now, checkout);
    if (!read.valid) throw validationError(read.errors);
    const claim = { companyId: company.id, key: idempotencyKey ?? '', requestHashes: hashes, transactionId };
    return this.deps.db.inTransaction(async (tx) => {
      if (idempotencyKey !== null && !(await this.deps.idempotency.claim(tx, claim))) return null;
      await checkout?.claimSession(tx, { transactionId });
      const { newCards, ...customerAndCard } = await this.resolveCustomerAndCard(
        tx,
        command,
        read.value,
        now,
      );
      const payer = { ...payerContact(customerAndCard, checkout), charged: customerAndCard };
      await this.assertRoutable(command, read.value, payer, now, tx);
      const { pending, purchase } = read.value;
      const terms = { ...pending, purchase, splits: mutable(read.value.splits) };
      const payment = { ...requestFields(command, transactionId), ...customerAndCard, ...terms };
      const inserted = await this.deps.payments.insert(tx, payment, now, newCards);
      await checkout?.useLink(tx);
      await command.recordInsert?.(tx, transactionId);
      return inserted;
    });
  }

  /**
   * A dry run at a checkout: throws the errors of `execute` that can be detected without creating anything.
   *
   * @throws ApiError `validation_error`, `no_gateway_available`
   */
  async validateOnly({
    company,
    request,
    checkout,
  }: Required<Pick<CreatePaymentCommand, 'company' | 'request' | 'checkout'>>): Promise<void> {
    const now = this.deps.now();
    const read = readPaymentRequest(request, company, now, checkout);
    if (!read.valid) throw validationError(read.errors);
    const { card, customer } = read.value;
    await this.deps.db.inTransaction(async (tx) => {
      const known =
        customer.kind === 'known' ? await resolveCustomer(this.deps, tx, company.id, customer) : null;
      const owner = known && { companyId: company.id, customerId: known.id };
      const saved =
        owner && card.kind === 'saved' ? await resolveSavedCard(this.deps, tx, owner, card.token, now) : null;
      const billingAddress = read.value.billingAddress ?? saved?.billingAddress ?? null;
      const payer = { customer: known ?? NO_CONTACT, billingAddress, charged: saved };
      await this.assertRoutable({ company, request, checkout }, read.value, payer, now, tx);
    });
  }

  private async assertRoutable(
    { company, request, checkout }: Pick<CreatePaymentCommand, 'company' | 'request' | 'checkout'>,
    read: ReadPaymentRequest,
    { charged, ...payer }: PayerContact & Pick<RoutableFor, 'charged'>,
    now: Date,
    tx: Tx,
  ): Promise<void> {
    await assertRecipients(this.deps.subAccounts, company.id, read.splits, tx);
    const needs = paymentNeeds(request, read, payer, now);
    const audience = checkout ? 'buyer' : 'company';
    await assertRoutable(this.deps, tx, company, needs, { audience, charged });
  }

  private async resolveCustomerAndCard(
    tx: Tx,
    { company, request, checkout }: CreatePaymentCommand,
    read: ReadPaymentRequest,
    now: Date,
  ) {
    const { card } = read;
    const buyer = checkout ? toBuyer(read.customer) : read.customer;
    const customer = await resolveCustomer(this.deps, tx, company.id, buyer);
    const sealed = card.kind === 'raw' ? await sealRawCard(this.deps, tx, company.id, card.card) : null;
    const owner = { companyId: company.id, customerId: customer.id };
    const saved =
      card.kind === 'saved' ? await resolveSavedCard(this.deps, tx, owner, card.token, now) : null;
    const used = saved ?? sealed;
    return {
      newCards: sealed === null ? [] : [sealed.insertion],
      initiation: initiationOfPayment(chargedMethod(request, saved)),
      customerId: customer.id,
      customer: customerSnapshot(customer),
      customerKey: customer.key,
      card: used?.card ?? null,
      cardFingerprint: used?.fingerprint ?? null,
      vaultCardId: used?.vaultCardId ?? null,
      billingAddress: read.billingAddress ?? used?.billingAddress ?? null,
    };
  }

  /** The key is claimed: the same request gets the recorded answer or waits for it; a different request is an error. */
  private async answerResent(
    command: CreatePaymentCommand,
    hashes: KeyedValues,
    deadline: Date,
  ): Promise<PaymentAnswer> {
    const { company, idempotencyKey } = command;
    const claim = { companyId: company.id, key: idempotencyKey, requestHashes: hashes };
    const record = await findClaimedKey(this.deps.idempotency, claim, 'transactionId');
    const recorded = recordedAnswer(record, true);
    if (recorded !== null) return recorded;
    const known = await this.deps.findPayment.byId(company.id, record.transactionId);
    // It was settled between the two reads, so its answer is recorded now, and every request gets that one.
    if (known.payment.status !== 'processing')
      return readAnswer(this.deps, awaited(command, known, deadline));
    return awaitPayment(this.deps, awaited(command, known, deadline), ({ transactionId }) =>
      this.deps.firstAttempts.join(transactionId, deadline),
    );
  }
}

function awaited(
  { company, idempotencyKey }: CreatePaymentCommand,
  known: FoundPayment,
  deadline: Date,
): AwaitedPayment {
  return { companyId: company.id, idempotencyKey, known, deadline };
}

function chargedMethod(
  { payment_method: method, initiator, save_card: isSaved }: PaymentRequest,
  saved: SavedCardOnFile | null,
): ChargedMethod {
  if (isPaidLater(method)) return { kind: 'paid_later' };
  if (saved === null) return { kind: 'raw_card', isSaved };
  return { kind: 'saved_card', initiator, networkIds: saved.networkIds };
}

/** The columns that come straight from the request. */
function requestFields(
  { company, request, idempotencyKey, receivedAt, checkout, interestCents }: CreatePaymentCommand,
  transactionId: string,
) {
  const isCard = !isPaidLater(request.payment_method);
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
    installments: isCard ? request.installments : 1,
    interestCents: interestCents ?? 0,
    softDescriptor: isCard ? (request.soft_descriptor ?? null) : null,
    metadata: request.metadata ?? null,
    gatewayFirstTry: request.gateway_first_try ?? null,
    saveCard: isCard && request.save_card,
    requestedAt: receivedAt,
    checkoutSessionId: checkout?.sessionId ?? null,
  } satisfies Partial<NewPayment>;
}

function mutable(splits: readonly Split[] | null): Split[] | null {
  return splits && [...splits];
}
