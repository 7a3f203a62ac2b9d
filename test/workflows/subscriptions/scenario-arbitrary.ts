import fc from 'fast-check';
import type { components } from '../../../src/http/generated/openapi';
import type { SubscriptionState } from '../../../src/domain/subscriptions/subscription';
import {
  applyCommand,
  type SubscriptionCommand,
} from '../../../src/domain/subscriptions/subscription-commands';
import { nextDue } from '../../../src/domain/subscriptions/subscription-due';
import { cardOf, termsOf } from '../../../src/persistence/subscriptions/subscription-state';
import { expectStatus } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import { ask, GOOD_CARD, LOST_CARD, RUNS_DRY, type Asked } from './command-requests';
import { wrongsOf } from './reconciliation';
import { newPlan, subscriptionBody, TestSubscription, type SubscriptionShop } from './subscription-merchant';

type Plan = components['schemas']['Plan'];

const CARDS = { good: GOOD_CARD, 'runs dry': RUNS_DRY, lost: LOST_CARD };
const PLANS = ['weekly', 'dearer', 'cheaper', 'monthly', 'every 5 days'] as const;

type PlanName = (typeof PLANS)[number];
type CardName = keyof typeof CARDS;

type Order =
  | { readonly asked: 'pause'; readonly days: number | null }
  | { readonly asked: 'resume' | 'uncancel' | 'retry' }
  | { readonly asked: 'cancel'; readonly atPeriodEnd: boolean }
  | { readonly asked: 'plan'; readonly plan: PlanName; readonly immediately: boolean | null }
  | { readonly asked: 'card'; readonly card: CardName };

type Step =
  | { readonly kind: 'time'; readonly days: number }
  /** At the same instant; with `days` the clock is moved at it too. */
  | { readonly kind: 'orders'; readonly orders: readonly Order[]; readonly days: number | null }
  | { readonly kind: 'terminated' };

export interface LifePlan {
  readonly plan: PlanName;
  readonly card: CardName;
  readonly trialDays: number;
  readonly coupon: {
    readonly discount_type: 'percentage' | 'fixed';
    readonly discount_value: number;
    readonly max_cycles: number;
  } | null;
  readonly steps: readonly Step[];
}

const days = fc.constantFrom(1, 3, 7, 8, 16);
const cards = fc.constantFrom<CardName>('good', 'good', 'runs dry', 'lost');
const order: fc.Arbitrary<Order> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ asked: fc.constant('pause' as const), days: fc.option(days) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      asked: fc.constantFrom('resume' as const, 'uncancel' as const, 'retry' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      asked: fc.constant('cancel' as const),
      atPeriodEnd: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      asked: fc.constant('plan' as const),
      plan: fc.constantFrom(...PLANS),
      immediately: fc.option(fc.boolean()),
    }),
  },
  { weight: 4, arbitrary: fc.record({ asked: fc.constant('card' as const), card: cards }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('time' as const), days }) },
  { weight: 4, arbitrary: order.map((one) => ({ kind: 'orders' as const, orders: [one], days: null })) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('orders' as const),
      orders: fc.array(order, { minLength: 2, maxLength: 4 }),
      days: fc.option(days),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'terminated' as const }) },
);

/** A subscription's life in any order, the possible and the impossible. */
export const lifePlan: fc.Arbitrary<LifePlan> = fc.record({
  plan: fc.constantFrom(...PLANS),
  card: cards,
  trialDays: fc.constantFrom(0, 0, 2, 10),
  coupon: fc.option(
    fc.record({
      discount_type: fc.constantFrom('percentage' as const, 'fixed' as const),
      discount_value: fc.constantFrom(10, 99, 100),
      max_cycles: fc.constantFrom(1, 3),
    }),
  ),
  steps: fc.array(step, { minLength: 3, maxLength: 9, size: 'max' }),
});

/** Lives a life against the real service; `wrongs` has what did not go as the domain, or the money, says. */
export class AnyLife {
  private readonly wrongs: string[] = [];
  private constructor(
    private readonly shop: SubscriptionShop,
    private readonly plans: Readonly<Record<PlanName, Plan>>,
    private readonly subscription: TestSubscription,
  ) {}

