import { activeCharge, openOperations } from '../../domain/payments/charge-operations';
import { DOCUMENT_RULE, parseDocument } from '../../domain/customers/document';
import { ApiError, validationError } from '../../domain/shared/errors';
import type { AttemptId } from '../../domain/shared/ids';
import { paymentNow } from '../../domain/payments/payment-clock';
import {
  operationAmountCents,
  operationProblem,
  type PaymentOperation,
} from '../../domain/payments/payment-operation';
import { receivedCents } from '../../domain/payments/payment-lifecycle';
import type { SealedValue } from '../../domain/shared/sealed-value';
import { cancelsUnpaid } from '../../domain/routing/routing';
import { operationSplitsProblem } from '../../domain/routing/split-support';
import type { SubAccountBankAccount } from '../../domain/routing/subaccount-information';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type { AttemptRecord, NewAttempt } from '../../persistence/payments/gateway-attempt-repository';
import { newOperation } from './new-operation';
import type { SubAccountRepository } from '../../persistence/gateways/sub-account-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { EnvelopeCipher } from '../../security/envelope';
import { encryptionContext } from '../../security/encryption-context';
import { assertRecipients } from './assert-recipients';
import type { PaymentWithAttempts } from './find-payment';
import { allocateOperationSplits } from './allocate-operation-splits';
import { toSplits, type SplitRequest } from './payment-request';

export interface PrepareOperationDeps {
  readonly registries: GatewayRegistries;
  readonly subAccounts: SubAccountRepository;
  readonly envelope: EnvelopeCipher;
  readonly now: () => Date;
}

/** The body of a capture or refund, already validated against openapi.yaml; a cancel has none. */
export interface OperationBody {
  readonly amount?: number | null;
  readonly reason?: string | null;
  readonly splits?: readonly SplitRequest[] | null;
  readonly bank_account?: SubAccountBankAccount | null;
}

export interface OperationToPrepare {
  readonly id: AttemptId;
  readonly operation: PaymentOperation;
  readonly request: OperationBody;
  /** Of the request's idempotency key. */
  readonly number?: number | undefined;
}

/** Attempts of one payment, refused operations included. Each step reads them all. */
const MAX_ATTEMPTS = 500;

interface PreparationContext extends PaymentWithAttempts {
  /** The charge that the operation acts on. */
  readonly target: AttemptRecord;
  readonly amountCents: number;
}

/**
 * Checks that the payment's state, its gateway and the request allow the operation, and returns the row to insert. The
 * transaction holds the payment's lock.
 *
 * @throws ApiError `invalid_state` if the payment's state forbids the operation; `payment_disputed`; `validation_error` if the request is wrong;
 *   `gateway_refused` if the gateway does not cancel such a payment
 */
export async function prepareOperation(
  deps: PrepareOperationDeps,
  tx: Tx,
  found: PaymentWithAttempts,
  requested: OperationToPrepare,
): Promise<NewAttempt> {
  const context = assertAllowed(deps, found, requested);
  assertSupported(deps, context, requested);
  const splits = await allocateSplits(deps, tx, context, requested);
  const { payment, attempts, target, amountCents } = context;
  const { id, operation, request, number } = requested;
  return newOperation(payment, attempts, target, {
    id,
    operation,
    number,
    purpose: 'merchant_request',
    amountCents,
    splits: splits.length === 0 ? null : splits,
    reason: request.reason ?? null,
    sealedBankAccount: await sealBankAccount(deps, context, requested),
  });
}

