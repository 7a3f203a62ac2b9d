import { upcomingCharges } from '../../../../src/domain/subscriptions/upcoming-charges';
import {
  CREATED_AT,
  CARD,
  GOLD,
  SubscriptionScenario,
  PAID,
  SOFT_DECLINE,
  HARD_DECLINE,
} from './subscription-scenario';

const CANCEL_NOW = { kind: 'cancel', atPeriodEnd: false } as const;
const CANCEL_AT_PERIOD_END = { kind: 'cancel', atPeriodEnd: true } as const;
const SILVER = { ...GOLD, planId: 'silver', amountCents: 4_000 };
const DIAMOND = { ...GOLD, planId: 'diamond', amountCents: 30_000 };
const YEARLY = { ...GOLD, planId: 'yearly', amountCents: 120_000, interval: 'yearly' } as const;

describe('a subscription without a trial', () => {
  it('is charged immediately and then on the anchor’s day of each month', () => {
    expect(new SubscriptionScenario().charge(PAID, PAID, PAID).log).toEqual([
      '2026-01-31 created',
      '2026-01-31 payment.success',
      '2026-01-31 activated',
      '2026-02-28 payment.success',
      '2026-03-31 payment.success',
    ]);
  });

  it('is canceled 23 hours after a declined first charge that nobody paid', () => {
    const scenario = new SubscriptionScenario().charge(SOFT_DECLINE);
    expect(scenario.state.status).toBe('pending');
    expect(scenario.advanceTo('initial_payment_expired').log).toEqual([
      '2026-01-31 created',
      '2026-01-31 payment.failed',
      '2026-02-01 canceled',
    ]);
    expect(scenario.state.cancelReason).toBe('payment_failed');
  });

  it('charges a new card immediately after a declined first charge', () => {
    const scenario = new SubscriptionScenario().charge(HARD_DECLINE);
    expect(scenario.refusalReason({ kind: 'retry' })).toContain('must not be charged again');
    scenario.apply({ kind: 'change_card', card: { ...CARD, fingerprint: 'second' } }).charge(PAID);
    expect(scenario.state.status).toBe('active');
    expect(scenario.log.slice(-2)).toEqual(['2026-01-31 payment.success', '2026-01-31 activated']);
  });

  it('prorates the first period if it does not start on the billing day', () => {
    const scenario = new SubscriptionScenario({ billingDay: 10 });
    expect(scenario.state.openCycle).toMatchObject({ amountCents: 3_226, chargeCents: 3_226 });
    scenario.charge(PAID).advanceTo();
    expect(scenario.state.openCycle).toMatchObject({
      amountCents: 10_000,
      dueAt: new Date('2026-02-10T15:00:00Z'),
    });
  });
});

describe('a trial', () => {
  it('publishes trial_ending three days before its end and is then charged', () => {
    expect(new SubscriptionScenario({ trialDays: 7 }).charge(PAID).log).toEqual([
      '2026-01-31 created',
      '2026-01-31 trial_started',
      '2026-02-04 trial_ending',
      '2026-02-07 payment.success',
      '2026-02-07 activated',
    ]);
  });

  it('publishes trial_ending one day before its end if it is shorter than three days', () => {
    expect(new SubscriptionScenario({ trialDays: 2 }).advanceTo('trial_ending').log).toContain(
      '2026-02-01 trial_ending',
    );
  });

  it('allows an immediate and free plan change', () => {
    const scenario = new SubscriptionScenario({ trialDays: 7 })
      .apply({ kind: 'change_plan', to: SILVER, immediately: null })
      .advanceTo();
    expect(scenario.state.openCycle).toMatchObject({ chargeCents: 4_000 });
  });

  it('cannot be paused, and canceled at its end it is never charged', () => {
    const scenario = new SubscriptionScenario({ trialDays: 7 });
    expect(scenario.refusalReason({ kind: 'pause', until: null })).toBe('the subscription is trialing');
    scenario.apply(CANCEL_AT_PERIOD_END).advanceTo('period_ended');
    expect(scenario.log.at(-1)).toBe('2026-02-07 canceled');
    expect(scenario.state.cyclesOpened).toBe(0);
  });
});

