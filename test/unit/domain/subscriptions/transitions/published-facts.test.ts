import { nextDue } from '../../../../../src/domain/subscriptions/subscription-due';
import type { SubscriptionEvent } from '../../../../../src/domain/subscriptions/subscription';
import { CARD, GOLD, HARD_DECLINE, PAID, SOFT_DECLINE, SubscriptionScenario } from '../subscription-scenario';

/* What events say, besides that they are published. */

const SILVER = { ...GOLD, planId: 'silver', amountCents: 4_000 };
const DIAMOND = { ...GOLD, planId: 'diamond', amountCents: 30_000 };
const YEARLY = { ...GOLD, planId: 'yearly', amountCents: 120_000, interval: 'yearly' } as const;
const BY_REQUEST = { kind: 'declined', decline: { retry: 'by_request', waitMs: 0 } } as const;

const change = (to: typeof GOLD | typeof SILVER | typeof YEARLY, immediately: boolean | null = null) =>
  ({ kind: 'change_plan', to, immediately }) as const;

function published<T extends SubscriptionEvent['type']>({ events }: SubscriptionScenario, type: T) {
  return events.filter((event): event is SubscriptionEvent & { readonly type: T } => event.type === type);
}

describe('subscription.payment.failed', () => {
  it('is final for the refusal that ends the retries and for each later one, and not for one that can still be retried', () => {
    const finals = (scenario: SubscriptionScenario) =>
      published(scenario, 'subscription.payment.failed').map(({ final }) => final);
    expect(finals(new SubscriptionScenario().charge(SOFT_DECLINE))).toEqual([false]);
    expect(finals(new SubscriptionScenario().charge(PAID, SOFT_DECLINE))).toEqual([false]);
    const pastDue = new SubscriptionScenario().charge(PAID, BY_REQUEST);
    expect(finals(pastDue.apply({ kind: 'retry' }).charge(SOFT_DECLINE))).toEqual([true, true]);
    const upgrade = new SubscriptionScenario().charge(PAID).apply(change(DIAMOND)).charge(HARD_DECLINE);
    expect(finals(upgrade)).toEqual([false]);
  });
});

describe('subscription.plan_changed', () => {
  it('tells a planned change from its execution, and both from an immediate one', () => {
    const planned = new SubscriptionScenario().charge(PAID).apply(change(SILVER)).charge(PAID);
    expect(published(planned, 'subscription.plan_changed')).toMatchObject([
      { newPlanId: 'silver', changeType: 'downgrade', immediately: false, executed: false },
      { newPlanId: 'silver', changeType: 'downgrade', immediately: false, executed: true },
    ]);
    const immediate = new SubscriptionScenario().charge(PAID).apply(change(DIAMOND)).charge(PAID);
    expect(published(immediate, 'subscription.plan_changed')).toMatchObject([
      { newPlanId: 'diamond', changeType: 'upgrade', immediately: true, executed: true },
    ]);
  });

  it('is immediate during a trial, to a dearer plan and to another interval too, and the trial goes on', () => {
    for (const plan of [DIAMOND, YEARLY]) {
      const scenario = new SubscriptionScenario({ trialDays: 7 });
      const { trial } = scenario.state;
      scenario.apply(change(plan));
      expect(scenario.state).toMatchObject({ status: 'trialing', plan, period: trial, openCharge: null });
      expect(published(scenario, 'subscription.plan_changed')).toMatchObject([
        { newPlanId: plan.planId, immediately: true, executed: true },
      ]);
      scenario.charge(PAID);
      expect(scenario.closed).toMatchObject([{ cycle: { chargeCents: plan.amountCents } }]);
      expect(scenario.state.period?.end).toEqual(
        new Date(plan === YEARLY ? '2027-02-07T15:00:00Z' : '2026-03-07T15:00:00Z'),
      );
    }
  });

  it('that replaces an unpaid cycle closes it as failed, and activates nothing that was active', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    scenario.apply(change(YEARLY)).charge(PAID);
    expect(scenario.closed.slice(1)).toMatchObject([
      { status: 'failed', cycle: { kind: 'regular', number: 2 }, change: null },
      { status: 'paid', cycle: { kind: 'interval_change' }, change: { to: YEARLY } },
    ]);
    expect(published(scenario, 'subscription.activated')).toHaveLength(1);
    const twice = new SubscriptionScenario().charge(PAID).apply(change(YEARLY)).charge(PAID);
    expect(twice.closed.map(({ status }) => status)).toEqual(['paid', 'paid']);
  });
});