function assertAllowed(
  deps: PrepareOperationDeps,
  { payment, attempts }: PaymentWithAttempts,
  { operation, request }: OperationToPrepare,
): PreparationContext {
  if (attempts.length >= MAX_ATTEMPTS)
    throw new ApiError(
      'invalid_state',
      `The payment has ${MAX_ATTEMPTS} transactions, the most that it can have.`,
    );
  const wanted = { operation, amountCents: request.amount ?? undefined };
  const now = paymentNow(payment, deps.now());
  const { paidAt, disputedAmountCents: disputedCents } = payment;
  const open = { ...openOperations(attempts), disputedCents, paidAt, now };
  const problem = operationProblem(payment, wanted, open);
  if (problem?.kind === 'amount') throw validationError({ amount: [problem.message] });
  if (problem !== null) throw new ApiError(problem.kind, problem.message);
  const target = activeCharge(attempts);
  if (target === null) throw new Error('a payment that allows an operation has an active charge');
  return { payment, attempts, target, amountCents: operationAmountCents(payment, wanted, open) };
}

/** Rejects what the gateway does not support. */
function assertSupported(
  { registries }: PrepareOperationDeps,
  { payment, target, amountCents }: PreparationContext,
  { operation }: OperationToPrepare,
): void {
  const { gatewaySlug: slug } = target;
  const capabilities = registries.of(payment.companyId).capabilities(slug);
  const { partialCapture, partialRefund, refundMethods } = capabilities;
  const { paymentMethod: method } = payment;
  if (operation === 'cancel' && !cancelsUnpaid(capabilities, method)) {
    const message = `${slug} does not cancel a ${method} that waits for its payment: it ends by its expiry`;
    throw new ApiError('gateway_refused', message);
  }
  if (operation === 'capture' && amountCents < payment.amountCents && !partialCapture) {
    throw validationError({
      amount: [`must be ${payment.amountCents} cents: ${slug} captures no part of it`],
    });
  }
  if (operation !== 'refund') return;
  if (!refundMethods.includes(method)) {
    throw validationError({ payment_method: [`${slug} refunds no ${method}`] });
  }
  const received = receivedCents(payment);
  if (amountCents < received && !partialRefund) {
    throw validationError({ amount: [`must be ${received} cents: ${slug} refunds no part of it`] });
  }
}

async function allocateSplits(
  deps: PrepareOperationDeps,
  tx: Tx,
  { payment, attempts, target, amountCents }: PreparationContext,
  { operation, request }: OperationToPrepare,
) {
  if (operation === 'cancel') return [];
  const splits = toSplits(request.splits);
  await assertRecipients(deps.subAccounts, payment.companyId, splits, tx);
  const support = deps.registries.of(payment.companyId).capabilities(target.gatewaySlug);
  const problem = splits && operationSplitsProblem(operation, support, splits);
  if (problem !== null) throw validationError({ splits: [`${target.gatewaySlug} ${problem}`] });
  const requested = { operation, amountCents, requestedSplits: splits };
  const allocations = allocateOperationSplits({ payment, attempts }, requested);
  if (!allocations.valid) throw validationError(allocations.errors);
  return allocations.value;
}

/**
 * A billet cannot be refunded to its payer's account, so the request names one. It is encrypted for this operation alone.
 */
async function sealBankAccount(
  { envelope }: PrepareOperationDeps,
  { payment }: PreparationContext,
  { id, operation, request }: OperationToPrepare,
): Promise<SealedValue | null> {
  if (operation !== 'refund' || payment.paymentMethod !== 'billet') return null;
  const { bank_account: account } = request;
  if (!account) throw validationError({ bank_account: ['is required to refund a billet'] });
  const document = parseDocument(account.holder_document);
  if (document === null) throw validationError({ 'bank_account.holder_document': [DOCUMENT_RULE] });
  const sealed: SubAccountBankAccount = {
    holder_name: account.holder_name,
    holder_type: account.holder_type,
    holder_document: document.value,
    bank_code: account.bank_code,
    branch_number: account.branch_number,
    account_number: account.account_number,
    account_check_digit: account.account_check_digit,
    type: account.type,
  };
  return envelope.seal(JSON.stringify(sealed), encryptionContext.bankAccount(payment.companyId, id));
}
