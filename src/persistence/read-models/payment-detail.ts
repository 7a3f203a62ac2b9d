import { manualResolutionFor, type ManualResolutionRequest } from '../../domain/payments/manual-resolution';
import { notFound } from '../../domain/shared/errors';
import { parseTransactionId } from '../../domain/shared/ids';
import { paymentTimeline, type Timeline } from '../../domain/timeline/payment-timeline';
import type { WebhookAttempt } from '../../domain/webhooks/webhook-attempt';
import type { AttemptRecord, GatewayAttemptRepository } from '../payments/gateway-attempt-repository';
import type { PaymentRecord, PaymentRepository } from '../payments/payment-repository';
import type { Database, Tx } from '../sql/transaction';
import { PaymentFacts, type PaymentDelivery, type PaymentEvent, type Send } from './payment-facts';

/** A payment with everything recorded about it, oldest first. Long lists are cut to the newest entries. */
export interface PaymentDetail {
  readonly payment: PaymentRecord;
  /** Never cut: the payment's own representation shows all attempts. */
  readonly attempts: readonly AttemptRecord[];
  readonly deliveries: ReadonlyArray<PaymentDelivery & { readonly attempts: readonly WebhookAttempt[] }>;
  readonly events: readonly PaymentEvent[];
  readonly timeline: Timeline;
  /** What an operator has to resolve; null if nothing. */
  readonly manualResolution: ManualResolutionRequest | null;
}

/** A payment as the dashboard shows it, read in one snapshot. */
export class PaymentDetailReader {
  private readonly facts: PaymentFacts;

  constructor(
    private readonly db: Database,
    private readonly payments: PaymentRepository,
    private readonly attempts: GatewayAttemptRepository,
  ) {
    this.facts = new PaymentFacts(db);
  }

  /** @throws ApiError `not_found`, also for another company's payment */
  async load(companyId: number, id: string): Promise<PaymentDetail> {
    const transactionId = parseTransactionId(id);
    if (transactionId === null) throw notFound();
    return this.db.inTransaction(async (tx) => {
      await this.db.execute('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY', [], tx);
      const payment = await this.payments.find(companyId, transactionId, tx);
      if (payment === null) throw notFound();
      return this.assemble(payment, tx);
    });
  }

  private async assemble(payment: PaymentRecord, tx: Tx): Promise<PaymentDetail> {
    const { id, companyId, transactionId } = payment;
    const { facts } = this;
    const attempts = await this.attempts.listByPayment(id, tx);
    const events = await facts.listEvents(transactionId, tx);
    const deliveries = await facts.listDeliveries(transactionId, tx);
    const sends = await facts.listSends(transactionId, tx);
    const callbacks = await facts.listCallbacks(id, tx);
    const manualReviewPeriods = await facts.listManualReviewPeriods(id, tx);
    const auditedActions = await facts.listAuditedActions(companyId, transactionId, tx);
    return {
      payment,
      attempts,
      events,
      deliveries: withSends(deliveries, sends),
      timeline: paymentTimeline({
        payment,
        attempts,
        callbacks,
        events,
        manualReviewPeriods,
        auditedActions,
        sends,
      }),
      manualResolution: manualResolutionFor(payment, attempts),
    };
  }
}

function withSends(
  deliveries: readonly PaymentDelivery[],
  sends: readonly Send[],
): PaymentDetail['deliveries'] {
  const byDelivery = new Map<string, Send[]>(deliveries.map(({ id }) => [id, []]));
  for (const send of sends) byDelivery.get(send.deliveryId)?.push(send);
  return deliveries.map((delivery) => ({ ...delivery, attempts: byDelivery.get(delivery.id) ?? [] }));
}
