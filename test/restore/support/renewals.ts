import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { APPROVED_CARD, rawCard } from '../../support/fixtures/payments';
import type { Merchant } from '../../support/merchant/merchant';
import { expectResponse, send } from '../../support/merchant/requests';
import { waitFor } from '../../support/stack/wait-for';
import { advanceClock } from '../../support/subscriptions/advance-clock';

const SUBSCRIPTIONS = 4;
const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
const ADVANCE_EVERY_MS = 600;
const REACHED_WITHIN_MS = 120_000;

interface Subscription {
  readonly id: string;
  /** How far its clock was advanced, and how many weeks that are; the first charge not counted. */
  until: Date;
  weeks: number;
}

/** Weekly subscriptions of one merchant, whose clocks go on. */
export class Renewals {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  private constructor(
    private readonly merchant: Merchant,
    readonly subscriptions: readonly Subscription[],
  ) {}

  static async begin(merchant: Merchant): Promise<Renewals> {
    const plan = await expectResponse<{ data: { id: string } }>(
      {
        ...merchant.authorizedRequest('POST', '/subscriptions/plans'),
        body: { name: 'Weekly', amount: 1_990, currency: 'BRL', interval: 'weekly' },
      },
      201,
    );
    const customer = { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' };
    const body = { plan_id: plan.data.id, customer, card: rawCard(APPROVED_CARD) };
    const subscriptions = [];
    for (let count = 0; count < SUBSCRIPTIONS; count += 1) {
      const created = await expectResponse<{ data: { id: string } }>(
        { ...merchant.authorizedRequest('POST', '/subscriptions', randomUUID()), body },
        201,
      );
      subscriptions.push({ id: created.data.id, until: new Date(Date.now() + HOUR_MS), weeks: 0 });
    }
    const renewals = new Renewals(merchant, subscriptions);
    await renewals.reached();
    renewals.running = renewals.run();
    return renewals;
  }

  /** Charges of all subscriptions, if each week is paid once. */
  get expectedCharges(): number {
    return this.subscriptions.reduce((sum, { weeks }) => sum + weeks + 1, 0);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Advances every clock as far as it was advanced before, which a restore may have undone. */
  async advanceAgain(): Promise<void> {
    await Promise.all(this.subscriptions.map(({ id, until }) => advanceClock(this.merchant, id, until)));
    await this.reached();
  }

  /** Returns when every clock has reached where it was advanced to. */
  private async reached(): Promise<void> {
    await Promise.all(
      this.subscriptions.map(({ id, weeks }) =>
        waitFor(() => this.hasReached(id, weeks > 0), {
          what: `the clock of ${id} to be reached`,
          withinMs: REACHED_WITHIN_MS,
          everyMs: 200,
        }),
      ),
    );
  }

  private async hasReached(id: string, hasClock: boolean): Promise<boolean> {
    const { data } = await expectResponse<{
      data: { status: string; clock: { reached: boolean } | null };
    }>(this.merchant.authorizedRequest('GET', `/subscriptions/${id}`), 200);
    return data.status === 'active' && (data.clock?.reached ?? !hasClock);
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    for (let turn = 0; !signal.aborted; turn += 1) {
      const subscription = this.subscriptions[turn % this.subscriptions.length];
      if (subscription !== undefined) await this.advance(subscription);
      await delay(ADVANCE_EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Counts a week also if the answer is lost: the clock is advanced to there later. */
  private async advance(subscription: Subscription): Promise<void> {
    const { id, until } = subscription;
    subscription.until = new Date(until.getTime() + WEEK_MS);
    subscription.weeks += 1;
    const body = { advance_to: subscription.until.toISOString() };
    await send({ ...this.merchant.authorizedRequest('POST', `/subscriptions/${id}/clock`), body });
  }
}
