import type { AuditActor } from '../../domain/companies/audit-actor';
import { activeCharge } from '../../domain/payments/charge-operations';
import { ApiError, unavailable, validationError } from '../../domain/shared/errors';
import { newResolutionId } from '../../domain/shared/ids';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { AttemptRecord } from '../../persistence/payments/gateway-attempt-repository';
import type { PaymentWorkflows } from '../../temporal/payments';
import type { FindPayment, PaymentWithAttempts } from './find-payment';
import type { PaymentAnswer } from './payment-answer';

export interface ResolvePaymentDeps {
  readonly findPayment: FindPayment;
  readonly audit: AuditRepository;
  readonly workflows: Pick<PaymentWorkflows, 'resolve'>;
  readonly syncTimeoutMs: number;
}

/** An operator's resolution of an operation, and the reason for it. */
export interface ResolutionRequest {
  readonly outcome: 'paid' | 'absent' | 'retry';
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

/**
 * Resolves an operation whose result its gateway cannot report (docs/decisions/manual-review.md). The payment's workflow
 * decides whether the operation still needs a resolution. The transaction that applies the resolution also writes it to the
 * audit log, so an audit entry proves that it was applied.
 *
 * @throws ApiError `not_found`; `invalid_state` if no operation needs this resolution; `validation_error`; `unavailable` if
 *   the workflow did not accept it in time, in which case the request can be repeated
 */
export class ResolvePayment {
  constructor(private readonly deps: ResolvePaymentDeps) {}

  async execute({
    actor,
    id,
    resolution: request,
    receivedAt,
  }: ResolvePaymentCommand): Promise<PaymentAnswer> {
    const { findPayment, audit, workflows, syncTimeoutMs } = this.deps;
    const found = await findPayment.byId(actor.companyId, id);
    const attempt = attemptToResolve(found, request);
    const resolutionId = newResolutionId();
    const resolution = {
      resolutionId,
      attemptId: attempt.id,
      outcome: request.outcome,
      reason: request.reason,
      ...(request.gatewayTransactionId !== null && { gatewayTransactionId: request.gatewayTransactionId }),
      resolvedBy: String(actor.userId),
      requestId: actor.requestId,
    };
    const deadline = new Date(receivedAt.getTime() + syncTimeoutMs);
    const resolveStatus = await workflows.resolve(found.payment, resolution, deadline);
    const applied = await audit.exists(actor.companyId, resolutionId);
    if (!applied && resolveStatus === 'completed') throw needsNoResolution();
    if (!applied && resolveStatus === 'unknown') {
      throw unavailable('The resolution was not accepted in time. Send the same request again.');
    }
    const payment = await findPayment.byId(actor.companyId, id);
    const inProgress = !applied || request.outcome === 'retry' || isOpen(payment, attempt.id);
    return { kind: 'payment', payment, inProgress };
  }
}

/** The attempt that the resolution applies to. */
function attemptToResolve(found: PaymentWithAttempts, request: ResolutionRequest): AttemptRecord {
  const { payment, attempts } = found;
  if (request.attemptId !== null && !attempts.some(({ id }) => id === request.attemptId)) {
    throw validationError({ attempt_id: ['is no operation of this payment'] });
  }
  if (payment.stuckAt === null) {
    throw new ApiError(
      'invalid_state',
      `The payment is ${payment.status}; none of its operations needs a manual resolution.`,
    );
  }
  const inconclusive = attempts.filter(({ status }) => status === 'sent' || status === 'unknown');
  const charge = activeCharge(attempts);
  const unpaid = charge?.status === 'pending' ? [charge] : [];
  const attempt =
    request.attemptId === null
      ? onlyUnresolved(inconclusive.length > 0 ? inconclusive : unpaid)
      : findUnresolved(request.attemptId, [...inconclusive, ...unpaid]);
  assertApplicable(found, attempt, request);
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
  { operation, status }: AttemptRecord,
  { outcome, gatewayTransactionId }: ResolutionRequest,
): void {
  const isCharge = operation === 'charge' || operation === 'authorize';
  if (gatewayTransactionId !== null && !(isCharge && outcome === 'paid')) {
    throw validationError({
      gateway_transaction_id: ['is accepted only for a charge with the outcome paid'],
    });
  }
  if (status === 'pending' && outcome === 'absent' && (payment.paidAmountCents ?? 0) > 0) {
    throw validationError({ outcome: ['must be paid or retry: a part of it was paid'] });
  }
}

/** Whether the operation, or the payment after it, has no result yet. */
function isOpen({ payment, attempts }: PaymentWithAttempts, attemptId: string): boolean {
  const status = attempts.find(({ id }) => id === attemptId)?.status;
  return (
    payment.status === 'processing' || status === 'requested' || status === 'sent' || status === 'unknown'
  );
}

function needsNoResolution(): ApiError {
  return new ApiError(
    'invalid_state',
    'The operation needs no manual resolution: it has a result, or its gateway is being queried again.',
  );
}
