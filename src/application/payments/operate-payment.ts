import {
  findClaimedKey,
  findRecordedAnswer,
  recordedAnswer,
  recordedOr,
  unlessRefused,
} from '../shared/idempotency';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { ApiError, notFound } from '../../domain/shared/errors';
import {
  newAttemptId,
  parseTransactionId,
  type AttemptId,
  type TransactionId,
} from '../../domain/shared/ids';
import { operationRefusal } from '../../domain/payments/operation-refusal';
import type { AttemptStatus } from '../../domain/payments/payment';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import type { SplitAllocation } from '../../domain/payments/split';
import type { Failpoint } from '../../failpoints';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type {
  GatewayAttemptRepository,
  NewAttempt,
} from '../../persistence/payments/gateway-attempt-repository';
import type { IdempotencyRepository } from '../../persistence/payments/idempotency-repository';
import type { PaymentRecord, PaymentRepository } from '../../persistence/payments/payment-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { operationNumbers } from '../../security/request-part';
import { NO_REQUEST_HASHES, requestHashes } from '../../security/request-hash';
import type { KeyedValues, SecretKeys } from '../../security/secret-keys';
import type { PaymentWorkflows } from '../../temporal/payments';
import type { FirstAttempts } from './first-attempts';
import type { FindPayment, FoundPayment, PaymentWithAttempts } from './find-payment';
import { resolveInDoubtCommit } from './in-doubt-commit';
import type { PaymentAnswer } from './payment-answer';
import { assertRestored, findMadeBeforeRestore, type AssertRestoredDeps } from './assert-restored';
import { prepareOperation, type OperationBody, type PrepareOperationDeps } from './prepare-operation';
import { refusedAnswer } from '../../domain/shared/http-answer';

export interface OperatePaymentDeps extends PrepareOperationDeps, AssertRestoredDeps {
  readonly db: Database;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly idempotency: IdempotencyRepository;
  readonly audit: AuditRepository;
  readonly workflows: Pick<PaymentWorkflows, 'awaitOperation' | 'awaitStartedOperation'>;
  readonly firstAttempts: Pick<FirstAttempts, 'make'>;
  readonly findPayment: FindPayment;
  readonly requestHashKeys: SecretKeys;
  readonly syncTimeoutMs: number;
  readonly failpoint: Failpoint;
  /** Reports an error that the caller must not see, because the operation is committed. */
  readonly reportError: (transactionId: string, error: unknown) => void;
}

export interface OperatePaymentCommand {
  readonly company: AuthenticatedCompany;
  readonly operation: PaymentOperation;
  /** The user who makes the request; null for a request by API key. */
  readonly actor?: AuditActor | null;
  /** The payment's id as the request sent it, not yet parsed. */
  readonly id: string;
  readonly idempotencyKey: string | null;
  readonly request: OperationBody;
  readonly receivedAt: Date;
}

/** A committed operation: the workflow will execute it even if this request fails. */
interface CommittedOperation {
  readonly payment: PaymentRecord;
  readonly attemptId: string;
  /** Was carried out before a restore. */
  readonly isMade?: true;
}

/**
 * Captures, cancels or refunds a payment once, however often the request is resent. ONE transaction locks the payment,
 * claims the idempotency key and inserts the operation as `requested`. Then the payment's workflow, started if necessary,
 * executes it, and its result is awaited (docs/decisions/idempotency.md).
 *
 * @throws ApiError `not_found`, `invalid_state`, `validation_error`, `idempotency_key_reused`: nothing was inserted and
 *   the key stays free; `gateway_refused`, and `invalid_state` if the payment's state changed before the operation ran
 */
export class OperatePayment {
  constructor(private readonly deps: OperatePaymentDeps) {}

  async execute(command: OperatePaymentCommand): Promise<PaymentAnswer> {
    const transactionId = parseTransactionId(command.id);
    if (transactionId === null) throw notFound();
    const deadline = new Date(command.receivedAt.getTime() + this.deps.syncTimeoutMs);
    const hashes = this.hashesOf(command, transactionId);
    const committed = await this.commit(command, transactionId, hashes);
    if (committed === null) return unlessRefused(await this.answerResent(command, hashes, deadline));
    if (committed.isMade) return this.answer(command, committed.attemptId);
    this.deps.failpoint('operation-committed', command.company.id);
    return unlessRefused(await this.awaitAnswer(command, committed, deadline));
  }

