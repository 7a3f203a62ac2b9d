import { manualResolutionFor, type ManualResolutionRequest } from '../../domain/payments/manual-resolution';
import { notFound } from '../../domain/shared/errors';
import { parseTransactionId } from '../../domain/shared/ids';
import { paymentTimeline, type Timeline } from '../../domain/timeline/payment-timeline';
import type { WebhookAttempt } from '../../domain/webhooks/webhook-attempt';
import type { AttemptRecord, GatewayAttemptRepository } from '../payments/gateway-attempt-repository';
import type { PaymentRecord, PaymentRepository } from '../payments/payment-repository';
import type { Database, Tx } from '../sql/transaction';
import { PaymentFacts, type PaymentDelivery, type PaymentEvent, type Send } from './payment-facts';

/** All that is known of a payment, each kind of it in order. Of very much the newest. */
export interface PaymentDetail {
  readonly payment: PaymentRecord;
  /** Every one: the payment itself shows them. */
  readonly attempts: readonly AttemptRecord[];
  readonly deliveries: ReadonlyArray<PaymentDelivery & { readonly attempts: readonly WebhookAttempt[] }>;
  readonly events: readonly PaymentEvent[];
  readonly timeline: Timeline;
  /** What only a person can say of it; null while no person is asked. */
  readonly desk: ManualResolutionRequest | null;
}

/** A payment as its company's people see it (decisions, section 11): all of it as it stood at one instant. */
export class PaymentDetails {
  private readonly facts: PaymentFacts;

  constructor(
    private readonly db: Database,
    private readonly payments: PaymentRepository,
    private readonly attempts: GatewayAttemptRepository,
  ) {
    this.facts = new PaymentFacts(db);
  }

  /** @throws ApiError `not_found`, the same for another company's payment and for one that never was */
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
    const attempts = await this.attempts.ofPayment(id, tx);
    const events = await facts.events(transactionId, tx);
    const deliveries = await facts.deliveries(transactionId, tx);
    const sends = await facts.sends(transactionId, tx);
    const callbacks = await facts.callbacks(id, tx);
    const manualReviewPeriods = await facts.manualReviewPeriods(id, tx);
    const auditedActions = await facts.auditedActions(companyId, transactionId, tx);
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
      desk: manualResolutionFor(payment, attempts),
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
