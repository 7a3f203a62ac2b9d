import type { AuditActor } from '../../domain/companies/audit-actor';
import { canInquire, isRecentlyRequested } from '../../domain/payments/operations/requested-inquiry';
import { ApiError, notFound } from '../../domain/shared/errors';
import { parseTransactionId } from '../../domain/shared/ids';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { GatewayAttemptRepository } from '../../persistence/payments/gateway-attempt-repository';
import type { PaymentRecord, PaymentRepository } from '../../persistence/payments/payment-repository';
import { requestInquiry } from '../../persistence/payments/requested-inquiries';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { PaymentWorkflows } from '../../temporal/payments';

export interface RequestInquiryDeps {
  readonly db: Database;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly audit: AuditRepository;
  readonly workflows: Pick<PaymentWorkflows, 'wake'>;
  readonly now: () => Date;
  /** Reports an error that the caller must not see, because the request is committed. */
  readonly reportError: (transactionId: string, error: unknown) => void;
}

/**
 * Has the payment's workflow ask the gateway now. The request is committed first, with its audit entry; the workflow asks
 * and decides as after a callback. The gateway is asked at most once every 30 s for a payment: a request within that time
 * changes nothing and gets the last one.
 *
 * @throws ApiError `not_found`; `invalid_state` if no gateway has anything of this payment
 */
export class RequestInquiry {
  constructor(private readonly deps: RequestInquiryDeps) {}

  async execute(actor: AuditActor, id: string): Promise<PaymentRecord> {
    const transactionId = parseTransactionId(id);
    if (transactionId === null) throw notFound();
    const { payment, isNew } = await this.deps.db.inTransaction((tx) =>
      this.request(tx, actor, transactionId),
    );
    if (isNew) await this.wake(payment);
    return payment;
  }

  private async request(
    tx: Tx,
    { companyId, userId, requestId, sessionId }: AuditActor,
    transactionId: string,
  ): Promise<{ readonly payment: PaymentRecord; readonly isNew: boolean }> {
    const { payments, attempts, audit } = this.deps;
    const payment = await payments.lockForCompany(tx, companyId, transactionId);
    if (payment === null) throw notFound();
    const now = this.deps.now();
    if (isRecentlyRequested(payment, now)) return { payment, isNew: false };
    if (!canInquire(await attempts.listByTransaction(transactionId, tx))) throw nothingToAsk(payment);
    const requested = await requestInquiry(this.deps.db, tx, payment.id, now);
    await audit.insert(tx, {
      companyId,
      userId,
      requestId,
      ...(sessionId !== undefined && { sessionId }),
      action: 'payment.inquire',
      subjectType: 'payment',
      subjectId: transactionId,
      changes: {},
    });
    return { payment: { ...payment, ...requested }, isNew: true };
  }

  /** The request is committed: after a failure the sweeper wakes the workflow. */
  private async wake(payment: PaymentRecord): Promise<void> {
    try {
      await this.deps.workflows.wake(payment);
    } catch (error) {
      this.deps.reportError(payment.transactionId, error);
    }
  }
}

function nothingToAsk({ status }: PaymentRecord): ApiError {
  return new ApiError('invalid_state', `The payment is ${status}, and no gateway has anything of it.`);
}