describe('a canceled subscription', () => {
  it('says whether it ended with its period', () => {
    const now = new SubscriptionScenario().charge(PAID).apply({ kind: 'cancel', atPeriodEnd: false });
    expect(published(now, 'subscription.canceled')).toMatchObject([{ atPeriodEnd: false }]);
    const atEnd = new SubscriptionScenario().charge(PAID).apply({ kind: 'cancel', atPeriodEnd: true });
    expect(published(atEnd.advanceTo('period_ended'), 'subscription.canceled')).toMatchObject([
      { atPeriodEnd: true },
    ]);
  });

  it('has nothing due any more, also in the middle of its trial', () => {
    const scenario = new SubscriptionScenario({ trialDays: 7 });
    expect(nextDue(scenario.apply({ kind: 'cancel', atPeriodEnd: false }).state)).toBeNull();
  });

  it('gives its coupon back unless a cycle was ever paid, and nothing else does', () => {
    const coupon = {
      discount: { discountType: 'fixed', discountValue: 100, maxCycles: null },
      cyclesUsed: 0,
    } as const;
    const cancel = { kind: 'cancel', atPeriodEnd: false } as const;
    const releases = (scenario: SubscriptionScenario) => scenario.apply(cancel).releasedCoupons;
    expect(releases(new SubscriptionScenario({ coupon, trialDays: 7 }))).toBe(1);
    expect(releases(new SubscriptionScenario({ coupon }).charge(SOFT_DECLINE))).toBe(1);
    expect(releases(new SubscriptionScenario({ coupon }).charge(PAID))).toBe(0);
    expect(releases(new SubscriptionScenario({ trialDays: 7 }))).toBe(0);
    expect(new SubscriptionScenario({ coupon }).charge(PAID, SOFT_DECLINE, PAID).releasedCoupons).toBe(0);
  });
});

describe('a cancellation at the end of the period', () => {
  const atEnd = { kind: 'cancel', atPeriodEnd: true } as const;

  it('is announced once, with the time at which it takes effect', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply(atEnd).apply(atEnd);
    expect(published(scenario, 'subscription.cancel_scheduled')).toEqual([
      { type: 'subscription.cancel_scheduled', cancelAt: scenario.state.period?.end },
    ]);
  });

  it('is refused where no period renews: before the first payment, past due and while paused', () => {
    expect(new SubscriptionScenario().charge(SOFT_DECLINE).refusalReason(atEnd)).toBe(
      'the subscription is pending',
    );
    expect(new SubscriptionScenario().charge(PAID, HARD_DECLINE).refusalReason(atEnd)).toBe(
      'the subscription is past_due',
    );
    const paused = new SubscriptionScenario().charge(PAID).apply({ kind: 'pause', until: null });
    expect(paused.refusalReason(atEnd)).toBe('the subscription is paused');
  });
});

describe('a new card', () => {
  it('is announced when it expires too', () => {
    const expiring = { ...CARD, expireMonth: 4, expireYear: 2026 };
    const scenario = new SubscriptionScenario({ card: expiring }).charge(PAID, PAID, PAID);
    scenario.advanceTo('card_expiring');
    scenario.apply({ kind: 'change_card', card: { ...expiring, fingerprint: 'second', expireMonth: 6 } });
    expect(scenario.state.cardExpiringNotified).toBe(false);
    scenario.charge(PAID, PAID, PAID);
    expect(published(scenario, 'subscription.card_expiring')).toHaveLength(2);
  });

  it('of a paused subscription with an unpaid cycle is charged only after the resume', () => {
    const scenario = new SubscriptionScenario().charge(PAID, HARD_DECLINE);
    expect(scenario.state.openCycle?.irreversible).toBe(true);
    const unpaid = new SubscriptionScenario()
      .charge(PAID, SOFT_DECLINE)
      .apply({ kind: 'pause', until: null });
    const card = { ...CARD, fingerprint: 'second' };
    unpaid.apply({ kind: 'change_card', card });
    expect(unpaid.state).toMatchObject({
      status: 'paused',
      card,
      openCharge: null,
      openCycle: { number: 2, chargeCents: 10_000, irreversible: false },
    });
  });
});
