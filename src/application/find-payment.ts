import { notFound } from '../domain/errors';
import { parseTransactionId } from '../domain/ids';
import type { AttemptRecord, GatewayAttemptRepository } from '../persistence/gateway-attempt-repository';
import type { DeliverySummary, WebhookDeliveryRepository } from '../persistence/webhook-delivery-repository';
import type { PaymentRecord, PaymentRepository } from '../persistence/payment-repository';

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
    private readonly payments: PaymentRepository,
    private readonly attempts: GatewayAttemptRepository,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  /** @throws ApiError `not_found`, the same for another company's payment and for one that never was */
  async byId(companyId: number, id: string): Promise<FoundPayment> {
    const transactionId = parseTransactionId(id);
    const payment = transactionId && (await this.payments.find(companyId, transactionId));
    if (!payment) throw notFound();
    const [attempts, deliveries] = await Promise.all([
      this.attempts.ofPayment(payment.id),
      this.deliveries.ofResource(payment.transactionId),
    ]);
    return { payment, attempts, deliveries };
  }
}