describe('a declined renewal', () => {
  it('is retried after 1, 4, 9 and 16 days, then the subscription is past due and canceled after 90 days', () => {
    const scenario = new SubscriptionScenario().charge(
      PAID,
      SOFT_DECLINE,
      SOFT_DECLINE,
      SOFT_DECLINE,
      SOFT_DECLINE,
      SOFT_DECLINE,
    );
    expect(scenario.state.status).toBe('past_due');
    scenario.advanceTo('past_due_expired');
    expect(scenario.log.slice(3)).toEqual([
      '2026-02-28 payment.failed',
      '2026-02-28 payment.retry',
      '2026-03-01 payment.failed',
      '2026-03-01 payment.retry',
      '2026-03-04 payment.failed',
      '2026-03-04 payment.retry',
      '2026-03-09 payment.failed',
      '2026-03-09 payment.retry',
      '2026-03-16 payment.failed',
      '2026-03-16 past_due',
      '2026-06-14 canceled',
    ]);
  });

  it('makes the subscription past due immediately if the decline is irreversible', () => {
    const scenario = new SubscriptionScenario().charge(PAID, HARD_DECLINE);
    expect(scenario.log.slice(3)).toEqual(['2026-02-28 payment.failed', '2026-02-28 past_due']);
  });

  it('that may be retried by request is not retried automatically, but can be retried on request', () => {
    const decline = { retry: 'by_request', waitMs: 0 } as const;
    const scenario = new SubscriptionScenario().charge(PAID, { kind: 'declined', decline });
    expect(scenario.log.slice(3)).toEqual(['2026-02-28 payment.failed', '2026-02-28 past_due']);
    scenario.apply({ kind: 'retry' }).charge(PAID);
    expect(scenario.state.status).toBe('active');
  });

  it('that is irreversible cannot be retried with the same card, but with a renewed one', () => {
    const scenario = new SubscriptionScenario().charge(PAID, HARD_DECLINE);
    expect(scenario.refusalReason({ kind: 'change_card', card: CARD })).toContain(
      'must not be charged again',
    );
    const renewed = { ...CARD, expireYear: CARD.expireYear + 4 };
    expect(scenario.apply({ kind: 'change_card', card: renewed }).state.openCharge).toEqual({
      kind: 'cycle',
    });
  });

  it('keeps the billing dates if a retry is paid', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE, PAID).advanceTo();
    expect(scenario.state.openCycle?.dueAt).toEqual(new Date('2026-03-31T15:00:00Z'));
  });

  it('starts a full new period if it is paid after its period ended', () => {
    const scenario = new SubscriptionScenario().charge(PAID, HARD_DECLINE);
    const later = new Date('2026-04-20T09:00:00Z');
    scenario.apply({ kind: 'change_card', card: { ...CARD, fingerprint: 'second' } }, later).charge(PAID);
    expect(scenario.state).toMatchObject({
      status: 'active',
      period: { start: later, end: new Date('2026-05-20T09:00:00Z') },
    });
  });

  it('opens no other cycle while it is unpaid, not even with a daily plan', () => {
    const scenario = new SubscriptionScenario({ plan: { ...GOLD, interval: 'daily' } }).charge(
      PAID,
      SOFT_DECLINE,
      SOFT_DECLINE,
      SOFT_DECLINE,
    );
    expect(scenario.state).toMatchObject({ cyclesOpened: 2, openCycle: { number: 2, retryCount: 2 } });
  });
});

