import type { AuditActor } from '../../domain/companies/audit-actor';
import { activeCharge, awaitsReview, isUnfinished } from '../../domain/payments/charge-operations';
import type { ResolutionOutcome } from '../../domain/payments/manual-resolution';
import { undecidedCents } from '../../domain/payments/payment-lifecycle';
import { ApiError, notFound, validationError } from '../../domain/shared/errors';
import { newResolutionId, parseTransactionId } from '../../domain/shared/ids';
import type {
  AttemptRecord,
  GatewayAttemptRepository,
} from '../../persistence/payments/gateway-attempt-repository';
import type {
  ManualResolutionRepository,
  NewManualResolution,
} from '../../persistence/payments/manual-resolution-repository';
import type { PaymentRecord, PaymentRepository } from '../../persistence/payments/payment-repository';
import type { Database } from '../../persistence/sql/transaction';
import type { PaymentWorkflows } from '../../temporal/payments';
import type { FindPayment, PaymentWithAttempts } from './find-payment';
import { resolveInDoubtCommit } from './in-doubt-commit';
import type { PaymentAnswer } from './payment-answer';

export interface ResolvePaymentDeps {
  readonly db: Database;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly resolutions: ManualResolutionRepository;
  readonly findPayment: FindPayment;
  readonly workflows: Pick<PaymentWorkflows, 'awaitResolution'>;
  readonly syncTimeoutMs: number;
  readonly now: () => Date;
  /** Reports an error that the caller must not see, because the resolution is committed. */
  readonly reportError: (transactionId: string, error: unknown) => void;
}

/** An operator's resolution of an operation, and the reason for it. */
export interface ResolutionRequest {
  readonly outcome: ResolutionOutcome;
  readonly reason: string;
  /** Null if the payment has only one operation to resolve. */
  readonly attemptId: string | null;
  readonly gatewayTransactionId: string | null;
}

export interface ResolvePaymentCommand {
  readonly actor: AuditActor;
  /** The payment's id as the request sent it, not yet parsed. */
  readonly id: string;
  readonly resolution: ResolutionRequest;
  readonly receivedAt: Date;
}

/** A resolution that the payment's workflow will apply, even if this request fails. */
interface CommittedResolution {
  readonly payment: PaymentRecord;
  readonly resolution: NewManualResolution;
}

/**
 * Resolves an operation whose result its gateway cannot report (docs/decisions/manual-review.md). The resolution is
 * committed as a row first; the payment's workflow gets only its id, and applies the row if the operation still needs it.
 * The transaction that applies it also writes it to the audit log, so an audit entry proves that it was applied.
 *
 * @throws ApiError `not_found`; `invalid_state` if no operation needs this resolution; `validation_error`
 */
export class ResolvePayment {
  constructor(private readonly deps: ResolvePaymentDeps) {}

  async execute(command: ResolvePaymentCommand): Promise<PaymentAnswer> {
    const { actor, id, receivedAt } = command;
    const { payment, resolution } = await this.commit(command);
    await this.awaitClosed(payment, resolution.id, new Date(receivedAt.getTime() + this.deps.syncTimeoutMs));
    const closed = await this.deps.resolutions.find(payment.id, resolution.id);
    if (closed?.status === 'superseded') throw needsNoResolution();
    const found = await this.deps.findPayment.byId(actor.companyId, id);
    const inProgress =
      closed?.status !== 'applied' ||
      resolution.outcome === 'retry' ||
      hasOpenResult(found, resolution.attemptId);
    return { kind: 'payment', payment: found, inProgress };
  }

  private async commit(command: ResolvePaymentCommand): Promise<CommittedResolution> {
    const transactionId = parseTransactionId(command.id);
    if (transactionId === null) throw notFound();
    const resolutionId = newResolutionId();
    const { db, payments, attempts, resolutions, now } = this.deps;
    const { companyId } = command.actor;
    try {
      return await db.inTransaction(async (tx) => {
        const payment = await payments.lockForCompany(tx, companyId, transactionId);
        if (payment === null) throw notFound();
        const found = { payment, attempts: await attempts.listByTransaction(transactionId, tx) };
        const resolution = newResolution(found, command, resolutionId);
        if (!(await resolutions.insert(tx, resolution, now()))) throw needsNoResolution();
        await payments.scheduleRecovery(tx, payment.id, now());
        return { payment, resolution };
      });
    } catch (error) {
      if (error instanceof ApiError) throw error;
      const find = async () => {
        const payment = await payments.find(companyId, transactionId);
        const resolution = payment && (await resolutions.find(payment.id, resolutionId));
        return payment && resolution && { payment, resolution };
      };
      return resolveInDoubtCommit({ db, find, cause: error, idempotencyKey: null });
    }
  }

