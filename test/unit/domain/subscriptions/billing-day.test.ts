import type { PlanTerms } from '../../../../src/domain/subscriptions/subscription';
import { nextDue } from '../../../../src/domain/subscriptions/subscription-due';
import { cancel } from '../../../../src/domain/subscriptions/subscription-lifecycle';
import { upcomingCharges } from '../../../../src/domain/subscriptions/upcoming-charges';
import {
  CARD,
  CREATED_AT,
  GOLD,
  HARD_DECLINE,
  PAID,
  SOFT_DECLINE,
  SubscriptionScenario,
  UNANSWERED,
} from './subscription-scenario';

/* The day of the month on which a subscription is charged after changes of its schedule, and how unpaid cycles end. */

const DAY_MS = 86_400_000;
const QUARTERLY = { ...GOLD, planId: 'quarterly', amountCents: 27_000, intervalCount: 3 };
const NEW_CARD = { kind: 'change_card', card: { ...CARD, fingerprint: 'second' } } as const;
const to = (plan: PlanTerms, immediately: boolean) =>
  ({ kind: 'change_plan', to: plan, immediately }) as const;

const daysOf = (scenario: SubscriptionScenario): string[] =>
  upcomingCharges(scenario.state, 3).map(({ dueAt }) => dueAt.toISOString().slice(5, 10));

describe('the billing day', () => {
  it('that was requested is kept when a planned change starts another interval in a shorter month', () => {
    const scenario = new SubscriptionScenario({ billingDay: 31 }).charge(PAID);
    scenario.apply(to(QUARTERLY, false)).charge(PAID);
    expect(scenario.closed.at(-1)?.cycle).toMatchObject({ dueAt: new Date('2026-02-28T15:00:00Z') });
    expect(daysOf(scenario)).toEqual(['05-31', '08-31', '11-30']);
  });

  describe('that was requested, after an immediate change of interval set another one', () => {
    const CHANGED_AT = new Date('2026-02-14T15:00:00Z');
    const changed = () =>
      new SubscriptionScenario({ billingDay: 10 })
        .charge(PAID)
        .apply(to(QUARTERLY, true), CHANGED_AT)
        .charge(PAID);

    it('does not return with a renewal in time', () => {
      expect(daysOf(changed())).toEqual(['05-14', '08-14', '11-14']);
    });

    it('returns with a renewal that begins after its period', () => {
      const scenario = changed();
      scenario.processLate(new Date('2026-09-25T15:00:00Z'));
      expect(scenario.state.period?.end).toEqual(new Date('2026-10-10T15:00:00Z'));
      // The period before the first billing day is from 10 July to 10 October: 92 days, of which 15 are left.
      expect(scenario.state.openCycle?.chargeCents).toBe(Math.round((27_000 * 15) / 92));
    });

    it('returns with a new card that pays after the period', () => {
      const scenario = changed().charge(HARD_DECLINE);
      scenario.apply(NEW_CARD, new Date('2026-09-25T15:00:00Z')).charge(PAID);
      expect(daysOf(scenario)[0]).toBe('10-10');
    });
  });
});

describe('a late charge whose outcome was unknown for longer than the period that it bought', () => {
  it('pays for the period from its beginning, and the next one is charged at once', () => {
    const weekly = { ...GOLD, interval: 'weekly' } as const;
    const scenario = new SubscriptionScenario({ plan: weekly }).charge(PAID, HARD_DECLINE);
    const begun = new Date(+(scenario.state.period?.end ?? CREATED_AT) + DAY_MS);
    const paidAt = new Date(+begun + 8 * DAY_MS);
    scenario.apply(NEW_CARD, begun).settle(PAID, paidAt);
    const end = new Date(+begun + 7 * DAY_MS);
    expect(scenario.state).toMatchObject({ status: 'active', period: { start: begun, end } });
    expect(nextDue(scenario.state)).toEqual({ kind: 'period_ended', at: paidAt });
    scenario.processLate(paidAt);
    expect(scenario.state.period).toEqual({ start: end, end: new Date(+end + 7 * DAY_MS) });
  });
});

describe('an unpaid cycle', () => {
  const finals = (scenario: SubscriptionScenario) =>
    scenario.events.flatMap((event) => (event.type === 'subscription.payment.failed' ? [event.final] : []));

  it('that is declined on request has failed finally if the subscription is past due, but not if it is pending', () => {
    const pending = new SubscriptionScenario().charge(SOFT_DECLINE).apply({ kind: 'retry' });
    expect(finals(pending.charge(SOFT_DECLINE))).toEqual([false, false]);
    const pastDue = new SubscriptionScenario().charge(PAID, HARD_DECLINE).apply(NEW_CARD);
    expect(finals(pastDue.charge(SOFT_DECLINE))).toEqual([true, true]);
  });

  it('that an immediate downgrade pays with unused value has no retry any more', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    scenario.apply(to({ ...GOLD, planId: 'diamond', amountCents: 30_000 }, true)).charge(PAID);
    scenario.apply(to({ ...GOLD, planId: 'silver', amountCents: 4_000 }, true));
    expect(scenario.state.openCycle).toBeNull();
    expect(scenario.closed.at(-1)).toMatchObject({
      cycle: { kind: 'regular', amountCents: 0, nextRetryAt: null },
    });
  });
});

it('card_expiring is published again for the card that replaces the first one', () => {
  const expiring = (expireMonth: number) => ({
    ...CARD,
    fingerprint: `${expireMonth}`,
    expireMonth,
    expireYear: 2026,
  });
  const scenario = new SubscriptionScenario({ card: expiring(3) })
    .charge(PAID, PAID)
    .advanceTo('card_expiring');
  scenario.apply({ kind: 'change_card', card: expiring(4) });
  scenario.charge(PAID).advanceTo('card_expiring');
  expect(scenario.log.filter((line) => line.endsWith('card_expiring'))).toEqual([
    '2026-03-02 card_expiring',
    '2026-04-01 card_expiring',
  ]);
});

it('a redeemed coupon is released by a cancellation before the first paid cycle only', () => {
  const discount = { discountType: 'percentage', discountValue: 50, maxCycles: null } as const;
  const releasedAfter = (result: typeof PAID): boolean => {
    const { state } = new SubscriptionScenario({ coupon: { discount, cyclesUsed: 0 } }).charge(result);
    return cancel(state, state.lastTransitionAt, 'requested').releasesCoupon;
  };
  expect([releasedAfter(SOFT_DECLINE), releasedAfter(PAID)]).toEqual([true, false]);
});

it.each([
  [
    'active with a planned change',
    (one: SubscriptionScenario) => one.charge(PAID).apply(to(QUARTERLY, false)),
  ],
  [
    'paused',
    (one: SubscriptionScenario) => one.charge(PAID).apply({ kind: 'pause', until: new Date('2027-01-01') }),
  ],
  ['retried', (one: SubscriptionScenario) => one.charge(PAID, SOFT_DECLINE)],
  ['on hold', (one: SubscriptionScenario) => one.charge(PAID, UNANSWERED)],
  ['past due', (one: SubscriptionScenario) => one.charge(PAID, HARD_DECLINE)],
])('a subscription that was %s has nothing due and no planned change once it is canceled', (_, prepare) => {
  const { state } = prepare(new SubscriptionScenario()).apply({ kind: 'cancel', atPeriodEnd: false });
  expect(nextDue(state)).toBeNull();
  expect(state).toMatchObject({ status: 'canceled', plannedChange: null, openCycle: null });
});
