import { upcomingCharges } from '../../../../src/domain/subscriptions/upcoming-charges';
import {
  CARD,
  CREATED_AT,
  GOLD,
  HARD_DECLINE,
  PAID,
  SOFT_DECLINE,
  SubscriptionScenario,
} from './subscription-scenario';

const MONTHLY = GOLD;
const YEARLY = { ...GOLD, planId: 'yearly', amountCents: 120_000, interval: 'yearly' } as const;
const TWO_YEARLY = { ...YEARLY, planId: 'two-yearly', amountCents: 230_000, intervalCount: 2 };
const SILVER = { ...GOLD, planId: 'silver', amountCents: 4_000 };
const DIAMOND = { ...GOLD, planId: 'diamond', amountCents: 30_000 };
const SECOND_CARD = { ...CARD, fingerprint: 'second' };
const MIDDLE = new Date('2026-02-14T15:00:00Z');

type Plan = (typeof SubscriptionScenario.prototype)['state']['plan'];
const to = (plan: Plan) => ({ kind: 'change_plan', to: plan, immediately: true }) as const;

describe('two changes of interval', () => {
  it('monthly to yearly to two-yearly at one instant charge the two-yearly price in all', () => {
    const scenario = new SubscriptionScenario({ plan: MONTHLY }).charge(PAID);
    scenario.apply(to(YEARLY)).charge(PAID).apply(to(TWO_YEARLY)).charge(PAID);
    expect(scenario.chargedCents).toBe(230_000);
    expect(scenario.state).toMatchObject({ periodValueCents: 230_000, creditBalanceCents: 0 });
  });

  it('yearly to monthly to yearly at one instant charge the year once', () => {
    const scenario = new SubscriptionScenario({ plan: YEARLY }).charge(PAID).apply(to(MONTHLY));
    expect(scenario.chargedCents).toBe(120_000);
    expect(scenario.state).toMatchObject({ plan: MONTHLY, openCharge: null, creditBalanceCents: 110_000 });
    scenario.apply(to(YEARLY));
    expect(scenario.chargedCents).toBe(120_000);
    expect(scenario.state).toMatchObject({ plan: YEARLY, openCharge: null, creditBalanceCents: 0 });
    expect(scenario.closed.at(-1)).toMatchObject({
      status: 'paid',
      cycle: { kind: 'interval_change', amountCents: 110_000, creditCents: 110_000, chargeCents: 0 },
    });
  });
});

