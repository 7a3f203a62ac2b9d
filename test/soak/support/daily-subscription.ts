import { waitUntil } from '../../../src/dev/wait-until';
import { transactionOf } from '../../../src/gateways/simulator/wire';
import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import type { FaultStack } from '../../faults/support/fault-stack';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';
import type { Merchant } from '../../support/merchant/merchant';
import { expectResponse } from '../../support/merchant/requests';
import { periodPriceViolations } from '../../support/subscriptions/subscription-money';
import {
  readSubscriptionMoney,
  unexplainedCharges,
} from '../../support/subscriptions/subscription-money-records';
import { readLedger } from '../../support/scenarios/reconciliation';
import { advanceClock } from '../../support/subscriptions/advance-clock';

const DAY_MS = 86_400_000;
/** How far the test clock is advanced. */
const DAYS = 365;
/** How long the remaining cycles may take when the faults have ended. */
const SETTLED_WITHIN_MS = 240_000;

interface DailySubscriptionBody {
  readonly id: string;
  readonly status: string;
  readonly clock: { readonly reached: boolean } | null;
}

interface ChargedCycle {
  readonly number: number;
  readonly status: string;
  readonly chargeCents: number;
  /** How many payments of the cycle hold, held or may hold money. */
  readonly activePayments: number;
  readonly transactionIds: readonly string[];
}

/** A subscription with daily cycles whose test clock advances by a year while processes are killed and frozen. */
export class DailySubscription {
  private constructor(
    private readonly stack: FaultStack,
    private readonly merchant: Merchant,
    private readonly id: string,
  ) {}

  static async start(stack: FaultStack, merchant: Merchant): Promise<DailySubscription> {
    const planBody = { name: 'Daily', amount: 1_990, currency: 'BRL', interval: 'daily' };
    const { data: plan } = await expectResponse<{ data: { id: string } }>(
      { ...merchant.authorizedRequest('POST', '/subscriptions/plans'), body: planBody },
      201,
    );
    const customer = { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' };
    const body = { plan_id: plan.id, customer, card: rawCard(APPROVED_CARD) };
    const { data } = await expectResponse<{ data: DailySubscriptionBody }>(
      { ...merchant.authorizedRequest('POST', '/subscriptions'), body },
      201,
    );
    await advanceClock(merchant, data.id, new Date(Date.now() + DAYS * DAY_MS));
    return new DailySubscription(stack, merchant, data.id);
  }

  /** Waits for the clock; call it when the faults have ended. Returns how many cycles were charged and what is wrong. */
  async finish(): Promise<{ readonly cycles: number; readonly violations: readonly string[] }> {
    const reached = await this.clockReachesTarget();
    const cycles = await this.cycles();
    const entries = await readLedger(this.stack.simulator.url);
    return {
      cycles: cycles.length,
      violations: [
        ...(reached ? [] : [`the test clock of subscription ${this.id} did not reach its target`]),
        ...(await this.sequenceViolations()),
        ...cycles.flatMap((cycle) => this.cycleViolations(cycle, entries)),
        ...(reached ? await this.moneyViolations() : []),
      ],
    };
  }

  private async moneyViolations(): Promise<string[]> {
    return [
      ...periodPriceViolations(await readSubscriptionMoney(this.stack, this.id)),
      ...(await unexplainedCharges(this.stack, this.id)),
    ];
  }

  private async clockReachesTarget(): Promise<boolean> {
    const hasReached = async (): Promise<boolean> => {
      const request = this.merchant.authorizedRequest('GET', `/subscriptions/${this.id}`);
      const { data } = await expectResponse<{ data: DailySubscriptionBody }>(request, 200);
      return data.status === 'canceled' || data.clock?.reached === true;
    };
    return waitUntil('the test clock to reach its target', SETTLED_WITHIN_MS, hasReached, 500).then(
      () => true,
      () => false,
    );
  }

  private cycleViolations(cycle: ChargedCycle, entries: readonly LedgerEntry[]): string[] {
    const { number, status, activePayments, chargeCents } = cycle;
    const own = entries.filter(({ reference }) => cycle.transactionIds.includes(transactionOf(reference)));
    const { captured, refunded } = ledgerTotals(own);
    const expected = status === 'paid' ? chargeCents : 0;
    return [
      ...(activePayments <= 1
        ? []
        : [`cycle ${number} of ${this.id} has ${activePayments} payments that may hold money`]),
      ...(captured - refunded === expected || status === 'open'
        ? []
        : [
            `cycle ${number} of ${this.id} is ${status}; the ledger has ${captured} captured, ${refunded} refunded`,
          ]),
    ];
  }

  private async cycles(): Promise<ChargedCycle[]> {
    return this.stack.db.query<ChargedCycle>(
      `SELECT c.number, c.status, c.charge_cents AS "chargeCents",
              count(*) FILTER (WHERE p.status NOT IN ('failed', 'canceled')) AS "activePayments",
              array_agg(p.transaction_id) AS "transactionIds"
         FROM billing_cycles c JOIN subscriptions s ON s.id = c.subscription_id
         JOIN payments p ON p.billing_cycle_id = c.id
        WHERE s.uuid = $1 GROUP BY c.id, c.number, c.status, c.charge_cents ORDER BY c.number`,
      [this.id],
    );
  }

  /** The sequence numbers of its events start at 1 and have no gaps. */
  private async sequenceViolations(): Promise<string[]> {
    const [row] = await this.stack.db.query<{ count: number; last: number }>(
      `SELECT count(*) AS count, max(sequence) AS last FROM events
        WHERE subject_type = 'subscription' AND subject_id = $1`,
      [this.id],
    );
    return row?.count === row?.last
      ? []
      : [`${this.id} has ${row?.count} events, and the last sequence number is ${row?.last}`];
  }
}
