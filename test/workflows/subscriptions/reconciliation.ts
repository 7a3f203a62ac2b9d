import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import type { SubscriptionShop, TestSubscription } from './subscription-merchant';

interface PaymentRow {
  readonly id: string;
  readonly status: string;
  readonly amountCents: number;
  readonly cycleId: string | null;
  readonly changeId: string | null;
}

const LIVE: readonly string[] = ['processing', 'pending', 'authorized', 'approved', 'refunded'];

/** Every status a subscription may be told in after another one. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  pending: ['pending', 'active', 'canceled'],
  trialing: ['trialing', 'active', 'past_due', 'canceled'],
  active: ['active', 'past_due', 'paused', 'canceled'],
  past_due: ['past_due', 'active', 'canceled'],
  paused: ['paused', 'active', 'canceled'],
  canceled: ['canceled'],
};

/** What is wrong, in words, with a subscription that nothing is under way for: its charges, its events, its books. */
export async function wrongsOf(shop: SubscriptionShop, subscription: TestSubscription): Promise<string[]> {
  const found = [...(await wrongsOfMoney(shop, subscription)), ...(await wrongsOfEvents(subscription))];
  return found.map((wrong) => `${subscription.id}: ${wrong}`);
}

async function wrongsOfMoney({ api }: SubscriptionShop, subscription: TestSubscription): Promise<string[]> {
  const { parts, simulator } = api.engine;
  const payments = await parts.db.query<PaymentRow>(
    `SELECT transaction_id AS id, status, amount_cents AS "amountCents", billing_cycle_id AS "cycleId",
            plan_change_id AS "changeId" FROM payments WHERE subscription_id = $1 ORDER BY id`,
    [subscription.id],
  );
  const changes = await parts.db.query<{ id: string; status: string; chargeCents: number }>(
    `SELECT c.id, c.status, c.charge_cents AS "chargeCents" FROM plan_changes c
       JOIN subscriptions s ON s.id = c.subscription_id WHERE s.uuid = $1`,
    [subscription.id],
  );
  const wrongs: string[] = [];
  const expectSum = (what: string, charged: readonly PaymentRow[], cents: number): void => {
    const live = charged.filter(({ status }) => LIVE.includes(status));
    const sum = live.reduce((total, { amountCents }) => total + amountCents, 0);
    if (live.length > 1 || sum !== cents) {
      wrongs.push(`${what} has ${live.length} live payments of ${sum}, not of ${cents}`);
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
    if (status === 'open') wrongs.push('a plan change is open');
    dueCents += cents;
  }
  const ledgers = await Promise.all(payments.map(({ id }) => simulator.ledger(id)));
  const captured = ledgers.reduce((sum, { totals }) => sum + totals.captured - totals.refunded, 0);
  if (captured !== dueCents) wrongs.push(`its gateway took ${captured}, not ${dueCents}`);
  return [...wrongs, ...ledgers.flatMap(({ entries }) => ledgerViolations(entries))];
}

async function wrongsOfEvents(subscription: TestSubscription): Promise<string[]> {
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
        ...(FOLLOWS[before.status]?.includes(status) ? [] : [`${event}: ${before.status} became ${status}`]),
        ...(before.occurred_at <= at ? [] : [`${event} occurred before ${before.event}`]),
      ];
    }),
    ...(JSON.stringify(successes.map(({ cycle_id: id }) => id)) === JSON.stringify(paid.map(({ id }) => id))
      ? []
      : [`${successes.length} successes were told of ${paid.length} paid cycles`]),
    ...(events.filter(({ event }) => event === 'subscription.activated').length > 1
      ? ['activated twice']
      : []),
  ];
}
