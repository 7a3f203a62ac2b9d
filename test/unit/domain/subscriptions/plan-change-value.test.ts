import type { PlanTerms } from '../../../../src/domain/subscriptions/subscription';
import { upcomingCharges } from '../../../../src/domain/subscriptions/upcoming-charges';
import { GOLD, PAID, SOFT_DECLINE, SubscriptionScenario } from './subscription-scenario';

/* What a plan change credits: only value that was paid. */

const SILVER = { ...GOLD, planId: 'silver', amountCents: 4_000 };
const DIAMOND = { ...GOLD, planId: 'diamond', amountCents: 30_000 };
const YEARLY = { ...GOLD, planId: 'yearly', amountCents: 120_000, interval: 'yearly' } as const;

const to = (plan: PlanTerms) => ({ kind: 'change_plan', to: plan, immediately: true }) as const;

describe('an immediate plan change', () => {
  it('to another interval starts the schedule when its charge began, however late the result comes', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const changedAt = new Date('2026-02-14T15:00:00Z');
    const end = new Date('2027-02-14T15:00:00Z');
    // The charge of the change itself is not an upcoming one.
    const [next] = upcomingCharges(scenario.apply(to(YEARLY), changedAt).state, 1);
    expect(next).toMatchObject({ number: 2, dueAt: end });
    scenario.settle(PAID, new Date('2026-02-17T09:00:00Z'));
    expect(scenario.state).toMatchObject({
      schedule: { startsAt: changedAt },
      period: { start: changedAt, end },
    });
    expect(scenario.charge(PAID).state.period).toEqual({ start: end, end: new Date('2028-02-14T15:00:00Z') });
  });

  it('to another interval credits nothing for a period whose cycle is unpaid', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE).apply(to(YEARLY));
    expect(scenario.state.openCharge).toMatchObject({
      cycle: { amountCents: 120_000, chargeCents: 120_000 },
    });
    scenario.charge(PAID);
    expect(scenario.state).toMatchObject({ creditBalanceCents: 0, openCycle: null });
  });

  it('to a cheaper plan after a paid upgrade of an unpaid period credits only what was paid', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    scenario.apply(to(DIAMOND)).charge(PAID);
    expect(scenario.chargedCents).toBe(30_000);
    scenario.apply(to(SILVER));
    // 20,000 was paid for the second period, which costs 4,000.
    expect(scenario.state).toMatchObject({ creditBalanceCents: 16_000, openCycle: null });
    expect(scenario.closed.at(-1)).toMatchObject({
      cycle: { kind: 'regular', amountCents: 0, chargeCents: 0 },
    });
  });

  it('to a cheaper plan reduces an unpaid cycle by no more than its discounted price, and credits the rest', () => {
    const coupon = {
      discount: { discountType: 'percentage', discountValue: 50, maxCycles: null },
      cyclesUsed: 0,
    } as const;
    const scenario = new SubscriptionScenario({ coupon }).charge(PAID, SOFT_DECLINE);
    scenario.apply(to(DIAMOND)).charge(PAID).apply(to(SILVER));
    // 10,000 was paid for the second period, which costs 2,000.
    expect(scenario.state).toMatchObject({ creditBalanceCents: 8_000, openCycle: null });
  });

  it('after the end of an unpaid period costs and credits nothing, and the next try charges the new price', () => {
    const weekly = { ...GOLD, interval: 'weekly' } as const;
    for (const plan of [SILVER, DIAMOND]) {
      const scenario = new SubscriptionScenario({ plan: weekly });
      scenario.charge(PAID, SOFT_DECLINE, SOFT_DECLINE, SOFT_DECLINE);
      const later = new Date(+(scenario.state.period?.end ?? 0) + 3_600_000);
      scenario.apply(to({ ...plan, interval: 'weekly' }), later);
      expect(scenario.state).toMatchObject({ openCharge: null, creditBalanceCents: 0 });
      scenario.charge(PAID);
      const charged = scenario.closed.map(({ cycle }) => [cycle.kind, cycle.chargeCents]);
      expect(charged).toEqual([
        ['regular', 10_000],
        ['regular', plan.amountCents],
      ]);
    }
  });

  it('to another interval after a paid upgrade of an unpaid period credits only what was paid', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    scenario.apply(to(DIAMOND)).charge(PAID).apply(to(YEARLY));
    // 20,000 was paid for the second period, none of which is over.
    expect(scenario.state.openCharge).toMatchObject({ cycle: { amountCents: 100_000 } });
  });

  it('of a period that the coupon did not discount any more costs the whole difference', () => {
    const coupon = {
      discount: { discountType: 'percentage', discountValue: 50, maxCycles: 1 },
      cyclesUsed: 0,
    } as const;
    const scenario = new SubscriptionScenario({ coupon }).charge(PAID, PAID);
    expect(scenario.chargedCents).toBe(15_000);
    scenario.apply(to(DIAMOND));
    expect(scenario.state.openCharge).toMatchObject({ cycle: { amountCents: 20_000, chargeCents: 20_000 } });
  });
});

describe('the cost of a plan change with a coupon', () => {
  const half = (maxCycles: number | null) =>
    ({ discount: { discountType: 'percentage', discountValue: 50, maxCycles }, cyclesUsed: 0 }) as const;

  it('before an unpaid period is paid discounts the new price as that period will be', () => {
    const scenario = new SubscriptionScenario({ coupon: half(null) }).charge(PAID, SOFT_DECLINE);
    scenario.apply(to(DIAMOND));
    expect(scenario.state.openCharge).toMatchObject({ cycle: { amountCents: 10_000, chargeCents: 10_000 } });
  });

  it('is 0 before and after discount if unused value pays the whole new period', () => {
    const coupon = half(null);
    const scenario = new SubscriptionScenario({ plan: YEARLY, coupon }).charge(PAID);
    scenario.apply(to(GOLD));
    expect(scenario.closed.at(-1)).toMatchObject({
      status: 'paid',
      cycle: { amountCents: 0, discountCents: 0, creditCents: 0, chargeCents: 0 },
    });
    expect(scenario.state).toMatchObject({ creditBalanceCents: 55_000, periodDiscounted: true });
  });

  it('that is used up does not discount the new period, nor a later change within it', () => {
    const scenario = new SubscriptionScenario({ coupon: half(1) }).charge(PAID);
    scenario.apply(to(YEARLY)).charge(PAID);
    expect(scenario.state).toMatchObject({ periodDiscounted: false, periodValueCents: 120_000 });
    const dearer = { ...YEARLY, planId: 'dearer', amountCents: 200_000 };
    scenario.apply({ kind: 'change_plan', to: dearer, immediately: true });
    expect(scenario.state.openCharge).toMatchObject({ cycle: { amountCents: 80_000 } });
  });
});

describe('the cycle of an upgrade', () => {
  it('is for the rest of the current period', () => {
    const middle = new Date('2026-02-14T15:00:00Z');
    const scenario = new SubscriptionScenario().charge(PAID);
    scenario.apply(to(DIAMOND), middle);
    expect(scenario.state.openCharge).toMatchObject({
      cycle: { kind: 'proration', period: { start: middle, end: scenario.state.period?.end } },
    });
  });
});