  private hashesOf(command: OperatePaymentCommand, id: TransactionId): KeyedValues {
    const { idempotencyKey, operation, request, actor } = command;
    if (idempotencyKey === null) return NO_REQUEST_HASHES;
    const path = `${actor ? '/user' : ''}/payments/${id}/${operation}`;
    return requestHashes(this.deps.requestHashKeys, 'POST', path, request);
  }

  /** Null if the key is claimed already. */
  private async commit(
    command: OperatePaymentCommand,
    transactionId: TransactionId,
    hashes: KeyedValues,
  ): Promise<CommittedOperation | null> {
    const attemptId = newAttemptId();
    try {
      return await this.deps.db.inTransaction(async (tx) => {
        const payment = await this.deps.payments.lockForCompany(tx, command.company.id, transactionId);
        if (payment === null) throw notFound();
        const { operation, idempotencyKey, company } = command;
        const numbers = operationNumbers(this.deps.requestHashKeys, company.id, idempotencyKey);
        const requested = { operation, numbers };
        const made = await findMadeBeforeRestore(this.deps, tx, payment, requested);
        if (!(await this.claimKey(tx, command, hashes, made?.id ?? attemptId))) return null;
        if (made !== undefined) return { payment, attemptId: made.id, isMade: true };
        const attempts = await this.deps.attempts.listByTransaction(transactionId, tx);
        await this.insert(tx, command, { payment, attempts }, { id: attemptId, numbers });
        return { payment, attemptId };
      });
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const { company, idempotencyKey } = command;
      const find = () => this.findCommitted(company.id, transactionId, attemptId);
      return resolveInDoubtCommit({ db: this.deps.db, find, cause: error, idempotencyKey });
    }
  }

  private async claimKey(
    tx: Tx,
    { company, idempotencyKey }: OperatePaymentCommand,
    hashes: KeyedValues,
    attemptId: string,
  ): Promise<boolean> {
    if (idempotencyKey === null) return true;
    const claim = { companyId: company.id, key: idempotencyKey, requestHashes: hashes, attemptId };
    return this.deps.idempotency.claim(tx, claim);
  }

  private async insert(
    tx: Tx,
    { operation, request, idempotencyKey, actor }: OperatePaymentCommand,
    found: PaymentWithAttempts,
    { id, numbers }: { readonly id: AttemptId; readonly numbers: readonly number[] },
  ): Promise<void> {
    const { attempts, payments, audit, now } = this.deps;
    const prepared = await prepareOperation(this.deps, tx, found, {
      id,
      number: numbers[0],
      operation,
      request,
    });
    await assertRestored(this.deps, tx, found, { operation, numbers });
    const recovery = payments.recoveryScheduled(found.payment.id, now());
    await attempts.insertWith(tx, { ...prepared, idempotencyKey }, recovery);
    if (actor) await audit.insert(tx, { ...actor, ...auditEntry(found.payment, prepared, operation) });
  }

  private async findCommitted(
    companyId: number,
    transactionId: string,
    attemptId: string,
  ): Promise<CommittedOperation | null> {
    if ((await this.deps.attempts.find(attemptId)) === null) return null;
    const payment = await this.deps.payments.find(companyId, transactionId);
    return payment && { payment, attemptId };
  }

  /** The key is claimed: the same request gets the recorded answer or waits for it; a different request is an error. */
  private async answerResent(
    command: OperatePaymentCommand,
    hashes: KeyedValues,
    deadline: Date,
  ): Promise<PaymentAnswer> {
    const claim = { companyId: command.company.id, key: command.idempotencyKey, requestHashes: hashes };
    const record = await findClaimedKey(this.deps.idempotency, claim, 'attemptId');
    const recorded = recordedAnswer(record, true);
    if (recorded !== null) return recorded;
    const { attemptId } = record;
    const found = await this.deps.findPayment.byId(command.company.id, command.id);
    // It was executed between the two reads, so its answer is recorded now, and every request gets that one.
    if (isResult(describeAnswer(found, attemptId))) return this.answer(command, attemptId);
    return this.awaitAnswer(command, { payment: found.payment, attemptId }, deadline);
  }

