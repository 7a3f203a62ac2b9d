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

/** A payment with every operation tried for it. */
export interface TriedPayment {
  readonly payment: PaymentRecord;
  readonly attempts: readonly AttemptRecord[];
}

/** The same with every delivery of what was told of it, the newest last. */
export interface FoundPayment extends TriedPayment {
  readonly deliveries: readonly DeliverySummary[];
}

export class FindPayment {
  constructor(
    private readonly db: Database,
    private readonly payments: PaymentRepository,
    private readonly attempts: GatewayAttemptRepository,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  /** @throws ApiError `not_found`, the same for another company's payment and for one that never was */
  async byId(companyId: number, id: string): Promise<FoundPayment> {
    const transactionId = parseTransactionId(id);
    if (transactionId === null) throw notFound();
    const [payment, attempts, deliveries] = await this.db.reading((tx) =>
      Promise.all([
        this.payments.find(companyId, transactionId, tx),
        this.attempts.ofTransaction(transactionId, tx),
        this.deliveries.ofResource(transactionId, tx),
      ]),
    );
    if (payment === null) throw notFound();
    return { payment, attempts, deliveries };
  }
}