  static async live(shop: SubscriptionShop, plan: LifePlan): Promise<string[]> {
    const { client } = shop;
    const amount = uniqueAmount();
    const plans = {
      weekly: await newPlan(client, { amount }),
      dearer: await newPlan(client, { amount: 2 * amount }),
      cheaper: await newPlan(client, { amount: Math.floor(amount / 2) }),
      monthly: await newPlan(client, { amount: 4 * amount, interval: 'monthly', billing_day: 31 }),
      'every 5 days': await newPlan(client, { amount, interval: 'daily', interval_count: 5 }),
    };
    const code = plan.coupon && `ANY${uniqueAmount()}`;
    if (plan.coupon !== null) {
      const body = { code, name: 'Any', valid_from: '2026-01-01', ...plan.coupon };
      expectStatus(await client('createCoupon', { body }), 201);
    }
    const body = subscriptionBody(plans[plan.plan].id, {
      card: CARDS[plan.card],
      trial_period_days: plan.trialDays,
      coupon_code: code,
    });
    const life = new AnyLife(shop, plans, await TestSubscription.create(client, body));
    for (const next of plan.steps) await life.take(next);
    await life.untilSettled();
    return [...life.wrongs, ...(await wrongsOf(shop, life.subscription))];
  }

  private async take(next: Step): Promise<void> {
    switch (next.kind) {
      case 'time':
        return this.simulateNext(next.days);
      case 'orders':
        await this.untilSettled();
        if (next.orders.length === 1 && next.orders[0] !== undefined) return this.obeyed(next.orders[0]);
        await Promise.all([
          ...next.orders.map((one) => this.send(one)),
          ...(next.days === null ? [] : [this.move(next.days)]),
        ]);
        return this.untilSettled();
      case 'terminated':
        await this.terminate();
    }
  }

  /** What is upcoming, asked before, is what is then charged, as long as nobody asks for anything and the card is good. */
  private async simulateNext(later: number): Promise<void> {
    await this.untilSettled();
    const before = await this.subscription.now();
    const foreseen = await this.subscription.upcoming(30);
    const known = new Set((await this.subscription.cycles()).map(({ number }) => number));
    await this.move(later);
    await this.untilSettled();
    const isPaidAlways = before.card.last_4_digits === '1111';
    if (!isPaidAlways) return;
    for (const { number, due_at, amount_charged, discount_amount } of await this.subscription.cycles()) {
      if (known.has(number)) continue;
      const forecast = foreseen.find((charge) => charge.number === number);
      const lived = JSON.stringify({ due_at, amount_charged, discount_amount });
      const promised =
        forecast &&
        JSON.stringify({
          due_at: forecast.due_at,
          amount_charged: forecast.amount_charged,
          discount_amount: forecast.discount_amount,
        });
      if (lived !== promised)
        this.wrongs.push(`cycle ${number} was ${lived}, foreseen as ${promised ?? 'none'}`);
    }
  }

  /** One order, when nothing else happens: the service answers as the domain says of the state it finds. */
  private async obeyed(one: Order): Promise<void> {
    const { at, state } = await this.read();
    const model = applyCommand(state, this.commandOf(one, at, state), at, { dunningDays: [], refusedAt: [] });
    const { status, body } = await this.send(one);
    const answer = `${JSON.stringify(one)} of ${state.status} was answered ${status} ${JSON.stringify(body).slice(0, 200)}`;
    if (!model.obeyed) {
      const isOwnPlan = one.asked === 'plan' && status === 422;
      if (status !== 409 && !isOwnPlan) this.wrongs.push(`${answer}, but ${model.why}`);
      return;
    }
    const { message = '' } = body as { message?: string };
    const isRefused = status === 409 && /charge for the change was refused|refused too often/i.test(message);
    const isUnfit = one.asked === 'plan' && status === 422;
    if (status !== 200 && !isRefused && !isUnfit) this.wrongs.push(answer);
    const after = await this.read();
    const { state: foreseen } = model.moved;
    // What is due at once may have happened too by now: an end that was asked for after its period was over.
    const isDue = foreseen.openCharge !== null || (nextDue(foreseen)?.at ?? Infinity) <= after.at;
    if (status === 200 && !isDue && after.state.status !== foreseen.status) {
      this.wrongs.push(`${answer} and is ${after.state.status}, not ${foreseen.status}`);
    }
  }