describe('the credit balance', () => {
  /** A month of a year is used: 120,000 less the month to MIDDLE leaves value for the new month and the balance. */
  const withCredit = () => new SubscriptionScenario({ plan: YEARLY }).charge(PAID).apply(to(MONTHLY), MIDDLE);

  it('has the unused value that exceeds the price of the new period', () => {
    const { state } = withCredit();
    const yearMs = +new Date('2027-01-31T15:00:00Z') - +CREATED_AT;
    const left = +new Date('2027-01-31T15:00:00Z') - +MIDDLE;
    expect(state.creditBalanceCents).toBe(Math.round((120_000 * left) / yearMs) - 10_000);
  });

  it('pays later cycles whole, without a charge, and is used up to the cent', () => {
    const scenario = withCredit();
    const { creditBalanceCents: balance } = scenario.state;
    expect(balance).toBe(105_397);
    const forecast = upcomingCharges(scenario.state, 12);
    expect(forecast.map(({ creditCents, chargeCents }) => [creditCents, chargeCents])).toEqual([
      ...Array.from({ length: 10 }, () => [10_000, 0]),
      [5_397, 4_603],
      [0, 10_000],
    ]);
    scenario.charge(PAID);
    expect(scenario.state).toMatchObject({ creditBalanceCents: 0, cyclesPaid: 12 });
    expect(scenario.chargedCents).toBe(120_000 + 4_603);
    expect(scenario.log.filter((line) => line.endsWith('payment.success'))).toHaveLength(13);
  });

  it('keeps what would leave a charge below the minimum', () => {
    const scenario = new SubscriptionScenario({ plan: { ...DIAMOND, amountCents: 19_950 } }).charge(PAID);
    scenario.apply(to(GOLD)).advanceTo();
    expect(scenario.state).toMatchObject({
      creditBalanceCents: 9_950,
      openCycle: { amountCents: 10_000, creditCents: 9_900, chargeCents: 100 },
    });
    expect(scenario.charge(PAID).state.creditBalanceCents).toBe(50);
  });

  it('is untouched by a declined charge, and stays when the subscription ends', () => {
    const scenario = new SubscriptionScenario({ plan: { ...DIAMOND, amountCents: 15_000 } }).charge(PAID);
    scenario.apply(to(GOLD)).charge(HARD_DECLINE);
    expect(scenario.state).toMatchObject({ status: 'past_due', creditBalanceCents: 5_000 });
    scenario.apply({ kind: 'cancel', atPeriodEnd: false });
    expect(scenario.state).toMatchObject({ status: 'canceled', creditBalanceCents: 5_000 });
  });

  it('pays an upgrade, but not with what an unpaid cycle will use', () => {
    const scenario = new SubscriptionScenario({
      plan: { ...DIAMOND, planId: 'platinum', amountCents: 16_000 },
    }).charge(PAID);
    scenario.apply(to(GOLD)).charge(SOFT_DECLINE).apply(to(DIAMOND));
    expect(scenario.state).toMatchObject({
      openCycle: { creditCents: 6_000, chargeCents: 4_000 },
      openCharge: { cycle: { kind: 'proration', creditCents: 0 } },
    });
  });

  it('never grows by a change that was waived because it cost too little', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const dearer = { ...GOLD, planId: 'dearer', amountCents: GOLD.amountCents + 99 };
    const fiveWeekly = { ...dearer, planId: 'weekly', interval: 'weekly', intervalCount: 5 } as const;
    for (const plan of [dearer, GOLD, dearer, GOLD, fiveWeekly, GOLD, fiveWeekly, GOLD]) {
      scenario.apply(to(plan));
    }
    expect(scenario.state).toMatchObject({ creditBalanceCents: 0, periodValueCents: 10_000 });
    expect(scenario.chargedCents).toBe(10_000);
  });
});

describe('an immediate downgrade', () => {
  it('of a paid period leaves the difference for the rest of the period as credit', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply(to(SILVER), MIDDLE);
    expect(scenario.state).toMatchObject({ plan: SILVER, creditBalanceCents: 3_000 });
    expect(scenario.apply(to(GOLD), MIDDLE).state.creditBalanceCents).toBe(0);
    expect(scenario.chargedCents).toBe(10_000);
  });

  it('of an unpaid period reduces its cycle, because nothing was paid that could become credit', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    const { period } = scenario.state;
    const middle = new Date((+(period?.start ?? 0) + +(period?.end ?? 0)) / 2);
    scenario.apply(to(SILVER), middle);
    expect(scenario.state).toMatchObject({ creditBalanceCents: 0, openCycle: { chargeCents: 7_000 } });
    expect(scenario.charge(PAID).state).toMatchObject({ periodValueCents: 4_000, creditBalanceCents: 0 });
  });
});

