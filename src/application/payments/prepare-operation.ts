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
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { BankAccount } from '../../domain/routing/subaccount-information';
import type { GatewayRegistry } from '../../gateways/registry';
import type { AttemptRecord, NewAttempt } from '../../persistence/payments/gateway-attempt-repository';
import { newOperation } from './new-operation';
import type { SubAccountRepository } from '../../persistence/gateways/sub-account-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { EnvelopeCipher } from '../../security/envelope';
import { encryptionContext } from '../../security/encryption-context';
import { assertRecipients } from './assert-recipients';
import type { TriedPayment } from './find-payment';
import { allocateOperationSplits } from './allocate-operation-splits';
import { toSplits, type SplitRequest } from './payment-request';

export interface PlanDeps {
  readonly registry: GatewayRegistry;
  readonly subAccounts: SubAccountRepository;
  readonly envelope: EnvelopeCipher;
  readonly now: () => Date;
}

/** The body of a capture or refund, as the contract has let it through; a cancel has none. */
export interface OperationRequest {
  readonly amount?: number | null;
  readonly reason?: string | null;
  readonly splits?: readonly SplitRequest[] | null;
  readonly bank_account?: BankAccount | null;
}

/** An operation that somebody asks for. */
export interface Asked {
  readonly id: AttemptId;
  readonly operation: PaymentOperation;
  readonly request: OperationRequest;
}

interface Subject extends TriedPayment {
  /** The charge it acts on. */
  readonly target: AttemptRecord;
  readonly amountCents: number;
}

/**
 * The operation as it is to be carried out, once everything allows it. The payment is locked by this transaction.
 *
 * @throws ApiError `invalid_state` where the payment's state forbids it; `validation_error` where the request does not fit
 */
export async function prepareRequestedOperation(
  deps: PlanDeps,
  tx: Tx,
  found: TriedPayment,
  asked: Asked,
): Promise<NewAttempt> {
  const subject = assertAllowed(deps, found, asked);
  assertCapable(deps, subject, asked);
  const splits = await splitParts(deps, tx, subject, asked);
  const { payment, attempts, target, amountCents } = subject;
  const { id, operation, request } = asked;
  return newOperation(payment, attempts, target, {
    id,
    operation,
    purpose: 'command',
    amountCents,
    splits: splits.length === 0 ? null : splits,
    reason: request.reason ?? null,
    sealedBankAccount: await sealBankAccount(deps, subject, asked),
  });
}

function assertAllowed(deps: PlanDeps, { payment, attempts }: TriedPayment, asked: Asked): Subject {
  const wanted = { operation: asked.operation, amountCents: asked.request.amount ?? undefined };
  const now = paymentNow(payment, deps.now());
  const open = { ...openOperations(attempts), paidAt: payment.paidAt, now };
  const problem = operationProblem(payment, wanted, open);
  if (problem?.kind === 'amount') throw validationError({ amount: [problem.message] });
  if (problem !== null) throw new ApiError('invalid_state', problem.message);
  const target = activeCharge(attempts);
  if (target === null) throw new Error('a payment with money has a charge that holds it');
  return { payment, attempts, target, amountCents: operationAmountCents(payment, wanted, open) };
}

/** What the gateway cannot do it is not asked for. */
function assertCapable(
  { registry }: PlanDeps,
  { payment, target, amountCents }: Subject,
  { operation }: Asked,
): void {
  const { gatewaySlug: slug } = target;
  const { partialCapture, partialRefund, refundMethods } = registry.capabilities(slug);
  if (operation === 'capture' && amountCents < payment.amountCents && !partialCapture) {
    throw validationError({ amount: [`must be ${payment.amountCents}: ${slug} captures no part of it`] });
  }
  if (operation !== 'refund') return;
  if (!refundMethods.includes(payment.paymentMethod)) {
    throw validationError({ payment_method: [`${slug} refunds no ${payment.paymentMethod}`] });
  }
  if (amountCents < payment.capturedAmountCents && !partialRefund) {
    throw validationError({
      amount: [`must be ${payment.capturedAmountCents}: ${slug} refunds no part of it`],
    });
  }
}

async function splitParts(
  deps: PlanDeps,
  tx: Tx,
  { payment, attempts, target, amountCents }: Subject,
  { operation, request }: Asked,
) {
  if (operation === 'cancel') return [];
  const splits = toSplits(request.splits);
  await assertRecipients(deps.subAccounts, payment.companyId, splits, tx);
  if (splits !== null && !deps.registry.capabilities(target.gatewaySlug).splits) {
    throw validationError({ splits: [`${target.gatewaySlug} shares nothing between sub-accounts`] });
  }
  const parts = allocateOperationSplits({ payment, attempts }, { operation, amountCents, asked: splits });
  if (!parts.valid) throw validationError(parts.errors);
  return parts.value;
}

/** A billet's money cannot go back the way it came. Only the operation itself can open what is sealed for it. */
async function sealBankAccount(
  { envelope }: PlanDeps,
  { payment }: Subject,
  { id, operation, request }: Asked,
): Promise<SealedValue | null> {
  if (operation !== 'refund' || payment.paymentMethod !== 'billet') return null;
  const { bank_account: account } = request;
  if (!account) throw validationError({ bank_account: ['is required to refund a billet'] });
  const document = parseDocument(account.holder_document);
  if (document === null) throw validationError({ 'bank_account.holder_document': [DOCUMENT_RULE] });
  const sealed: BankAccount = {
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
