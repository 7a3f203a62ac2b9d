import { notFound } from '../../domain/shared/errors';
import { parseTransactionId } from '../../domain/shared/ids';
import type {
  AttemptRecord,
  GatewayAttemptRepository,
} from '../../persistence/payments/gateway-attempt-repository';
import type {
  DeliverySummary,
  WebhookDeliveryRepository,
} from '../../persistence/webhooks/webhook-delivery-repository';
import type { Database } from '../../persistence/sql/transaction';
import type { PaymentRecord, PaymentRepository } from '../../persistence/payments/payment-repository';

/** A payment with all its gateway attempts. */
export interface PaymentWithAttempts {
  readonly payment: PaymentRecord;
  readonly attempts: readonly AttemptRecord[];
}

/** A payment with its attempts and webhook deliveries, the newest last. */
export interface FoundPayment extends PaymentWithAttempts {
  readonly deliveries: readonly DeliverySummary[];
}

export class FindPayment {
  constructor(
    private readonly db: Database,
    private readonly payments: PaymentRepository,
    private readonly attempts: Pick<GatewayAttemptRepository, 'listByTransaction'>,
    private readonly deliveries: Pick<WebhookDeliveryRepository, 'listBySubject'>,
  ) {}

  /**
   * Reads all of it as of one instant: a result that is recorded meanwhile would otherwise be in the attempts and not in the
   * payment, and a capture would be answered with the payment as it was before.
   *
   * @throws ApiError `not_found`, also for another company's payment
   */
  async byId(companyId: number, id: string): Promise<FoundPayment> {
    const transactionId = parseTransactionId(id);
    if (transactionId === null) throw notFound();
    return this.db.inTransaction(async (tx) => {
      await this.db.execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', [], tx);
      const payment = await this.payments.find(companyId, transactionId, tx);
      if (payment === null) throw notFound();
      const attempts = await this.attempts.listByTransaction(transactionId, tx);
      const deliveries = await this.deliveries.listBySubject(transactionId, tx);
      return { payment, attempts, deliveries };
    });
  }
}