  private async read(): Promise<{ readonly at: Date; readonly state: SubscriptionState }> {
    const { db, subscriptions } = this.shop.api.engine.parts;
    const record = await db.inTransaction((tx) => subscriptions.lock(tx, this.subscription.id as never));
    return { at: new Date(Date.now() + record.row.clockOffsetMs), state: record.state };
  }

  private commandOf(one: Order, at: Date, present: SubscriptionState): SubscriptionCommand {
    switch (one.asked) {
      case 'pause':
        return { kind: 'pause', until: one.days === null ? null : new Date(+at + one.days * 86_400_000) };
      case 'cancel':
        return { kind: 'cancel', atPeriodEnd: one.atPeriodEnd };
      case 'plan': {
        const { id, currency, amount, interval, interval_count } = this.plans[one.plan];
        const to = { uuid: id, currency, amountCents: amount, interval, intervalCount: interval_count };
        return { kind: 'change_plan', to: termsOf(to as never), immediately: one.immediately };
      }
      case 'card': {
        const { number, expire_month: expireMonth, expire_year: expireYear } = CARDS[one.card];
        const last4Digits = String(number).slice(-4);
        const card = { brand: 'visa', last4Digits, expireMonth, expireYear };
        const isSame = present.card.last4Digits === last4Digits;
        const fingerprint = isSame ? present.card.fingerprint : one.card;
        return { kind: 'change_card', card: cardOf({ card: card as never, fingerprint }) };
      }
      case 'resume':
      case 'uncancel':
      case 'retry':
        return { kind: one.asked };
    }
  }

  private async send(one: Order) {
    const { created } = this.subscription;
    const bodies: Record<Asked, () => object | undefined> = {
      pause: () => {
        if (one.asked !== 'pause' || one.days === null) return {};
        const from = Date.parse(this.clock ?? created.created_at);
        return { paused_until: new Date(Math.max(from, Date.now()) + one.days * 86_400_000).toISOString() };
      },
      cancel: () => ({ at_period_end: one.asked === 'cancel' && one.atPeriodEnd }),
      plan: () =>
        one.asked === 'plan'
          ? {
              plan_id: this.plans[one.plan].id,
              ...(one.immediately !== null && { immediately: one.immediately }),
            }
          : {},
      card: () => (one.asked === 'card' ? { card: CARDS[one.card] } : {}),
      resume: () => undefined,
      uncancel: () => undefined,
      retry: () => undefined,
    };
    return ask(this.shop.client, this.subscription.id, one.asked, bodies[one.asked]());
  }

  private clock: string | undefined;

  /** Sends the clock so many days on from where it is, and an hour. */
  private async move(later: number): Promise<void> {
    const from = Math.max(Date.parse(this.clock ?? new Date().toISOString()), Date.now());
    this.clock = new Date(from + later * 86_400_000 + 3_600_000).toISOString();
    const params = { uuid: this.subscription.id };
    expectStatus(
      await this.shop.client('moveSubscriptionClock', { params, body: { advance_to: this.clock } }),
      200,
    );
  }

  private async terminate(): Promise<void> {
    const { workflow } = this.shop.api.engine.parts.temporal;
    const handle = workflow.getHandle(`subscription/${this.subscription.id}`);
    await handle.terminate('by a test').catch(() => undefined);
  }

  /** The sweeper looks after it, as soon as it may. */
  private async untilSettled(): Promise<void> {
    const { parts, sweeper } = this.shop.api.engine;
    const isSettled = async (): Promise<boolean> => {
      const present = await this.subscription.now();
      const [open] = await parts.db.query<{ charges: number }>(
        `SELECT count(*) AS charges FROM payments WHERE subscription_id = $1 AND status = 'processing'`,
        [this.subscription.id],
      );
      const isThere = present.clock === null || present.clock.reached;
      return isThere && present.pending_action === null && Number(open?.charges) === 0;
    };
    let asks = 0;
    await waitFor(
      async () => {
        if (await isSettled()) return true;
        asks += 1;
        if (asks % 20 === 0) {
          const overdue =
            'UPDATE subscriptions SET recover_after = now() WHERE uuid = $1 AND recover_after IS NOT NULL';
          await parts.db.query(overdue, [this.subscription.id]);
          await sweeper.sweepOnce();
        }
        return false;
      },
      { what: `${this.subscription.id} to settle`, everyMs: 50, withinMs: 60_000 },
    );
  }
}