  /** The resolution is committed, so any failure from here on is answered as a resolution in progress. */
  private async awaitClosed(payment: PaymentRecord, resolutionId: string, deadline: Date): Promise<void> {
    try {
      await this.deps.workflows.awaitResolution(payment, resolutionId, deadline);
    } catch (error) {
      this.deps.reportError(payment.transactionId, error);
    }
  }
}

function newResolution(
  found: PaymentWithAttempts,
  { actor, resolution: request }: ResolvePaymentCommand,
  id: string,
): NewManualResolution {
  const { outcome, reason, gatewayTransactionId } = request;
  return {
    id,
    companyId: actor.companyId,
    paymentId: found.payment.id,
    attemptId: attemptToResolve(found, request).id,
    outcome,
    reason,
    gatewayTransactionId,
    userId: actor.userId,
    requestId: actor.requestId,
  };
}

/** The attempt that the resolution applies to. */
function attemptToResolve(subject: PaymentWithAttempts, request: ResolutionRequest): AttemptRecord {
  const { payment, attempts } = subject;
  if (request.attemptId !== null && !attempts.some(({ id }) => id === request.attemptId)) {
    throw validationError({ attempt_id: ['is no operation of this payment'] });
  }
  if (payment.stuckAt === null) {
    throw new ApiError(
      'invalid_state',
      `The payment is ${payment.status}; none of its operations needs a manual resolution.`,
    );
  }
  const found = attempts.filter(awaitsReview);
  const inconclusive = attempts.filter(
    ({ status, escalatedAt }) =>
      status === 'sent' || status === 'unknown' || (status === 'accepted' && escalatedAt !== null),
  );
  const charge = activeCharge(attempts);
  const unpaid = charge?.status === 'pending' ? [charge] : [];
  const attempt =
    request.attemptId === null
      ? (found[0] ?? onlyUnresolved(inconclusive.length > 0 ? inconclusive : unpaid))
      : findUnresolved(request.attemptId, [...found, ...inconclusive, ...unpaid]);
  assertApplicable(subject, attempt, request);
  // An operation in flight must not be called absent. Only the workflow knows when its gateway had time enough to answer.
  if (attempt.status !== 'pending' && attempt.escalatedAt === null) throw needsNoResolution();
  return attempt;
}

function onlyUnresolved(unresolved: readonly AttemptRecord[]): AttemptRecord {
  const [only] = unresolved;
  if (only === undefined) throw needsNoResolution();
  if (unresolved.length === 1) return only;
  throw validationError({
    attempt_id: [`is required: ${unresolved.length} operations have no certain result`],
  });
}

function findUnresolved(attemptId: string, unresolved: readonly AttemptRecord[]): AttemptRecord {
  const found = unresolved.find(({ id }) => id === attemptId);
  if (found === undefined) throw needsNoResolution();
  return found;
}

function assertApplicable(
  { payment }: PaymentWithAttempts,
  attempt: AttemptRecord,
  { outcome, gatewayTransactionId }: ResolutionRequest,
): void {
  const { operation, status } = attempt;
  const isCharge = operation === 'charge' || operation === 'authorize';
  if (gatewayTransactionId !== null && !(isCharge && outcome === 'paid')) {
    throw validationError({
      gateway_transaction_id: ['is accepted only for a charge with the outcome paid'],
    });
  }
  if (awaitsReview(attempt) && outcome === 'absent') {
    throw validationError({ outcome: ['must be paid or retry: the gateway itself shows it'] });
  }
  if (status === 'pending' && outcome === 'absent' && undecidedCents(payment) > 0) {
    throw validationError({ outcome: ['must be paid or retry: a part of it was paid'] });
  }
}

/** Whether the operation, or the payment after it, has no result yet. */
function hasOpenResult({ payment, attempts }: PaymentWithAttempts, attemptId: string): boolean {
  const attempt = attempts.find(({ id }) => id === attemptId);
  return payment.status === 'processing' || (attempt !== undefined && isUnfinished(attempt));
}

function needsNoResolution(): ApiError {
  return new ApiError(
    'invalid_state',
    'The operation needs no manual resolution: it has a result, or its gateway is being queried again.',
  );
}