describe('a pause', () => {
  it('that ends exactly at a requested cancellation opens no new period', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply(CANCEL_AT_PERIOD_END);
    scenario.apply({ kind: 'pause', until: scenario.state.period?.end ?? null }).advanceTo('period_ended');
    expect(scenario.state).toMatchObject({ status: 'canceled', cancelReason: 'period_end', cyclesOpened: 1 });
  });

  const until = new Date('2026-02-10T15:00:00Z');

  it('within the paid period keeps the next billing date', () => {
    const scenario = new SubscriptionScenario()
      .charge(PAID)
      .apply({ kind: 'pause', until })
      .advanceTo('pause_ended')
      .advanceTo();
    expect(scenario.state.openCycle?.dueAt).toEqual(new Date('2026-02-28T15:00:00Z'));
  });

  it('beyond the paid period charges a new period when it ends and nothing for the pause', () => {
    const late = new Date('2026-06-15T15:00:00Z');
    const scenario = new SubscriptionScenario()
      .charge(PAID)
      .apply({ kind: 'pause', until: late })
      .charge(PAID);
    expect(scenario.log.slice(3)).toEqual([
      '2026-01-31 paused',
      '2026-06-15 resumed',
      '2026-06-15 payment.success',
    ]);
    expect(scenario.state.period).toEqual({ start: late, end: new Date('2026-07-15T15:00:00Z') });
  });

  it('beyond the paid period applies the planned plan change when it ends', () => {
    const late = new Date('2026-06-15T15:00:00Z');
    const scenario = new SubscriptionScenario()
      .charge(PAID)
      .apply({ kind: 'change_plan', to: SILVER, immediately: null })
      .apply({ kind: 'pause', until: late });
    expect(upcomingCharges(scenario.state, 1)).toMatchObject([
      { chargeCents: SILVER.amountCents, dueAt: late },
    ]);
    expect(scenario.charge(PAID).log.slice(-3)).toEqual([
      '2026-06-15 resumed',
      '2026-06-15 plan_changed',
      '2026-06-15 payment.success',
    ]);
    expect(scenario.state).toMatchObject({
      plan: SILVER,
      periodValueCents: SILVER.amountCents,
      plannedChange: null,
    });
  });

  it('postpones dunning by its length', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    const paused = scenario.state.lastTransitionAt;
    scenario.apply({ kind: 'pause', until: null });
    scenario
      .apply({ kind: 'resume' }, new Date(+paused + 10 * 86_400_000))
      .charge(SOFT_DECLINE, SOFT_DECLINE);
    expect(scenario.log.slice(-4)).toEqual([
      '2026-03-11 payment.failed',
      '2026-03-11 payment.retry',
      '2026-03-14 payment.failed',
      '2026-03-14 payment.retry',
    ]);
  });

  it('does not prevent a requested cancellation at the period’s end', () => {
    const scenario = new SubscriptionScenario()
      .charge(PAID)
      .apply(CANCEL_AT_PERIOD_END)
      .apply({ kind: 'pause', until: null });
    expect(scenario.advanceTo('period_ended').log.at(-1)).toBe('2026-02-28 canceled');
  });
});

describe('a cancellation', () => {
  it('takes effect immediately and cannot be repeated', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply(CANCEL_NOW);
    expect(scenario.state).toMatchObject({ status: 'canceled', cancelReason: 'requested' });
    expect(scenario.refusalReason(CANCEL_NOW)).toBe('the subscription is canceled');
  });

  it('at the period’s end can be revoked', () => {
    const scenario = new SubscriptionScenario()
      .charge(PAID)
      .apply(CANCEL_AT_PERIOD_END)
      .apply({ kind: 'uncancel' })
      .charge(PAID);
    expect(scenario.state.status).toBe('active');
    expect(scenario.refusalReason({ kind: 'uncancel' })).toContain('no cancellation is scheduled');
  });
});

