import { notFound } from '../domain/errors';
import { parseTransactionId } from '../domain/ids';
import type { AttemptRecord, GatewayAttemptRepository } from '../persistence/gateway-attempt-repository';
import type { PaymentRecord, PaymentRepository } from '../persistence/payment-repository';

/** A payment with every operation tried for it. */
export interface FoundPayment {
  readonly payment: PaymentRecord;
  readonly attempts: readonly AttemptRecord[];
}

export class FindPayment {
  constructor(
    private readonly payments: PaymentRepository,
    private readonly attempts: GatewayAttemptRepository,
  ) {}

  /** @throws ApiError `not_found`, the same for another company's payment and for one that never was */
  async byId(companyId: number, id: string): Promise<FoundPayment> {
    const transactionId = parseTransactionId(id);
    const payment = transactionId && (await this.payments.find(companyId, transactionId));
    if (!payment) throw notFound();
    return { payment, attempts: await this.attempts.ofPayment(payment.id) };
  }
}
