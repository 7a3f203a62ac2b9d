import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { components } from '../../../src/http/generated/openapi';
import type { Behavior } from '../../../src/simulator/scripts';
import { APPROVED_CARD, rawCard } from '../fixtures/payments';
import type { Merchant, MerchantTarget } from '../merchant/merchant';
import {
  describeOutcome,
  expectResponse,
  send,
  sendUntilFinal,
  type HttpOutcome,
} from '../merchant/requests';
import type { SimulatorControl } from '../stack/simulator';
import { waitFor } from '../stack/wait-for';
import { advanceClock } from './advance-clock';
import type { PricedPlan, RoutePlan } from './route-plan';
import { hadSamePeriods, periodPriceViolations, routeViolations } from './subscription-money';
import { readSubscriptionMoney, unexplainedCharges } from './subscription-money-records';

type Subscription = components['schemas']['Subscription'];

export interface RoutesTarget extends MerchantTarget {
  readonly simulator: SimulatorControl;
}

export interface RoutesReport {
  readonly subscriptions: number;
  /** False if a charge that waited for its gateway gave the two subscriptions different periods. */
  readonly compared: boolean;
  readonly violations: readonly string[];
}

/** Much longer than the recovery from a fault: a subscription that never settles is reported. */
const SETTLED_WITHIN_MS = 240_000;
const POLL_EVERY_MS = 250;
/** Longer than the time between two tries of a charge that waits for its gateway. */
const NEXT_TRY_MS = 13 * 3_600_000;
const TRIES = 40;
const TRY_AGAIN_AFTER_MS = 1_500;
/** No issuer answered: the merchant tries again with another idempotency key. */
const CHARGE_REFUSED = /charge for the change was refused/i;

let pairs = 0;

/** Runs two routes between the same plans and compares what they cost. Faults may be injected meanwhile. */
export async function runRoutes(
  target: RoutesTarget,
  merchant: Merchant,
  plan: RoutePlan,
): Promise<RoutesReport> {
  const pair = new RoutePair(target, merchant, uniquePrices(plan));
  try {
    return await pair.run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { subscriptions: 2, compared: false, violations: [`a route between plans: ${message}`] };
  }
}

/** Prices of this pair alone, because the simulator's scripts match on amounts. */
function uniquePrices({ first, detour, last, ...rest }: RoutePlan): RoutePlan {
  pairs += 1;
  const own = (plan: PricedPlan): PricedPlan => ({ ...plan, amount: plan.amount + pairs });
  return { first: own(first), detour: detour.map(own), last: own(last), ...rest };
}

class RoutePair {
  private readonly planIds = new Map<number, string>();

  constructor(
    private readonly target: RoutesTarget,
    private readonly merchant: Merchant,
    private readonly plan: RoutePlan,
  ) {}

  async run(): Promise<RoutesReport> {
    const { first, detour, last, changeAfterMs, runsMs, behaviors } = this.plan;
    await this.script(first, behaviors[0]);
    const ids = await Promise.all([this.create(first), this.create(first)]);
    await this.advance(ids, changeAfterMs);
    await this.script(last, behaviors[1]);
    await Promise.all([this.changeTo(ids[0], [last]), this.changeTo(ids[1], [...detour, last])]);
    await Promise.all(ids.map((id) => this.settled(id)));
    const [direct, indirect] = await Promise.all([this.money(ids[0]), this.money(ids[1])]);
    const compared = hadSamePeriods(direct, indirect);
    await this.advance(ids, runsMs);
    const ended = await Promise.all(ids.map((id) => this.money(id)));
    const unexplained = await Promise.all(
      ids.map((id) => whenServersAnswer(() => unexplainedCharges(this.target, id))),
    );
    return {
      subscriptions: ids.length,
      compared,
      violations: [
        ...(compared ? routeViolations(direct, indirect) : []),
        ...[direct, indirect, ...ended].flatMap(periodPriceViolations),
        ...unexplained.flat(),
      ],
    };
  }

  /** While the simulator is down it takes no scripts; its gateways then behave normally. */
  private async script({ amount }: PricedPlan, behavior: Behavior | null): Promise<void> {
    if (behavior === null) return;
    const match = { amount, operation: 'charge' } as const;
    await this.target.simulator.script(match, behavior).catch(() => undefined);
  }