describe('a plan change', () => {
  it('to a dearer plan costs the prorated difference and keeps the billing dates', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const middle = new Date('2026-02-14T15:00:00Z');
    scenario.apply({ kind: 'change_plan', to: DIAMOND, immediately: null }, middle);
    expect(scenario.state.openCharge).toMatchObject({ kind: 'plan_change', cycle: { chargeCents: 10_000 } });
    expect(scenario.charge(PAID).advanceTo().state.openCycle).toMatchObject({
      chargeCents: 30_000,
      dueAt: new Date('2026-02-28T15:00:00Z'),
    });
  });

  it('changes nothing if its charge is declined', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const before = scenario.state;
    scenario.apply({ kind: 'change_plan', to: DIAMOND, immediately: null }).charge(SOFT_DECLINE);
    expect(scenario.state).toEqual(before);
  });

  it('to a cheaper plan takes effect at the end of the period', () => {
    const scenario = new SubscriptionScenario()
      .charge(PAID)
      .apply({ kind: 'change_plan', to: SILVER, immediately: null })
      .charge(PAID);
    expect(scenario.log.slice(3)).toEqual([
      '2026-01-31 plan_changed',
      '2026-02-28 plan_changed',
      '2026-02-28 payment.success',
    ]);
    expect(scenario.state).toMatchObject({ plan: SILVER, periodValueCents: 4_000, plannedChange: null });
  });

  it('reprices an unpaid cycle whose period has ended when it is charged again', () => {
    const daily = { ...GOLD, interval: 'daily' } as const;
    const scenario = new SubscriptionScenario({ plan: daily }).charge(PAID, SOFT_DECLINE, SOFT_DECLINE);
    scenario.apply({
      kind: 'change_plan',
      to: { ...daily, planId: 'dear', amountCents: 50_000 },
      immediately: null,
    });
    expect(scenario.advanceTo().state.openCycle).toMatchObject({
      amountCents: 50_000,
      chargeCents: 50_000,
      retryCount: 1,
    });
    expect(scenario.charge(PAID).state).toMatchObject({ status: 'active', periodValueCents: 50_000 });
  });

  it('before an unpaid cycle is paid counts both charges as the value of the period', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    scenario.apply({ kind: 'change_plan', to: DIAMOND, immediately: null }).charge(PAID, PAID);
    expect(scenario.state).toMatchObject({ status: 'active', periodValueCents: 30_000 });
  });

  it('that replaces the first cycle after a trial activates the subscription', () => {
    const scenario = new SubscriptionScenario({ trialDays: 7 }).charge(SOFT_DECLINE);
    scenario.apply({ kind: 'change_plan', to: YEARLY, immediately: null }).charge(PAID);
    expect(scenario.state).toMatchObject({ status: 'active', cyclesPaid: 1, openCycle: null });
    expect(scenario.log.slice(-2)).toEqual(['2026-02-07 plan_changed', '2026-02-07 activated']);
  });

  it('to another interval starts a new period immediately, with a credit for the rest of the old one', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const middle = new Date('2026-02-14T15:00:00Z');
    scenario.apply({ kind: 'change_plan', to: YEARLY, immediately: null }, middle).charge(PAID);
    expect(scenario.state).toMatchObject({
      plan: YEARLY,
      periodValueCents: 120_000,
      period: { start: middle, end: new Date('2027-02-14T15:00:00Z') },
    });
  });
});

describe('the credit for the rest of a period when the plan changes', () => {
  const once = {
    discount: { discountType: 'percentage', discountValue: 50, maxCycles: 1 },
    cyclesUsed: 0,
  } as const;
  const middle = new Date('2026-02-14T15:00:00Z');
  const yearly = { kind: 'change_plan', to: YEARLY, immediately: true } as const;

  it('is based on the paid amount, not on the price without the used-up coupon', () => {
    const scenario = new SubscriptionScenario({ coupon: once }).charge(PAID).apply(yearly, middle);
    expect(scenario.state.openCharge).toMatchObject({ cycle: { chargeCents: 120_000 - 2_500 } });
  });

  it('is based on the dearer price after a paid upgrade', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    scenario
      .apply({ kind: 'change_plan', to: DIAMOND, immediately: null }, middle)
      .charge(PAID)
      .apply(yearly, middle);
    expect(scenario.state.openCharge).toMatchObject({ cycle: { chargeCents: 120_000 - 15_000 } });
  });

  it('is based on the cheaper price after an immediate downgrade, whose difference is credit', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    scenario.apply({ kind: 'change_plan', to: SILVER, immediately: true }, middle).apply(yearly, middle);
    expect(scenario.state.openCharge).toMatchObject({
      cycle: { amountCents: 120_000 - 2_000, creditCents: 3_000, chargeCents: 120_000 - 5_000 },
    });
  });

  it('is prorated if the first period is short', () => {
    const scenario = new SubscriptionScenario({ billingDay: 15 }).charge(PAID);
    // 15 of the 31 days from 15 January to 15 February were paid for: 4,839 of 10,000.
    expect(scenario.state.periodValueCents).toBe(4_839);
    scenario.apply({ kind: 'change_plan', to: DIAMOND, immediately: null });
    expect(scenario.state.openCharge).toMatchObject({
      cycle: { chargeCents: Math.round((20_000 * 15) / 31) },
    });
    expect(scenario.charge(PAID).state.periodValueCents).toBe(14_516);
  });
});