  /** The operation is committed, so any failure from here on is answered as an operation in progress. */
  private async awaitAnswer(
    command: OperatePaymentCommand,
    { payment, attemptId }: CommittedOperation,
    deadline: Date,
  ): Promise<PaymentAnswer> {
    try {
      const answer =
        (await this.answerHere(command, { payment, attemptId }, deadline)) ??
        (await this.answerOfWorkflow(command, { payment, attemptId }, deadline));
      this.deps.failpoint('answer-ready', command.company.id);
      return answer;
    } catch (error) {
      this.deps.reportError(payment.transactionId, error);
      return {
        kind: 'payment',
        payment: { payment, attempts: [], deliveries: [] },
        inProgress: true,
      };
    }
  }

  /** While a payment has nothing left to do, it has no workflow: one is started for the operation, in this process if possible. */
  private async answerHere(
    command: OperatePaymentCommand,
    { payment, attemptId }: CommittedOperation,
    deadline: Date,
  ): Promise<PaymentAnswer | null> {
    if (payment.recoverAfter !== null) return null;
    const { operation } = command;
    const first = await this.deps.firstAttempts.make(payment, deadline, { attemptId, operation });
    if (first.kind === 'answered') return { kind: 'recorded', ...first.answer, replayed: false };
    if (first.kind === 'not_started') return null;
    await this.deps.workflows.awaitStartedOperation(payment, { attemptId, operation }, deadline);
    const answer = await this.answer(command, attemptId);
    return isResult(answer) ? answer : null;
  }

  private async answerOfWorkflow(
    command: OperatePaymentCommand,
    { payment, attemptId }: CommittedOperation,
    deadline: Date,
  ): Promise<PaymentAnswer> {
    const { operation } = command;
    await this.deps.workflows.awaitOperation(payment, { attemptId, operation }, deadline);
    return this.answer(command, attemptId);
  }

  private async answer(command: OperatePaymentCommand, attemptId: string): Promise<PaymentAnswer> {
    const { company, idempotencyKey } = command;
    return recordedOr(
      () => findRecordedAnswer(this.deps.idempotency, company.id, idempotencyKey),
      async () => describeAnswer(await this.deps.findPayment.byId(company.id, command.id), attemptId),
      isResult,
    );
  }
}

function describeAnswer(payment: FoundPayment, attemptId: string): PaymentAnswer {
  const attempt = payment.attempts.find(({ id }) => id === attemptId);
  if (attempt === undefined) throw new Error('the operation does not exist');
  const refusal = operationRefusal(attempt);
  if (refusal !== null) return { kind: 'recorded', ...refusedAnswer(refusal), replayed: false };
  return { kind: 'payment', payment, inProgress: !isDone(attempt.status) };
}

function isResult(answer: PaymentAnswer): boolean {
  return answer.kind === 'recorded' || !answer.inProgress;
}

/** The bank account of a billet's refund is personal data, so the audit log does not contain it. */
function auditEntry(
  { transactionId }: PaymentRecord,
  { id, amountCents, reason, splits }: NewAttempt,
  operation: PaymentOperation,
) {
  return {
    action: `payment.${operation}`,
    subjectType: 'payment',
    subjectId: transactionId,
    changes: {
      attempt_id: id,
      amount: amountCents,
      ...(reason && { reason }),
      ...(splits && { splits: splits.map(presentAllocation) }),
    },
    operationId: id,
  } as const;
}

function presentAllocation({ recipientId, amountCents }: SplitAllocation) {
  return { recipient_id: recipientId, amount: amountCents };
}

/** A capture is `approved`, a cancel `canceled`, a refund `refunded`. */
function isDone(status: AttemptStatus): boolean {
  return status === 'approved' || status === 'canceled' || status === 'refunded';
}
