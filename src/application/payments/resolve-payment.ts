import type { AuditActor } from '../../domain/companies/audit-actor';
import { activeCharge } from '../../domain/payments/charge-operations';
import { ApiError, unavailable, validationError } from '../../domain/shared/errors';
import { newResolutionId } from '../../domain/shared/ids';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { AttemptRecord } from '../../persistence/payments/gateway-attempt-repository';
import type { PaymentWorkflows } from '../../temporal/payments';
import type { FindPayment, TriedPayment } from './find-payment';
import type { PaymentAnswer } from './payment-answer';

export interface ResolvePaymentDeps {
  readonly findPayment: FindPayment;
  readonly audit: AuditRepository;
  readonly workflows: Pick<PaymentWorkflows, 'resolve'>;
  readonly syncTimeoutMs: number;
}

/** What a person says of an operation, and why. */
export interface ResolutionRequest {
  readonly outcome: 'paid' | 'absent' | 'retry';
  readonly reason: string;
  /** Null where only one operation can be meant. */
  readonly attemptId: string | null;
  readonly gatewayTransactionId: string | null;
}

export interface ResolvePaymentCommand {
  readonly actor: AuditActor;
  /** The payment's id as it was sent. */
  readonly id: string;
  readonly word: ResolutionRequest;
  readonly receivedAt: Date;
}

/**
 * Takes a person's word on an operation that its gateway cannot tell about (decisions, section 11). The payment's
 * workflow decides whether it still waits for one; the transaction that acts on the word keeps it in the audit log, so
 * that its entry there is the truth about it.
 *
 * @throws ApiError `not_found`; `invalid_state` when nothing waits for this word; `validation_error`; `unavailable` when
 *   it was not heard in time: then it may be said again
 */
export class ResolvePayment {
  constructor(private readonly deps: ResolvePaymentDeps) {}

  async execute({ actor, id, word, receivedAt }: ResolvePaymentCommand): Promise<PaymentAnswer> {
    const { findPayment, audit, workflows, syncTimeoutMs } = this.deps;
    const found = await findPayment.byId(actor.companyId, id);
    const subject = subjectOf(found, word);
    const resolutionId = newResolutionId();
    const resolution = {
      resolutionId,
      attemptId: subject.id,
      outcome: word.outcome,
      reason: word.reason,
      ...(word.gatewayTransactionId !== null && { gatewayTransactionId: word.gatewayTransactionId }),
      resolvedBy: String(actor.userId),
      requestId: actor.requestId,
    };
    const deadline = new Date(receivedAt.getTime() + syncTimeoutMs);
    const heard = await workflows.resolve(found.payment, resolution, deadline);
    const acted = await audit.isRecorded(actor.companyId, resolutionId);
    if (!acted && heard === 'over') throw waitsForNobody();
    if (!acted && heard === 'unheard') throw unavailable('The word was not heard in time. Say it again.');
    const payment = await findPayment.byId(actor.companyId, id);
    const underWay = !acted || word.outcome === 'retry' || isOpen(payment, subject.id);
    return { kind: 'payment', payment, underWay, replayed: false };
  }
}

/** The operation that the word is about. */
function subjectOf(found: TriedPayment, word: ResolutionRequest): AttemptRecord {
  const { payment, attempts } = found;
  if (word.attemptId !== null && !attempts.some(({ id }) => id === word.attemptId)) {
    throw validationError({ attempt_id: ['is no operation of this payment'] });
  }
  if (payment.stuckAt === null) {
    throw new ApiError(
      'invalid_state',
      `The payment is ${payment.status}; nothing of it waits for a person.`,
    );
  }
  const lost = attempts.filter(({ status }) => status === 'sent' || status === 'unknown');
  const charge = activeCharge(attempts);
  const unpaid = charge?.status === 'pending' ? [charge] : [];
  const subject =
    word.attemptId === null
      ? onlyOf(lost.length > 0 ? lost : unpaid)
      : named(word.attemptId, [...lost, ...unpaid]);
  assertFits(found, subject, word);
  return subject;
}

function onlyOf(waiting: readonly AttemptRecord[]): AttemptRecord {
  const [only] = waiting;
  if (only === undefined) throw waitsForNobody();
  if (waiting.length === 1) return only;
  throw validationError({ attempt_id: [`is required: ${waiting.length} operations have no certain result`] });
}

function named(attemptId: string, waiting: readonly AttemptRecord[]): AttemptRecord {
  const found = waiting.find(({ id }) => id === attemptId);
  if (found === undefined) throw waitsForNobody();
  return found;
}

function assertFits({ payment }: TriedPayment, subject: AttemptRecord, word: ResolutionRequest): void {
  const isCharge = subject.operation === 'charge' || subject.operation === 'authorize';
  if (word.gatewayTransactionId !== null && !(isCharge && word.outcome === 'paid')) {
    throw validationError({
      gateway_transaction_id: ['is taken for a charge that is paid, and nothing else'],
    });
  }
  if (subject.status === 'pending' && word.outcome === 'absent' && (payment.paidAmountCents ?? 0) > 0) {
    throw validationError({ outcome: ['must be paid or retry: a part of it was paid'] });
  }
}

/** Whether what the word was about, or what it led to, has no result yet. */
function isOpen({ payment, attempts }: TriedPayment, attemptId: string): boolean {
  const status = attempts.find(({ id }) => id === attemptId)?.status;
  return (
    payment.status === 'processing' || status === 'requested' || status === 'sent' || status === 'unknown'
  );
}

function waitsForNobody(): ApiError {
  return new ApiError(
    'invalid_state',
    'The operation does not wait for a person: it has its result, or its gateway is being asked again.',
  );
}
