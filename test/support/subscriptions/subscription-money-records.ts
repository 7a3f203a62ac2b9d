import type { Database } from '../../../src/persistence/sql/transaction';
import { ledgerTotals, type LedgerEntry } from '../../../src/simulator/ledger';
import { readExplainingRows, unexplainedEntries } from '../scenarios/ledger-explanation';
import type { SimulatorControl } from '../stack/simulator';
import type { PlanInForce, SettledCycle, SubscriptionMoney } from './subscription-money';

interface StoredCycle extends SettledCycle {
  readonly id: string;
}

/** An event of a subscription, with the fields of its body that tell its plans. */
interface StoredEvent {
  readonly type: string;
  readonly planId: string;
  readonly newPlanId: string | null;
  readonly executed: boolean | null;
  readonly cycleId: string | null;
  readonly at: number;
}

interface Records {
  readonly db: Database;
  readonly simulator: SimulatorControl;
}

/** Reads a subscription's plans from its events, its cycles from their rows, and what was taken from the gateways' ledger. */
export async function readSubscriptionMoney(
  { db, simulator }: Records,
  id: string,
): Promise<SubscriptionMoney> {
  const cycles = await db.query<StoredCycle>(
    `SELECT c.id, kind, amount_cents - discount_cents AS "amountCents", charge_cents AS "chargeCents",
            credit_cents AS "creditCents", ${ms('c.period_start')} AS start, ${ms('c.period_end')} AS "end"
       FROM billing_cycles c JOIN subscriptions s ON s.id = c.subscription_id
      WHERE s.uuid = $1 AND c.status IN ('paid', 'waived') ORDER BY c.period_start, c.created_at`,
    [id],
  );
  const [subscription] = await db.query<{ creditBalanceCents: number }>(
    'SELECT credit_balance_cents AS "creditBalanceCents" FROM subscriptions WHERE uuid = $1',
    [id],
  );
  return {
    id,
    plans: await readPlans(db, id, cycles),
    cycles,
    creditBalanceCents: subscription?.creditBalanceCents ?? 0,
    takenCents: await readTaken(db, simulator, id),
  };
}

async function readPlans(db: Database, id: string, cycles: readonly StoredCycle[]): Promise<PlanInForce[]> {
  const events = await db.query<StoredEvent>(
    `SELECT type, content->>'plan_id' AS "planId", content->>'new_plan_id' AS "newPlanId",
            (content->>'executed')::boolean AS executed, content->>'cycle_id' AS "cycleId",
            ${ms("(content->>'occurred_at')::timestamptz")} AS at
       FROM (SELECT type, sequence, payload::jsonb AS content FROM events
              WHERE subject_type = 'subscription' AND subject_id = $1) e
      ORDER BY sequence`,
    [id],
  );
  const prices = await db.query<{ id: string; cents: number }>(
    `SELECT uuid AS id, amount_cents AS cents FROM plans
      WHERE company_id = (SELECT company_id FROM subscriptions WHERE uuid = $1)`,
    [id],
  );
  const centsOf = new Map(prices.map(({ id: plan, cents }) => [plan, cents]));
  return events.flatMap((event, index) => {
    if (event.type === 'subscription.created')
      return [{ cents: centsOf.get(event.planId) ?? 0, from: event.at }];
    if (event.type !== 'subscription.plan_changed' || event.executed !== true) return [];
    // A change that was charged is in effect from the beginning of its cycle, whose event precedes its own.
    const paid = cycles.find((cycle) => cycle.id === events[index - 1]?.cycleId && cycle.kind !== 'regular');
    return [{ cents: centsOf.get(event.newPlanId ?? '') ?? 0, from: paid?.start ?? event.at }];
  });
}

async function readTaken(db: Database, simulator: SimulatorControl, id: string): Promise<number> {
  const entries = await readEntries(db, simulator, id);
  return entries.reduce((cents, ofPayment) => {
    const { captured, refunded } = ledgerTotals(ofPayment);
    return cents + captured - refunded;
  }, 0);
}

/** Every cent that the gateways' ledger has for a settled subscription is explained by a row. Returns the violations. */
export async function unexplainedCharges({ db, simulator }: Records, id: string): Promise<string[]> {
  const rows = await readExplainingRows(db, { subscriptionId: id });
  return unexplainedEntries((await readEntries(db, simulator, id)).flat(), rows);
}

/** The entries of each payment. */
async function readEntries(db: Database, simulator: SimulatorControl, id: string): Promise<LedgerEntry[][]> {
  const payments = await db.query<{ id: string }>(
    'SELECT transaction_id AS id FROM payments WHERE subscription_id = $1',
    [id],
  );
  return Promise.all(payments.map(async (payment) => (await simulator.ledger(payment.id)).entries));
}

/** A timestamp in ms since 1970. */
function ms(timestamp: string): string {
  return `round(extract(epoch FROM ${timestamp}) * 1000)::float8`;
}
