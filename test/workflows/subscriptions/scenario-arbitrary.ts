import fc from 'fast-check';
import type { components } from '../../../src/http/generated/openapi';
import { NO_HISTORY, type SubscriptionState } from '../../../src/domain/subscriptions/subscription';
import {
  applyCommand,
  type SubscriptionCommand,
} from '../../../src/domain/subscriptions/subscription-commands';
import { nextDue } from '../../../src/domain/subscriptions/subscription-due';
import { cardOf, termsOf } from '../../../src/persistence/subscriptions/subscription-state';
import { expectStatus } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { waitFor } from '../../support/stack/wait-for';
import {
  sendCommand,
  GOOD_CARD,
  HARD_DECLINE_CARD,
  DECLINED_ON_RENEWAL_CARD,
  type CommandName,
} from './command-requests';
import { findViolations } from './reconciliation';
import {
  newPlan,
  subscriptionBody,
  TestSubscription,
  type SubscriptionMerchant,
} from './subscription-merchant';

type Plan = components['schemas']['Plan'];

const CARDS = { good: GOOD_CARD, 'runs dry': DECLINED_ON_RENEWAL_CARD, lost: HARD_DECLINE_CARD };
const PLANS = ['weekly', 'dearer', 'cheaper', 'monthly', 'every 5 days'] as const;

type PlanName = (typeof PLANS)[number];
type CardName = keyof typeof CARDS;

type CommandSpec =
  | { readonly command: 'pause'; readonly days: number | null }
  | { readonly command: 'resume' | 'uncancel' | 'retry' }
  | { readonly command: 'cancel'; readonly atPeriodEnd: boolean }
  | { readonly command: 'plan'; readonly plan: PlanName; readonly immediately: boolean | null }
  | { readonly command: 'card'; readonly card: CardName };

type Step =
  | { readonly kind: 'time'; readonly days: number }
  /** Sent concurrently; with `days` the clock is advanced concurrently too. */
  | { readonly kind: 'commands'; readonly commands: readonly CommandSpec[]; readonly days: number | null }
  | { readonly kind: 'terminated' };

export interface SubscriptionScenarioPlan {
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
const commandSpecs: fc.Arbitrary<CommandSpec> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ command: fc.constant('pause' as const), days: fc.option(days) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      command: fc.constantFrom('resume' as const, 'uncancel' as const, 'retry' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      command: fc.constant('cancel' as const),
      atPeriodEnd: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      command: fc.constant('plan' as const),
      plan: fc.constantFrom(...PLANS),
      immediately: fc.option(fc.boolean()),
    }),
  },
  { weight: 4, arbitrary: fc.record({ command: fc.constant('card' as const), card: cards }) },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('time' as const), days }) },
  {
    weight: 4,
    arbitrary: commandSpecs.map((one) => ({ kind: 'commands' as const, commands: [one], days: null })),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('commands' as const),
      commands: fc.array(commandSpecs, { minLength: 2, maxLength: 4 }),
      days: fc.option(days),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'terminated' as const }) },
);

