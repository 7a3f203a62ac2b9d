import type { Parts } from '../../src/compose';
import { newSubscriptionId, newVaultCardId } from '../../src/domain/ids';
import { SubscriptionModel } from '../../src/persistence/models/subscription';
import type { Tx } from '../../src/persistence/transaction';

/** On which plan it is, and on which it will be; inner ids. */
interface RowPlans {
  readonly companyId: number;
  readonly planId: number;
  readonly newPlanId?: number;
}

/** A subscription as a row and nothing more: nobody charges it. */
export async function insertSubscription(
  { customers }: Pick<Parts, 'customers'>,
  tx: Tx,
  { companyId, planId, newPlanId }: RowPlans,
): Promise<void> {
  const details = { name: 'Maria', email: 'maria@example.com', document: '52998224725' };
  const customer = await customers.upsertCustomer(tx, companyId, details);
  const now = new Date();
  await SubscriptionModel.create(
    {
      uuid: newSubscriptionId(),
      companyId,
      customerId: customer.id,
      planId,
      status: 'active',
      card: {
        ...{ token: null, brand: 'visa', first6Digits: '411111', last4Digits: '1111' },
        ...{ holderName: 'MARIA', expireMonth: 12, expireYear: 2035 },
      },
      cardFingerprint: 'fingerprint',
      vaultCardId: newVaultCardId(),
      billingAddress: null,
      gatewayFirstTry: null,
      metadata: null,
      timezone: 'America/Sao_Paulo',
      startsAt: now,
      interval: 'monthly',
      intervalCount: 1,
      scheduleBillingDay: null,
      billingDay: null,
      periodNumber: 1,
      periodStart: null,
      periodEnd: null,
      paidCents: 0,
      periodDiscounted: false,
      trialDays: 0,
      trialStart: null,
      trialEnd: null,
      couponId: null,
      couponCyclesUsed: 0,
      cyclesOpened: 0,
      cyclesPaid: 0,
      openCharge: null,
      newPlanId: newPlanId ?? null,
      planChangeType: newPlanId === undefined ? null : 'downgrade',
      cancelAtPeriodEnd: false,
      pausedAt: null,
      pausedUntil: null,
      pastDueSince: null,
      canceledAt: null,
      cancelReason: null,
      trialEndingTold: false,
      cardExpiringTold: false,
      movedAt: now,
      dueAt: null,
      idempotencyKey: null,
      wakeBy: null,
    },
    { transaction: tx },
  );
}