describe('a coupon', () => {
  const coupon = {
    discount: { discountType: 'percentage', discountValue: 50, maxCycles: 2 },
    cyclesUsed: 0,
  } as const;

  it('is used up by paid cycles only', () => {
    const scenario = new SubscriptionScenario({ coupon }).charge(PAID, SOFT_DECLINE, PAID).advanceTo();
    expect(scenario.state.openCycle).toMatchObject({ discountCents: 0, chargeCents: 10_000 });
  });

  it('discounts both prices of an upgrade in the last cycle it applies to', () => {
    const once = { ...coupon, discount: { ...coupon.discount, maxCycles: 1 } };
    const scenario = new SubscriptionScenario({ coupon: once }).charge(PAID);
    scenario.apply({
      kind: 'change_plan',
      to: { ...GOLD, planId: 'twice', amountCents: 20_000 },
      immediately: null,
    });
    expect(scenario.state.openCharge).toMatchObject({ cycle: { chargeCents: 5_000 } });
    scenario.charge(PAID).advanceTo();
    expect(scenario.state.openCycle).toMatchObject({ discountCents: 0, chargeCents: 20_000 });
  });

  it('discounts a plan change that starts a new period, which does not count as a cycle', () => {
    const scenario = new SubscriptionScenario({ coupon }).charge(PAID);
    scenario.apply({ kind: 'change_plan', to: YEARLY, immediately: null });
    expect(scenario.state.openCharge).toMatchObject({
      cycle: { discountCents: 60_000, chargeCents: 55_000 },
    });
    expect(scenario.charge(PAID).state.coupon).toMatchObject({ cyclesUsed: 1 });
  });

  it('of 100 percent closes the cycle as paid without a charge', () => {
    const free = { ...coupon, discount: { ...coupon.discount, discountValue: 100 } };
    const scenario = new SubscriptionScenario({ coupon: free });
    expect(scenario.state).toMatchObject({ status: 'active', openCharge: null, cyclesPaid: 1 });
    expect(scenario.log).toEqual([
      '2026-01-31 created',
      '2026-01-31 payment.success',
      '2026-01-31 activated',
    ]);
  });
});

describe('the upcoming charges', () => {
  it('equal the later charges, including plan changes, coupons and month ends', () => {
    const discount = { discountType: 'fixed', discountValue: 500, maxCycles: 3 } as const;
    const scenario = new SubscriptionScenario({ coupon: { discount, cyclesUsed: 0 }, billingDay: 15 }).charge(
      PAID,
    );
    scenario.apply({ kind: 'change_plan', to: SILVER, immediately: null });
    const expected = upcomingCharges(scenario.state, 6);
    const actual = expected.map(() => {
      const cycle = scenario.advanceTo().state.openCycle;
      scenario.charge(PAID);
      return cycle;
    });
    expect(expected).toEqual(actual);
    expect(expected.map(({ chargeCents }) => chargeCents)).toEqual([
      3_500, 3_500, 4_000, 4_000, 4_000, 4_000,
    ]);
  });

  it('start with the retry of the unpaid cycle, and are none if the subscription will be canceled', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    expect(
      upcomingCharges(scenario.state, 2).map(({ number, dueAt }) => [
        number,
        dueAt.toISOString().slice(0, 10),
      ]),
    ).toEqual([
      [2, '2026-03-01'],
      [3, '2026-03-31'],
    ]);
    expect(upcomingCharges(scenario.apply(CANCEL_AT_PERIOD_END).charge(PAID).state, 2)).toEqual([]);
  });
});

it('card_expiring is published once, thirty days before the card expires', () => {
  const scenario = new SubscriptionScenario({ card: { ...CARD, expireMonth: 4, expireYear: 2026 } }).charge(
    PAID,
    PAID,
    PAID,
    PAID,
  );
  expect(scenario.log.filter((line) => line.endsWith('card_expiring'))).toEqual(['2026-04-01 card_expiring']);
  expect(CREATED_AT).toEqual(scenario.state.createdAt);
});