/** Any sequence of commands and time, including commands that the status forbids. */
export const subscriptionScenarioPlans: fc.Arbitrary<SubscriptionScenarioPlan> = fc.record({
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

/** The charge of the command was declined, or the card's network forbids it. */
const CHARGE_REFUSED = /charge for the change was refused|declined too often|must not be charged again/i;

/** Runs a scenario against the service. `violations` has the differences from the domain model and from the ledger. */
export class SubscriptionScenarioRunner {
  private readonly violations: string[] = [];
  private constructor(
    private readonly merchant: SubscriptionMerchant,
    private readonly plans: Readonly<Record<PlanName, Plan>>,
    private readonly subscription: TestSubscription,
  ) {}

  static async run(merchant: SubscriptionMerchant, plan: SubscriptionScenarioPlan): Promise<string[]> {
    const { client } = merchant;
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
      // The issuer is asked about the card before a trial, which a lost card does not begin.
      trial_period_days: plan.card === 'lost' ? 0 : plan.trialDays,
      coupon_code: code,
    });
    const runner = new SubscriptionScenarioRunner(
      merchant,
      plans,
      await TestSubscription.create(client, body),
    );
    for (const next of plan.steps) await runner.execute(next);
    await runner.untilSettled();
    return [...runner.violations, ...(await findViolations(merchant, runner.subscription))];
  }

  private async execute(next: Step): Promise<void> {
    switch (next.kind) {
      case 'time':
        return this.advanceAndCompareCharges(next.days);
      case 'commands':
        await this.untilSettled();
        if (next.commands.length === 1 && next.commands[0] !== undefined) {
          return this.sendAndCompareResult(next.commands[0]);
        }
        await Promise.all([
          ...next.commands.map((one) => this.send(one)),
          ...(next.days === null ? [] : [this.advanceClock(next.days)]),
        ]);
        return this.untilSettled();
      case 'terminated':
        await this.terminate();
    }
  }

  /** Advances the clock. With an approved card, new cycles must equal the upcoming charges listed before. */
  private async advanceAndCompareCharges(later: number): Promise<void> {
    await this.untilSettled();
    const before = await this.subscription.current();
    const expectedCharges = await this.subscription.upcoming(30);
    const known = new Set((await this.subscription.cycles()).map(({ number }) => number));
    await this.advanceClock(later);
    await this.untilSettled();
    const isApprovedCard = before.card.last_4_digits === '1111';
    if (!isApprovedCard) return;
    for (const { number, due_at, amount_charged, discount_amount } of await this.subscription.cycles()) {
      if (known.has(number)) continue;
      const expected = expectedCharges.find((charge) => charge.number === number);
      const actualText = JSON.stringify({ due_at, amount_charged, discount_amount });
      const expectedText =
        expected &&
        JSON.stringify({
          due_at: expected.due_at,
          amount_charged: expected.amount_charged,
          discount_amount: expected.discount_amount,
        });
      if (actualText !== expectedText) {
        this.violations.push(`cycle ${number} was ${actualText}, expected ${expectedText ?? 'none'}`);
      }
    }
  }

  /** Sends one command; the answer must be the one that the domain gives for the current state. */
  private async sendAndCompareResult(one: CommandSpec): Promise<void> {
    const { at, state } = await this.read();
    const model = applyCommand(state, this.commandOf(one, at, state), at, NO_HISTORY);
    const { status, body } = await this.send(one);
    const answer = `${JSON.stringify(one)} of ${state.status} was answered ${status} ${JSON.stringify(body).slice(0, 200)}`;
    if (!model.applied) {
      const isOwnPlan = one.command === 'plan' && status === 422;
      const expected = model.subject === 'card' ? 422 : 409;
      if (status !== expected && !isOwnPlan) this.violations.push(`${answer}, but ${model.reason}`);
      return;
    }
    const isRefused = (status === 409 || status === 422) && CHARGE_REFUSED.test(JSON.stringify(body));
    const isInvalidPlan = one.command === 'plan' && status === 422;
    // The issuer is asked about a card that replaces another one without a charge.
    const isLost = one.command === 'card' && one.card === 'lost' && status === 422;
    if (status !== 200 && !isRefused && !isInvalidPlan && !isLost) this.violations.push(answer);
    const after = await this.read();
    const { state: expected } = model.transition;
    // A due event may already be processed, such as a cancellation at the end of a period that has ended.
    const isDue = expected.openCharge !== null || (nextDue(expected)?.at ?? Infinity) <= after.at;
    if (status === 200 && !isDue && after.state.status !== expected.status) {
      this.violations.push(`${answer} and is ${after.state.status}, not ${expected.status}`);
    }
  }

  private async read(): Promise<{ readonly at: Date; readonly state: SubscriptionState }> {
    const { db, subscriptions } = this.merchant.api.engine.context;
    const record = await db.inTransaction((tx) => subscriptions.lock(tx, this.subscription.id as never));
    return { at: new Date(Date.now() + record.row.clockOffsetMs), state: record.state };
  }

  private commandOf(one: CommandSpec, at: Date, present: SubscriptionState): SubscriptionCommand {
    switch (one.command) {
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
        return { kind: one.command };
    }
  }

  private async send(one: CommandSpec) {
    const { created } = this.subscription;
    const bodies: Record<CommandName, () => object | undefined> = {
      pause: () => {
        if (one.command !== 'pause' || one.days === null) return {};
        const from = Date.parse(this.clock ?? created.created_at);
        return { paused_until: new Date(Math.max(from, Date.now()) + one.days * 86_400_000).toISOString() };
      },
      cancel: () => ({ at_period_end: one.command === 'cancel' && one.atPeriodEnd }),
      plan: () =>
        one.command === 'plan'
          ? {
              plan_id: this.plans[one.plan].id,
              ...(one.immediately !== null && { immediately: one.immediately }),
            }
          : {},
      card: () => (one.command === 'card' ? { card: CARDS[one.card] } : {}),
      resume: () => undefined,
      uncancel: () => undefined,
      retry: () => undefined,
    };
    return sendCommand(this.merchant.client, this.subscription.id, one.command, bodies[one.command]());
  }

  private clock: string | undefined;

  /** Advances the clock by that many days and an hour. */
  private async advanceClock(later: number): Promise<void> {
    const from = Math.max(Date.parse(this.clock ?? new Date().toISOString()), Date.now());
    this.clock = new Date(from + later * 86_400_000 + 3_600_000).toISOString();
    const params = { uuid: this.subscription.id };
    expectStatus(
      await this.merchant.client('moveSubscriptionClock', { params, body: { advance_to: this.clock } }),
      200,
    );
  }

  private async terminate(): Promise<void> {
    const { workflow } = this.merchant.api.engine.context.temporal;
    const handle = workflow.getHandle(`subscription/${this.subscription.id}`);
    await handle.terminate('by a test').catch(() => undefined);
  }

  /** Waits until nothing is open, and runs the sweeper now and then. */
  private async untilSettled(): Promise<void> {
    const { context, sweeper } = this.merchant.api.engine;
    const isSettled = async (): Promise<boolean> => {
      const present = await this.subscription.current();
      const [open] = await context.db.query<{ charges: number }>(
        `SELECT count(*) AS charges FROM payments WHERE subscription_id = $1 AND status = 'processing'`,
        [this.subscription.id],
      );
      const hasArrived = present.clock === null || present.clock.reached;
      return hasArrived && present.pending_action === null && Number(open?.charges) === 0;
    };
    let checks = 0;
    await waitFor(
      async () => {
        if (await isSettled()) return true;
        checks += 1;
        if (checks % 20 === 0) {
          const overdue =
            'UPDATE subscriptions SET recover_after = now() WHERE uuid = $1 AND recover_after IS NOT NULL';
          await context.db.query(overdue, [this.subscription.id]);
          await sweeper.sweepOnce();
        }
        return false;
      },
      { what: `${this.subscription.id} to settle`, everyMs: 50, withinMs: 60_000 },
    );
  }
}
