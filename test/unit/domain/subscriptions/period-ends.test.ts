import { isChargeable } from '../../../../src/domain/subscriptions/subscription-due';
import {
  CARD,
  CREATED_AT,
  GOLD,
  HARD_DECLINE,
  PAID,
  SOFT_DECLINE,
  SubscriptionScenario,
} from './subscription-scenario';

/* Charges at the very end of a period, and what a waived cycle is worth. */

const DAY_MS = 86_400_000;
const YEARLY = { ...GOLD, planId: 'yearly', amountCents: 120_000, interval: 'yearly' } as const;
const SECOND_CARD = { ...CARD, fingerprint: 'second' };

describe('a charge that begins at the end of its period', () => {
  it('buys the next period, and one that begins a millisecond earlier buys its own', () => {
    const retryAt = (fromEndMs: number) => {
      const scenario = new SubscriptionScenario().charge(PAID, HARD_DECLINE);
      const period = scenario.state.period ?? { start: CREATED_AT, end: CREATED_AT };
      const at = new Date(+period.end + fromEndMs);
      return {
        at,
        period,
        bought: scenario.apply({ kind: 'change_card', card: SECOND_CARD }, at).state.period,
      };
    };
    const own = retryAt(-1);
    expect(own.bought).toEqual(own.period);
    const next = retryAt(0);
    expect(next.bought?.start).toEqual(next.at);
  });

  it('of a period that was never opened buys a period from then on', () => {
    const renewedAt = (fromEndMs: number) => {
      const daily = { ...GOLD, interval: 'daily' } as const;
      const scenario = new SubscriptionScenario({ plan: daily }).charge(PAID);
      const due = scenario.state.period?.end ?? CREATED_AT;
      const now = new Date(+due + DAY_MS + fromEndMs);
      return { due, now, start: scenario.processLate(now).state.period?.start };
    };
    const own = renewedAt(-1);
    expect(own.start).toEqual(own.due);
    const next = renewedAt(0);
    expect(next.start).toEqual(next.now);
  });

  it('keeps its period if the payment came so late that a period from the payment would cost something else', () => {
    const later = new Date('2026-04-20T09:00:00Z');
    const scenario = new SubscriptionScenario({ billingDay: 1 }).charge(PAID, HARD_DECLINE);
    scenario.apply({ kind: 'change_card', card: SECOND_CARD }, later);
    const charged = scenario.state.openCycle?.chargeCents;
    scenario.settle(PAID, new Date(+later + 3 * DAY_MS));
    expect(charged).toBe(3_667);
    expect(scenario.state.period?.start).toEqual(later);
  });
});

describe('a cycle that is waived because it costs too little', () => {
  it('is worth nothing when the plan changes', () => {
    const coupon = {
      discount: { discountType: 'fixed', discountValue: 9_950, maxCycles: 1 },
      cyclesUsed: 0,
    } as const;
    const scenario = new SubscriptionScenario({ coupon });
    expect(scenario.closed).toMatchObject([{ status: 'waived', cycle: { chargeCents: 0 } }]);
    expect(scenario.state.periodValueCents).toBe(0);
    scenario.apply({ kind: 'change_plan', to: YEARLY, immediately: true }, CREATED_AT);
    expect(scenario.state.openCharge).toMatchObject({
      cycle: { amountCents: 120_000, chargeCents: 120_000 },
    });
  });
});

describe('the last retry of a cycle', () => {
  it('is followed by none, and a retry that would be later than 30 days after the first decline is not made', () => {
    const scenario = new SubscriptionScenario();
    scenario.history = { ...scenario.history, dunningDays: [1, 30] };
    scenario.charge(PAID, SOFT_DECLINE, SOFT_DECLINE);
    const firstFailedAt = scenario.state.openCycle?.firstFailedAt ?? CREATED_AT;
    expect(scenario.state.openCycle?.nextRetryAt).toEqual(new Date(+firstFailedAt + 30 * DAY_MS));
    scenario.charge(SOFT_DECLINE);
    expect(scenario.state).toMatchObject({
      status: 'past_due',
      openCycle: { nextRetryAt: null, retryCount: 2 },
    });

    const tooLate = new SubscriptionScenario();
    tooLate.history = { ...tooLate.history, dunningDays: [1, 31] };
    tooLate.charge(PAID, SOFT_DECLINE, SOFT_DECLINE);
    expect(tooLate.state).toMatchObject({ status: 'past_due', openCycle: { retryCount: 1 } });
  });
});

describe('events at the very end of a period', () => {
  it('a pause that ends then is followed by a charge, so that commands and the guard of the card come first', () => {
    const until = new Date('2026-02-28T15:00:00Z');
    const scenario = new SubscriptionScenario().charge(PAID);
    expect(scenario.state.period?.end).toEqual(until);
    const { state } = scenario.apply({ kind: 'pause', until }, new Date('2026-02-10T00:00:00Z'));
    expect(isChargeable({ kind: 'pause_ended', at: until }, state)).toBe(true);
    expect(isChargeable({ kind: 'pause_ended', at: new Date(+until - 1) }, state)).toBe(false);
  });

  it.each([
    [2, 1],
    [3, 3],
    [4, 3],
  ])('a trial of %i days is announced to end %i days before', (trialDays, days) => {
    const scenario = new SubscriptionScenario({ trialDays }).advanceTo('trial_ending');
    const end = +(scenario.state.trial?.end ?? 0);
    expect(scenario.state.lastTransitionAt).toEqual(new Date(end - days * DAY_MS));
  });
});
