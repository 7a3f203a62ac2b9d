import { assertNever } from '../../domain/shared/assert-never';
import {
  newPlanChangeId,
  newTransactionId,
  type BillingCycleId,
  type PlanChangeId,
} from '../../domain/shared/ids';
import { attemptsAllowed } from '../../domain/subscriptions/dunning';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';
import type { NewPayment, PaymentRepository } from '../../persistence/payments/payment-repository';
import type { CardDeclines } from '../../persistence/read-models/card-declines';
import type { Tx } from '../../persistence/sql/transaction';
import type { PlanChangeRepository } from '../../persistence/subscriptions/plan-change-repository';
import type { SubscriptionRecord } from '../../persistence/subscriptions/subscription-repository';
import type { SubscriptionRow } from '../../persistence/subscriptions/subscription-state';
import { cycleIdOf, planKeys, type UnsavedTransition } from './transition-context';

export interface ChargeWriterDeps {
  readonly planChanges: PlanChangeRepository;
  readonly payments: PaymentRepository;
  readonly cardDeclines: CardDeclines;
}

/** Stores the charges that a transition settles or starts: plan changes and payments. */
export class SubscriptionChargeWriter {
  constructor(private readonly deps: ChargeWriterDeps) {}

  async save(tx: Tx, unsaved: UnsavedTransition): Promise<void> {
    await this.closePlanChange(tx, unsaved);
    await this.insertCharge(tx, unsaved);
  }

  private async closePlanChange(tx: Tx, { before, context, now }: UnsavedTransition): Promise<void> {
    if (before.planChange === null || context.charge === undefined) return;
    const status = context.charge.paid ? 'paid' : 'refused';
    await this.deps.planChanges.close(tx, before.planChange.id, status, now);
  }

  /** Inserts the payment of a charge that this transition starts. */
  private async insertCharge(tx: Tx, unsaved: UnsavedTransition): Promise<void> {
    const { before, transition, cycleIds, now } = unsaved;
    const { openCharge, openCycle } = transition.state;
    if (openCharge === null || before.state.openCharge !== null) return;
    const { row } = before;
    switch (openCharge.kind) {
      case 'cycle': {
        if (openCycle === null) throw new Error('the charged cycle is not open');
        const billingCycleId = cycleIdOf(cycleIds, openCycle);
        const merchantOrderId = `sub_${row.uuid}_${openCycle.number}`;
        const charge = { amountCents: openCycle.chargeCents, billingCycleId, merchantOrderId };
        return this.insertPayment(tx, unsaved, charge);
      }
      case 'plan_change': {
        const { chargeCents, change } = openCharge;
        const id = newPlanChangeId();
        const newPlanId = planKeys(unsaved)(change.to.planId);
        const opened = { id, subscriptionId: row.id, newPlanId, changeType: change.changeType, chargeCents };
        await this.deps.planChanges.insert(tx, row.companyId, opened, now);
        const merchantOrderId = `sub_${row.uuid}_plan`;
        return this.insertPayment(tx, unsaved, {
          amountCents: chargeCents,
          planChangeId: id,
          merchantOrderId,
        });
      }
      default:
        return assertNever(openCharge);
    }
  }

  private async insertPayment(
    tx: Tx,
    { before, transition, context, now }: UnsavedTransition,
    { amountCents, merchantOrderId, billingCycleId, planChangeId }: NewCharge,
  ): Promise<void> {
    const { row, customer, plan } = before;
    const { lastTransitionAt: billedAt } = transition.state;
    const { card, fingerprint, vaultCardId, billingAddress } = context.card ?? cardOnFile(row);
    const { companyId } = row;
    const declined = { companyId, cardFingerprint: fingerprint, amountCents };
    const declinedAt = await this.deps.cardDeclines.listUntil(billedAt, declined, tx);
    const isFirst = context.card !== undefined || !row.cardCharged;
    const payment = {
      transactionId: newTransactionId(),
      companyId,
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
      customer: snapshot(customer),
      card,
      cardFingerprint: fingerprint,
      saveCard: false,
      billingAddress,
      vaultCardId,
      requestedAt: now,
      subscriptionId: row.uuid,
      billingCycleId: billingCycleId ?? null,
      planChangeId: planChangeId ?? null,
      billedAt,
      attemptsAllowed: attemptsAllowed(card.brand, declinedAt, billedAt),
      recurring: {
        sequence: isFirst ? 'first' : 'subsequent',
        networkTransactionId: isFirst ? null : row.networkTransactionId,
      },
    } satisfies Omit<NewPayment, 'recoverAfter'>;
    await this.deps.payments.insert(tx, payment, now);
  }
}

interface NewCharge {
  readonly amountCents: number;
  readonly merchantOrderId: string;
  readonly billingCycleId?: BillingCycleId;
  readonly planChangeId?: PlanChangeId;
}

function cardOnFile({ card, cardFingerprint, vaultCardId, billingAddress }: SubscriptionRow): CardOnFile {
  return { card, fingerprint: cardFingerprint, vaultCardId, billingAddress };
}

function snapshot({ id, token, name, email, document, phone, address }: SubscriptionRecord['customer']) {
  return { id, token, name, email, document, phone, address };
}
