import { customerSnapshot } from '../../domain/customers/customer';
import { assertNever } from '../../domain/shared/assert-never';
import { initiationOfSeries } from '../../domain/shared/charge-initiation';
import { knownPayer, NO_PURCHASE_DETAILS } from '../../domain/shared/purchase-details';
import { chargePartOf, newTransactionId, type TransactionId } from '../../domain/shared/ids';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type { OpenCycle } from '../../domain/subscriptions/subscription';
import type {
  NewPayment,
  PaymentRecord,
  PaymentRepository,
} from '../../persistence/payments/payment-repository';
import type { RestoreState } from '../../persistence/restore/restore-state';
import type { RestoredChargeRepository } from '../../persistence/restore/restored-charge-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { SubscriptionRow } from '../../persistence/subscriptions/subscription-state';
import { cycleIdOf, type UnsavedTransition } from './transition-context';

export interface ChargeWriterDeps {
  readonly payments: PaymentRepository;
  readonly restoreState: Pick<RestoreState, 'hasLostCharges'>;
  readonly restoredCharges: Pick<RestoredChargeRepository, 'findLostPayment'>;
}

/** Inserts the payment of a charge that a transition starts. */
export class SubscriptionChargeWriter {
  constructor(private readonly deps: ChargeWriterDeps) {}

  /** Null if the transition starts no charge. */
  async save(tx: Tx, unsaved: UnsavedTransition): Promise<PaymentRecord | null> {
    const { before, transition } = unsaved;
    const { openCharge, openCycle } = transition.state;
    if (openCharge === null || before.state.openCharge !== null) return null;
    const { uuid } = before.row;
    switch (openCharge.kind) {
      case 'cycle':
        if (openCycle === null) throw new Error('the charged cycle is not open');
        return this.insertPayment(tx, unsaved, openCycle, `sub_${uuid}_${openCycle.number}`);
      case 'plan_change':
        return this.insertPayment(tx, unsaved, openCharge.cycle, `sub_${uuid}_plan`);
      default:
        return assertNever(openCharge);
    }
  }

  private async insertPayment(
    tx: Tx,
    { before, transition, context, cycleIds, now }: UnsavedTransition,
    cycle: OpenCycle,
    merchantOrderId: string,
  ): Promise<PaymentRecord> {
    const { chargeCents: amountCents } = cycle;
    const { row, customer, plan } = before;
    const { lastTransitionAt: billedAt } = transition.state;
    const { card, fingerprint, vaultCardId, billingAddress } = context.card ?? cardOnFile(row);
    const payment = {
      transactionId: await this.transactionIdOf(tx, row, merchantOrderId),
      companyId: row.companyId,
      merchantOrderId,
      idempotencyKey: null,
      amountCents,
      currency: plan.currency,
      paymentMethod: 'card',
      status: 'processing',
      message: 'processing',
      capture: true,
      installments: 1,
      softDescriptor: null,
      metadata: null,
      splits: null,
      gatewayFirstTry: row.gatewayFirstTry,
      customerId: customer.id,
      customer: customerSnapshot(customer),
      customerKey: customer.key,
      card,
      cardFingerprint: fingerprint,
      saveCard: false,
      billingAddress,
      purchase: {
        ...NO_PURCHASE_DETAILS,
        payer: knownPayer(row.payer, context.card?.payer),
        description: plan.name,
      },
      vaultCardId,
      requestedAt: now,
      subscriptionId: row.uuid,
      billingCycleId: cycleIdOf(cycleIds, cycle),
      billedAt,
      initiation: initiationOfSeries({
        isEstablished: context.card === undefined && row.cardApproved,
        networkIds: row.networkIds,
      }),
    } satisfies Omit<NewPayment, 'recoverAfter'>;
    return this.deps.payments.insert(tx, payment, now);
  }

  /** That of the same charge, if it was made before a restore and lost with it. */
  private async transactionIdOf(
    tx: Tx,
    { companyId, uuid }: SubscriptionRow,
    merchantOrderId: string,
  ): Promise<TransactionId> {
    const { restoreState, restoredCharges } = this.deps;
    const part = chargePartOf(uuid, merchantOrderId);
    const lost = restoreState.hasLostCharges
      ? await restoredCharges.findLostPayment(companyId, [part], tx)
      : null;
    return lost ?? newTransactionId(part);
  }
}

function cardOnFile({ card, cardFingerprint, vaultCardId, billingAddress }: SubscriptionRow): CardOnFile {
  return { card, fingerprint: cardFingerprint, vaultCardId, billingAddress };
}
