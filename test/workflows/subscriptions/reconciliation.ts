import { readExplainingRows, unexplainedEntries } from '../../support/scenarios/ledger-explanation';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import type { SubscriptionMerchant, TestSubscription } from './subscription-merchant';

interface PaymentRow {
  readonly id: string;
  readonly status: string;
  readonly amountCents: number;
  readonly cycleId: string;
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
    ...(await findMoneyViolations(subscription)),
  ];
  return found.map((violation) => `${subscription.id}: ${violation}`);
}

async function findPaymentViolations(
  { api }: SubscriptionMerchant,
  subscription: TestSubscription,
): Promise<string[]> {
  const { context, simulator } = api.engine;
  const payments = await context.db.query<PaymentRow>(
    `SELECT transaction_id AS id, status, amount_cents AS "amountCents", billing_cycle_id AS "cycleId"
       FROM payments WHERE subscription_id = $1 ORDER BY id`,
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
  for (const { id, kind, number, status, amount_charged } of await subscription.cycles()) {
    const cents = status === 'paid' ? amount_charged : 0;
    expectSum(
      `${kind} cycle ${number}, ${status},`,
      payments.filter(({ cycleId }) => cycleId === id),
      cents,
    );
    if (kind !== 'regular' && status === 'open') violations.push('the cycle of a plan change is open');
    dueCents += cents;
  }
  const ledgers = await Promise.all(payments.map(({ id }) => simulator.ledger(id)));
  const captured = ledgers.reduce((sum, { totals }) => sum + totals.captured - totals.refunded, 0);
  if (captured !== dueCents) violations.push(`its gateway took ${captured}, not ${dueCents}`);
  for (const [index, { id: transactionId }] of payments.entries()) {
    const rows = await readExplainingRows(context.db, { transactionId });
    violations.push(...unexplainedEntries(ledgers[index]?.entries ?? [], rows));
  }
  return [...violations, ...ledgers.flatMap(({ entries }) => ledgerViolations(entries))];
}

/** Every payment and every paid cycle has one event with the same amounts. */
async function findMoneyViolations(subscription: TestSubscription): Promise<string[]> {
  const events = await subscription.events();
  const cycles = await subscription.cycles();
  const violations: string[] = [];
  for (const { id, kind, number, status, amount, ...cycle } of cycles) {
    const waived = amount - cycle.discount_amount - cycle.credit_applied - cycle.amount_charged;
    if (waived < 0 || waived >= 100) violations.push(`${kind} cycle ${number} does not add up: ${waived}`);
    const successes = events.filter(
      ({ event, cycle_id }) => event === 'subscription.payment.success' && cycle_id === id,
    );
    const expected =
      status === 'paid' || status === 'waived' ? [[cycle.amount_charged, cycle.credit_applied]] : [];
    const published = successes.map((event) => [event.amount_charged, event.credit_applied]);
    if (JSON.stringify(published) !== JSON.stringify(expected)) {
      violations.push(`${kind} cycle ${number}, ${status}, has success events ${JSON.stringify(published)}`);
    }
  }
  const told = events.flatMap(({ transaction_id: id }) => id ?? []).sort();
  const charged = cycles.flatMap(({ payments }) => payments).sort();
  const untold = charged.filter((id) => !told.includes(id));
  if (new Set(told).size !== told.length) violations.push('a payment has two events');
  return [...violations, ...untold.map((id) => `the payment ${id} has no event`)];
}

async function findEventViolations(subscription: TestSubscription): Promise<string[]> {
  const events = await subscription.events();
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
    ...(events.filter(({ event }) => event === 'subscription.activated').length > 1
      ? ['activated twice']
      : []),
  ];
}
