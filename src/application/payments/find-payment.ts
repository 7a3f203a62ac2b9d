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
import type { PaymentRecord, PaymentRepository } from '../../persistence/payments/payment-repository';
import type { Database } from '../../persistence/sql/transaction';

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
    private readonly attempts: GatewayAttemptRepository,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  /** @throws ApiError `not_found`, also for another company's payment */
  async byId(companyId: number, id: string): Promise<FoundPayment> {
    const transactionId = parseTransactionId(id);
    if (transactionId === null) throw notFound();
    const [payment, attempts, deliveries] = await this.db.reading((tx) =>
      Promise.all([
        this.payments.find(companyId, transactionId, tx),
        this.attempts.listByTransaction(transactionId, tx),
        this.deliveries.listByResource(transactionId, tx),
      ]),
    );
    if (payment === null) throw notFound();
    return { payment, attempts, deliveries };
  }
}