describe('a charge that begins after its period has ended', () => {
  const later = new Date('2026-04-20T09:00:00Z');
  const payWith = { kind: 'change_card', card: SECOND_CARD } as const;

  it('buys a part of a period at the price of its length, until the kept billing day', () => {
    // 3.23 for one of the 31 days before 1 February.
    const scenario = new SubscriptionScenario({
      plan: { ...GOLD, amountCents: 10_007 },
      billingDay: 1,
    }).charge(HARD_DECLINE);
    expect(scenario.closed).toEqual([]);
    expect(scenario.state.openCycle).toMatchObject({ chargeCents: 323 });
    scenario.apply(payWith, new Date('2026-02-01T14:00:00Z'));
    expect(scenario.state.openCycle).toMatchObject({ chargeCents: 323 });
    const trial = new SubscriptionScenario({
      plan: { ...GOLD, amountCents: 10_007 },
      billingDay: 1,
      trialDays: 1,
    });
    trial.charge(HARD_DECLINE).apply(payWith, later);
    // 11 of the 30 days from 20 April to 1 May; 1 April is the day before.
    expect(trial.state.openCycle).toMatchObject({ amountCents: 3_669, chargeCents: 3_669 });
    expect(trial.charge(PAID).state.period).toEqual({ start: later, end: new Date('2026-05-01T09:00:00Z') });
  });

  it('costs the dearer plan of an upgrade made shortly before the end of the period', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    const fourMinutesBefore = new Date(+(scenario.state.period?.end ?? 0) - 240_000);
    scenario.apply({ kind: 'change_card', card: CARD }).charge(HARD_DECLINE);
    expect(scenario.state.status).toBe('past_due');
    const running = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    running.apply(to(DIAMOND), fourMinutesBefore);
    expect(running.state).toMatchObject({ plan: DIAMOND, openCharge: null });
    running.apply({ kind: 'retry' }, new Date(+fourMinutesBefore + 300_000));
    expect(running.state.openCycle).toMatchObject({ amountCents: 30_000, chargeCents: 30_000 });
  });

  it('applies a planned downgrade first', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    scenario.apply({ kind: 'change_plan', to: SILVER, immediately: null }).charge(HARD_DECLINE);
    scenario.apply(payWith, later);
    expect(scenario.state).toMatchObject({
      plan: SILVER,
      plannedChange: null,
      openCycle: { number: 2, amountCents: 4_000, chargeCents: 4_000 },
    });
    scenario.charge(PAID);
    expect(scenario.log.slice(-3)).toEqual([
      '2026-04-20 card_changed',
      '2026-04-20 plan_changed',
      '2026-04-20 payment.success',
    ]);
    expect(scenario.state.period).toEqual({ start: later, end: new Date('2026-05-20T09:00:00Z') });
  });

  it('buys a new period with each retry until one is paid', () => {
    const daily = { ...GOLD, interval: 'daily' } as const;
    const scenario = new SubscriptionScenario({ plan: daily }).charge(PAID, SOFT_DECLINE, SOFT_DECLINE);
    const retryAt = scenario.state.openCycle?.nextRetryAt ?? null;
    scenario.charge(PAID);
    expect(scenario.state.period?.start).toEqual(retryAt);
  });

  it('buys a period from its own beginning, although an earlier late charge was declined in the period that it would have bought', () => {
    const scenario = new SubscriptionScenario({ billingDay: 1 }).charge(PAID, HARD_DECLINE);
    // 11 and then 6 of the 30 days before 1 May.
    scenario.apply(payWith, later);
    expect(scenario.state.openCycle).toMatchObject({ chargeCents: 3_667 });
    const again = new Date(+later + 5 * 86_400_000);
    scenario.charge(SOFT_DECLINE).apply({ kind: 'retry' }, again);
    expect(scenario.state.openCycle).toMatchObject({ chargeCents: 2_000 });
    expect(scenario.charge(PAID).state.period).toEqual({
      start: again,
      end: new Date('2026-05-01T09:00:00Z'),
    });
  });

  it('starts its period at the payment, so that the time of the charge is not paid for', () => {
    const scenario = new SubscriptionScenario().charge(PAID, HARD_DECLINE).apply(payWith, later);
    const paidAt = new Date(+later + 90_000);
    expect(scenario.settle(PAID, paidAt).state.period?.start).toEqual(paidAt);
  });

  it('begins when it is processed, so that a worker that was away charges no period that is over', () => {
    const scenario = new SubscriptionScenario({ plan: { ...GOLD, interval: 'daily' } }).charge(PAID);
    const back = new Date('2026-02-05T10:00:00Z');
    scenario.processLate(back);
    expect(scenario.state).toMatchObject({
      cyclesOpened: 2,
      openCycle: { period: { start: back, end: new Date('2026-02-06T10:00:00Z') } },
    });
  });
});

