import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import { expectAnswer } from '../../faults/support/answers';
import type { FaultStack } from '../../faults/support/fault-stack';
import { wholeLedger } from '../../faults/support/invariants';
import type { Merchant } from '../../faults/support/merchant';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';
import { waitUntil } from '../../../src/dev/wait-until';
import { transactionOf } from '../../../src/gateways/simulator/wire';

const DAY_MS = 86_400_000;
/** How far a subscription that is charged every day is sent, and how long what is due on the way may take at the end. */
const DAYS = 365;
const SETTLED_WITHIN_MS = 240_000;

interface Subscription {
  readonly id: string;
  readonly status: string;
  readonly clock: { readonly reached: boolean } | null;
}

interface ChargedCycle {
  readonly number: number;
  readonly status: string;
  readonly chargeCents: number;
  /** Payments of it that hold or held money, or may. */
  readonly live: number;
  readonly transactionIds: readonly string[];
}

/** A subscription that is charged every day of a year, by its own clock, while parts are killed and frozen. */
export class DailyLife {
  private constructor(
    private readonly stack: FaultStack,
    private readonly merchant: Merchant,
    private readonly id: string,
  ) {}

  static async begin(stack: FaultStack, merchant: Merchant): Promise<DailyLife> {
    const plan = { name: 'Daily', amount: 1_990, currency: 'BRL', interval: 'daily' };
    const { data: made } = await expectAnswer<{ data: { id: string } }>(
      { ...merchant.call('POST', '/subscriptions/plans'), body: plan },
      201,
    );
    const customer = { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' };
    const body = { plan_id: made.id, customer, card: rawCard(APPROVED_CARD) };
    const { data } = await expectAnswer<{ data: Subscription }>(
      { ...merchant.call('POST', '/subscriptions'), body },
      201,
    );
    const advance_to = new Date(Date.now() + DAYS * DAY_MS).toISOString();
    await expectAnswer(
      { ...merchant.call('POST', `/subscriptions/${data.id}/clock`), body: { advance_to } },
      200,
    );
    return new DailyLife(stack, merchant, data.id);
  }

  /** What is wrong with it, in words, once nothing disturbs it any more; and how far it came. */
  async end(): Promise<{ readonly cycles: number; readonly violations: readonly string[] }> {
    const reached = await this.reached();
    const cycles = await this.cycles();
    const entries = await wholeLedger(this.stack);
    return {
      cycles: cycles.length,
      violations: [
        ...(reached ? [] : [`subscription ${this.id} did not come to where its clock was sent`]),
        ...(await this.gaps()),
        ...cycles.flatMap((cycle) => this.violationsOf(cycle, entries)),
      ],
    };
  }

  private async reached(): Promise<boolean> {
    const ask = async (): Promise<boolean> => {
      const request = this.merchant.call('GET', `/subscriptions/${this.id}`);
      const { data } = await expectAnswer<{ data: Subscription }>(request, 200);
      return data.status === 'canceled' || data.clock?.reached === true;
    };
    return waitUntil('the year to be over', SETTLED_WITHIN_MS, ask, 500).then(
      () => true,
      () => false,
    );
  }

  private violationsOf(cycle: ChargedCycle, entries: readonly LedgerEntry[]): string[] {
    const { number, status, live, chargeCents } = cycle;
    const own = entries.filter(({ reference }) => cycle.transactionIds.includes(transactionOf(reference)));
    const { captured, refunded } = ledgerTotals(own);
    const due = status === 'paid' ? chargeCents : 0;
    return [
      ...(live <= 1 ? [] : [`cycle ${number} of ${this.id} has ${live} payments that may hold money`]),
      ...(captured - refunded === due || status === 'open'
        ? []
        : [`cycle ${number} of ${this.id} is ${status}; the ledger has ${captured} less ${refunded}`]),
    ];
  }

  private async cycles(): Promise<ChargedCycle[]> {
    return this.stack.db.query<ChargedCycle>(
      `SELECT c.number, c.status, c.charge_cents AS "chargeCents",
              count(*) FILTER (WHERE p.status NOT IN ('failed', 'canceled')) AS live,
              array_agg(p.transaction_id) AS "transactionIds"
         FROM billing_cycles c JOIN subscriptions s ON s.id = c.subscription_id
         JOIN payments p ON p.billing_cycle_id = c.id
        WHERE s.uuid = $1 GROUP BY c.id, c.number, c.status, c.charge_cents ORDER BY c.number`,
      [this.id],
    );
  }

  /** Its events are numbered from 1 without gaps. */
  private async gaps(): Promise<string[]> {
    const [row] = await this.stack.db.query<{ count: number; last: number }>(
      `SELECT count(*) AS count, max(sequence) AS last FROM events
        WHERE resource_type = 'subscription' AND resource_id = $1`,
      [this.id],
    );
    return row?.count === row?.last ? [] : [`events of ${this.id}: ${row?.count}, the last is ${row?.last}`];
  }
}
