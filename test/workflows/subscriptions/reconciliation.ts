import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import type { SubscriptionMerchant, TestSubscription } from './subscription-merchant';

interface PaymentRow {
  readonly id: string;
  readonly status: string;
  readonly amountCents: number;
  readonly cycleId: string | null;
  readonly changeId: string | null;
}

const ACTIVE_STATUSES: readonly string[] = ['processing', 'pending', 'authorized', 'approved', 'refunded'];

/** The statuses that may follow each status from one event to the next. */
const NEXT_STATUSES: Readonly<Record<string, readonly string[]>> = {
  pending: ['pending', 'active', 'canceled'],
  trialing: ['trialing', 'active', 'past_due', 'canceled'],
  active: ['active', 'past_due', 'paused', 'canceled'],
  past_due: ['past_due', 'active', 'canceled'],
  paused: ['paused', 'active', 'canceled'],
  canceled: ['canceled'],
};

/** Compares the stored charges, gateway ledger and events of a settled subscription. Returns what does not match, as text. */
export async function findViolations(
  merchant: SubscriptionMerchant,
  subscription: TestSubscription,
): Promise<string[]> {
  const found = [
    ...(await findPaymentViolations(merchant, subscription)),
    ...(await findEventViolations(subscription)),
  ];
  return found.map((violation) => `${subscription.id}: ${violation}`);
}

async function findPaymentViolations(
  { api }: SubscriptionMerchant,
  subscription: TestSubscription,
): Promise<string[]> {
  const { context, simulator } = api.engine;
  const payments = await context.db.query<PaymentRow>(
    `SELECT transaction_id AS id, status, amount_cents AS "amountCents", billing_cycle_id AS "cycleId",
            plan_change_id AS "changeId" FROM payments WHERE subscription_id = $1 ORDER BY id`,
    [subscription.id],
  );
  const changes = await context.db.query<{ id: string; status: string; chargeCents: number }>(
    `SELECT c.id, c.status, c.charge_cents AS "chargeCents" FROM plan_changes c
       JOIN subscriptions s ON s.id = c.subscription_id WHERE s.uuid = $1`,
    [subscription.id],
  );
  const violations: string[] = [];
  const expectSum = (what: string, charged: readonly PaymentRow[], cents: number): void => {
    const active = charged.filter(({ status }) => ACTIVE_STATUSES.includes(status));
    const sum = active.reduce((total, { amountCents }) => total + amountCents, 0);
    if (active.length > 1 || sum !== cents) {
      violations.push(`${what} has ${active.length} active payments of ${sum}, not of ${cents}`);
    }
  };
  let dueCents = 0;
  for (const { id, number, status, amount_charged } of await subscription.cycles()) {
    const cents = status === 'paid' ? amount_charged : 0;
    expectSum(
      `cycle ${number}, ${status},`,
      payments.filter(({ cycleId }) => cycleId === id),
      cents,
    );
    dueCents += cents;
  }
  for (const { id, status, chargeCents } of changes) {
    const cents = status === 'paid' ? chargeCents : 0;
    expectSum(
      `a plan change, ${status},`,
      payments.filter(({ changeId }) => changeId === id),
      cents,
    );
    if (status === 'open') violations.push('a plan change is open');
    dueCents += cents;
  }
  const ledgers = await Promise.all(payments.map(({ id }) => simulator.ledger(id)));
  const captured = ledgers.reduce((sum, { totals }) => sum + totals.captured - totals.refunded, 0);
  if (captured !== dueCents) violations.push(`its gateway took ${captured}, not ${dueCents}`);
  return [...violations, ...ledgers.flatMap(({ entries }) => ledgerViolations(entries))];
}

async function findEventViolations(subscription: TestSubscription): Promise<string[]> {
  const events = await subscription.events();
  const paid = (await subscription.cycles()).filter(({ status }) => status === 'paid' || status === 'waived');
  const successes = events.filter(({ event }) => event === 'subscription.payment.success');
  return [
    ...events
      .filter(({ sequence }, index) => sequence !== index + 1)
      .map(({ event, sequence }) => `${event} has sequence ${sequence}`),
    ...events.flatMap(({ event, status, occurred_at: at }, index) => {
      const before = events[index - 1];
      if (before === undefined) return [];
      return [
        ...(NEXT_STATUSES[before.status]?.includes(status)
          ? []
          : [`${event}: ${before.status} became ${status}`]),
        ...(before.occurred_at <= at ? [] : [`${event} occurred before ${before.event}`]),
      ];
    }),
    ...(JSON.stringify(successes.map(({ cycle_id: id }) => id)) === JSON.stringify(paid.map(({ id }) => id))
      ? []
      : [`${successes.length} success events for ${paid.length} paid cycles`]),
    ...(events.filter(({ event }) => event === 'subscription.activated').length > 1
      ? ['activated twice']
      : []),
  ];
}