describe('a charge that began in its period', () => {
  it('pays for that period even if its result comes after the end', () => {
    const scenario = new SubscriptionScenario({ plan: { ...GOLD, interval: 'daily' } })
      .charge(PAID)
      .advanceTo();
    const { period } = scenario.state;
    const at = new Date('2026-02-04T15:00:00Z');
    scenario.settle(PAID, at);
    expect(scenario.state.period).toEqual(period);
    scenario.advanceTo();
    expect(scenario.state.openCycle?.period.start).toEqual(at);
  });

  it('for another interval starts that interval when it began', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply(to(YEARLY), MIDDLE);
    scenario.settle(PAID, new Date('2026-02-17T15:00:00Z'));
    expect(scenario.state.period).toEqual({ start: MIDDLE, end: new Date('2027-02-14T15:00:00Z') });
  });
});

describe('events of commands', () => {
  const CANCEL_AT_PERIOD_END = { kind: 'cancel', atPeriodEnd: true } as const;
  const downgrade = { kind: 'change_plan', to: SILVER, immediately: null } as const;

  it('a cancellation at the period’s end suspends a planned downgrade, and revoking it restores the downgrade', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply(downgrade).apply(CANCEL_AT_PERIOD_END);
    scenario.apply({ kind: 'uncancel' });
    expect(scenario.state.plannedChange).toMatchObject({ to: SILVER });
    expect(scenario.charge(PAID).state.plan).toEqual(SILVER);
    expect(scenario.log.slice(3)).toEqual([
      '2026-01-31 plan_changed',
      '2026-01-31 cancel_scheduled',
      '2026-01-31 uncanceled',
      '2026-02-28 plan_changed',
      '2026-02-28 payment.success',
    ]);
  });

  it('a change to the current plan withdraws the planned one and changes nothing else', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const before = scenario.state;
    scenario.apply(downgrade).apply({ ...downgrade, to: GOLD });
    expect(scenario.state).toEqual(before);
    expect(scenario.log.at(-1)).toBe('2026-01-31 plan_change_withdrawn');
  });

  it('another planned change withdraws the first', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply(downgrade);
    scenario.apply({ ...downgrade, to: { ...SILVER, planId: 'bronze', amountCents: 2_000 } });
    expect(scenario.log.slice(-2)).toEqual(['2026-01-31 plan_change_withdrawn', '2026-01-31 plan_changed']);
  });

  it('a declined upgrade publishes one failure that is not final, and its cycle failed', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply(to(DIAMOND)).charge(SOFT_DECLINE);
    expect(scenario.events.at(-1)).toMatchObject({
      type: 'subscription.payment.failed',
      final: false,
      cycle: { kind: 'proration', nextRetryAt: null },
    });
    expect(scenario.closed.at(-1)).toMatchObject({ status: 'failed', cycle: { kind: 'proration' } });
    expect(scenario.state).toMatchObject({ status: 'active', plan: GOLD });
  });

  it('a cancellation at the period’s end takes effect at once when the unpaid period has ended', () => {
    const scenario = new SubscriptionScenario({ plan: { ...GOLD, interval: 'daily' } });
    scenario.charge(PAID, SOFT_DECLINE, SOFT_DECLINE).apply(CANCEL_AT_PERIOD_END).advanceTo('period_ended');
    expect(scenario.log.slice(-2)).toEqual(['2026-02-02 cancel_scheduled', '2026-02-02 canceled']);
  });
});
