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
    private readonly payments: PaymentRepository,
    private readonly attempts: GatewayAttemptRepository,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  /** @throws ApiError `not_found`, also for another company's payment */
  async byId(companyId: number, id: string): Promise<FoundPayment> {
    const transactionId = parseTransactionId(id);
    if (transactionId === null) throw notFound();
    const payment = await this.payments.find(companyId, transactionId);
    if (payment === null) throw notFound();
    const attempts = await this.attempts.listByTransaction(transactionId);
    const deliveries = await this.deliveries.listBySubject(transactionId);
    return { payment, attempts, deliveries };
  }
}