  /** A first charge is not repeated by itself: while no gateway answers, the customer subscribes again. */
  private async create(plan: PricedPlan): Promise<string> {
    const customer = { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' };
    const body = { plan_id: await this.planId(plan), customer, card: rawCard(APPROVED_CARD) };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const request = { ...this.merchant.authorizedRequest('POST', '/subscriptions', randomUUID()), body };
      const outcome = await sendUntilFinal(() => send(request));
      if (outcome.kind === 'http' && outcome.status === 201) {
        const { data } = JSON.parse(outcome.text) as { data: Subscription };
        if ((await this.settled(data.id)).status === 'active') return data.id;
      } else if (outcome.kind === 'none' || outcome.status !== 422) {
        throw new Error(`a subscription was not created: ${describeOutcome(outcome)}`);
      }
      await delay(TRY_AGAIN_AFTER_MS);
    }
    throw new Error(`no subscription became active in ${TRIES} tries`);
  }

  private async planId({ amount, interval, interval_count }: PricedPlan): Promise<string> {
    const known = this.planIds.get(amount);
    if (known !== undefined) return known;
    const body = { name: 'Flowers', amount, currency: 'BRL', interval, interval_count };
    const request = { ...this.merchant.authorizedRequest('POST', '/subscriptions/plans'), body };
    const { data } = await expectResponse<{ data: { id: string } }>(request, 201);
    this.planIds.set(amount, data.id);
    return data.id;
  }

  /** Advances the clocks of both to one instant, and on until no charge waits for its gateway. */
  private async advance(ids: readonly string[], byMs: number): Promise<void> {
    const clocks = await Promise.all(ids.map((id) => this.settled(id)));
    const from = Math.max(Date.now(), ...clocks.map(({ clock }) => (clock ? Date.parse(clock.now) : 0)));
    const to = new Date(from + byMs);
    await Promise.all(ids.map((id) => advanceClock(this.merchant, id, to)));
    const after = await Promise.all(ids.map((id) => this.settled(id)));
    const unpaid = after.find(({ charge_on_hold, dunning }) => charge_on_hold !== null || dunning !== null);
    if (unpaid !== undefined) await this.advance(ids, NEXT_TRY_MS);
  }

  private async changeTo(id: string, plans: readonly PricedPlan[]): Promise<void> {
    for (const plan of plans) {
      const body = { plan_id: await this.planId(plan), immediately: true };
      for (let tries = 0; ; tries += 1) {
        const outcome = await this.sendChange(id, body);
        if (outcome.status === 200) break;
        if (tries >= TRIES || outcome.status !== 409 || !CHARGE_REFUSED.test(outcome.text))
          throw new Error(`the plan of ${id} was not changed: ${describeOutcome(outcome)}`);
        await delay(TRY_AGAIN_AFTER_MS);
      }
    }
  }

  private async sendChange(id: string, body: object): Promise<HttpOutcome> {
    const request = this.merchant.authorizedRequest('PATCH', `/subscriptions/${id}/plan`, randomUUID());
    const outcome = await sendUntilFinal(() => send({ ...request, body }));
    if (outcome.kind === 'none')
      throw new Error(`no response to a plan change of ${id}: ${describeOutcome(outcome)}`);
    return outcome;
  }

  /** Waits until its clock has reached its target and no command or charge is open. */
  private async settled(id: string): Promise<Subscription> {
    const isSettled = async (): Promise<Subscription | null> => {
      const request = this.merchant.authorizedRequest('GET', `/subscriptions/${id}`);
      const { data } = await expectResponse<{ data: Subscription }>(request, 200);
      const isOpen = data.clock?.reached === false || data.pending_action !== null;
      return isOpen || (await this.hasOpenCharge(id)) ? null : data;
    };
    const what = `subscription ${id} to settle`;
    return waitFor(isSettled, { what, withinMs: SETTLED_WITHIN_MS, everyMs: POLL_EVERY_MS });
  }

  private async hasOpenCharge(id: string): Promise<boolean> {
    const open = await this.target.db.query(
      `SELECT 1 FROM subscriptions WHERE uuid = $1 AND open_charge IS NOT NULL
       UNION ALL SELECT 1 FROM payments WHERE subscription_id = $1 AND status = 'processing'`,
      [id],
    );
    return open.length > 0;
  }

  private money(id: string) {
    return whenServersAnswer(() => readSubscriptionMoney(this.target, id));
  }
}

/** The database and the simulator are killed and frozen, too. */
function whenServersAnswer<T extends object>(read: () => Promise<T>) {
  return waitFor(read, { what: 'the records', withinMs: SETTLED_WITHIN_MS, everyMs: POLL_EVERY_MS });
}
