import { timeBeforeDue } from '../../../../../src/domain/subscriptions/command-time';
import { leftOfPeriod, settledStatus } from '../../../../../src/domain/subscriptions/cycle-price';
import { hasSameInterval } from '../../../../../src/domain/subscriptions/planned-change';
import type { OpenCycle, SubscriptionState } from '../../../../../src/domain/subscriptions/subscription';
import {
  hasPauseEnded,
  isChargeable,
  nextBillingAt,
  nextDue,
  paidPeriodEnd,
  type DueEvent,
} from '../../../../../src/domain/subscriptions/subscription-due';
import { upcomingCharges } from '../../../../../src/domain/subscriptions/upcoming-charges';
import {
  CREATED_AT,
  GOLD,
  HARD_DECLINE,
  PAID,
  SOFT_DECLINE,
  SubscriptionScenario,
  UNANSWERED,
} from '../subscription-scenario';

/* What is due next, and when a subscription is charged. */

const DAY_MS = 86_400_000;
const END = new Date('2026-02-28T15:00:00Z');
const DAILY = { ...GOLD, interval: 'daily' } as const;
const YEARLY = { ...GOLD, planId: 'yearly', amountCents: 120_000, interval: 'yearly' } as const;
const BY_REQUEST = { kind: 'declined', decline: { retry: 'by_request', waitMs: 0 } } as const;

const active = (): SubscriptionState => new SubscriptionScenario().charge(PAID).state;
const unpaid = (): SubscriptionState => new SubscriptionScenario().charge(PAID, SOFT_DECLINE).state;
const at = (fromEndMs: number): Date => new Date(+END + fromEndMs);

describe('a due event', () => {
  it.each([
    ['retry', true],
    ['probe', true],
    ['period_ended', true],
    ['trial_ending', false],
    ['card_expiring', false],
    ['payment_delayed', false],
    ['initial_payment_expired', false],
    ['past_due_expired', false],
  ] as const)('%s may lead to a charge: %s', (kind, expected) => {
    for (const state of [active(), unpaid()]) expect(isChargeable({ kind, at: END }, state)).toBe(expected);
  });

  it('at the end of the period charges nothing if the subscription is canceled then', () => {
    const state = { ...active(), cancelAtPeriodEnd: true };
    expect(isChargeable({ kind: 'period_ended', at: END }, state)).toBe(false);
  });

  it('at the end of a pause charges unless the paid period goes on or a cycle is unpaid', () => {
    const ends = (fromEndMs: number): DueEvent => ({ kind: 'pause_ended', at: at(fromEndMs) });
    expect(isChargeable(ends(-1), active())).toBe(false);
    expect(isChargeable(ends(0), active())).toBe(true);
    expect(isChargeable(ends(0), { ...active(), period: null })).toBe(true);
    expect(isChargeable(ends(365 * DAY_MS), unpaid())).toBe(false);
  });

  it('comes before a command of the same instant, unless it would charge', () => {
    const state = active();
    expect(timeBeforeDue(state, { kind: 'card_expiring', at: END }, END)).toBeNull();
    expect(timeBeforeDue(state, { kind: 'card_expiring', at: END }, at(-1))).toEqual(at(-1));
    expect(timeBeforeDue(state, { kind: 'period_ended', at: END }, END)).toEqual(END);
    expect(timeBeforeDue(state, { kind: 'period_ended', at: END }, new Date(0))).toEqual(CREATED_AT);
  });

  it('of a trial of exactly three days announces its end at once', () => {
    const { state } = new SubscriptionScenario({ trialDays: 3 });
    expect(nextDue(state)).toEqual({ kind: 'trial_ending', at: CREATED_AT });
  });
});

describe('a subscription that has no period yet', () => {
  it('has no end of it, nothing left of it and no next billing date', () => {
    const state: SubscriptionState = { ...active(), period: null, openCharge: null };
    expect(nextDue(state)?.kind).toBe('card_expiring');
    expect(paidPeriodEnd(state)).toBeNull();
    expect(nextBillingAt(state)).toBeNull();
    expect(leftOfPeriod(state, CREATED_AT)).toEqual({ numerator: 0, denominator: 1 });
  });
});

describe('a pause', () => {
  it.each([
    ['paused', END, 0, true],
    ['paused', END, -1, false],
    ['paused', null, 0, false],
    ['active', END, 0, false],
  ] as const)(
    'of a subscription that is %s until %s has ended %d ms after that: %s',
    (status, pausedUntil, afterMs, expected) => {
      expect(hasPauseEnded({ ...active(), status, pausedUntil }, at(afterMs))).toBe(expected);
    },
  );

  it('that ends with the paid period starts the next one, and a millisecond earlier keeps it', () => {
    const resumed = (fromEndMs: number) =>
      new SubscriptionScenario()
        .charge(PAID)
        .apply({ kind: 'pause', until: null })
        .apply({ kind: 'resume' }, at(fromEndMs)).state;
    expect(resumed(-1)).toMatchObject({ openCharge: null, cyclesOpened: 1 });
    expect(resumed(0)).toMatchObject({ openCharge: { kind: 'cycle' }, cyclesOpened: 2 });
  });

  it('of an unpaid cycle opens no other one, however long it was', () => {
    const scenario = new SubscriptionScenario()
      .charge(PAID, SOFT_DECLINE)
      .apply({ kind: 'pause', until: null });
    scenario.apply({ kind: 'resume' }, at(300 * DAY_MS));
    expect(scenario.state).toMatchObject({ openCharge: null, cyclesOpened: 2, openCycle: { number: 2 } });
  });
});

describe('the next billing date', () => {
  it('is the end of the period while nothing is unpaid', () => {
    expect(nextBillingAt(active())).toEqual(END);
    const trial = new SubscriptionScenario({ trialDays: 7 }).state;
    expect(nextBillingAt(trial)).toEqual(trial.trial?.end);
    expect(nextBillingAt(new SubscriptionScenario().state)).toEqual(END);
  });

  it.each([
    ['before the end of the period', -DAY_MS, END],
    ['after it', DAY_MS, at(DAY_MS)],
  ])('of a pause that ends %s is the later of both', (_, fromEndMs, expected) => {
    const paused = { ...active(), status: 'paused', pausedUntil: at(fromEndMs) } as const;
    expect(nextBillingAt(paused)).toEqual(expected);
    expect(nextBillingAt({ ...paused, pausedUntil: null })).toBeNull();
  });

  it('is none once the subscription is canceled, or will be', () => {
    expect(nextBillingAt({ ...active(), cancelAtPeriodEnd: true })).toBeNull();
    expect(nextBillingAt({ ...active(), status: 'canceled' })).toBeNull();
  });

  it('is the retry that comes after the end of the unpaid period', () => {
    const scenario = new SubscriptionScenario({ plan: DAILY });
    scenario.history = { ...scenario.history, dunningDays: [3] };
    const { openCycle, period } = scenario.charge(PAID, SOFT_DECLINE).state;
    expect(+(openCycle?.nextRetryAt ?? 0)).toBeGreaterThan(Number(period?.end));
    expect(nextBillingAt(scenario.state)).toEqual(openCycle?.nextRetryAt);
  });

  it('is the end of the period that a charge under way buys', () => {
    const { state } = new SubscriptionScenario({ plan: DAILY }).charge(PAID, SOFT_DECLINE).advanceTo();
    expect(state.openCharge).not.toBeNull();
    expect(nextBillingAt(state)).toEqual(state.period?.end);
  });

  it('of a past-due subscription is the next probe of its charge on hold', () => {
    const scenario = new SubscriptionScenario().charge(PAID, BY_REQUEST).apply({ kind: 'retry' });
    const { state } = scenario.charge(UNANSWERED);
    expect(state.status).toBe('past_due');
    expect(nextBillingAt(state)).toEqual(state.openCycle?.hold?.nextProbeAt);
  });
});

describe('the upcoming charges', () => {
  it('are those of regular cycles, not of a plan change under way', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    scenario.apply({
      kind: 'change_plan',
      to: { ...GOLD, planId: 'dear', amountCents: 20_000 },
      immediately: true,
    });
    expect(upcomingCharges(scenario.state, 2)).toMatchObject([
      { number: 2, chargeCents: 20_000 },
      { number: 3, chargeCents: 20_000 },
    ]);
  });

  it('are none of a past-due subscription, which will be canceled', () => {
    expect(upcomingCharges(new SubscriptionScenario().charge(PAID, HARD_DECLINE).state, 2)).toEqual([]);
  });
});

describe('a period that was paid after it had ended', () => {
  it('starts at its payment, unless the charge took as long as the whole period', () => {
    const beganAt = new Date('2026-04-20T09:00:00Z');
    const paidAt = (instant: Date) => {
      const scenario = new SubscriptionScenario().charge(PAID, BY_REQUEST).apply({ kind: 'retry' }, beganAt);
      return scenario.settle(PAID, instant).state.period?.start;
    };
    const end = new Date('2026-05-20T09:00:00Z');
    const justBefore = new Date(+end - 1);
    expect(paidAt(justBefore)).toEqual(justBefore);
    expect(paidAt(end)).toEqual(beganAt);
    expect(paidAt(new Date(+end + DAY_MS))).toEqual(beganAt);
  });
});

describe('a cycle that closes without a decline', () => {
  const price = { amountCents: 50, discountCents: 0, creditCents: 0, chargeCents: 0 };
  it.each([
    ['regular', { ...price, chargeCents: 50 }, 'paid'],
    ['regular', { ...price, creditCents: 50 }, 'paid'],
    ['regular', price, 'waived'],
    ['regular', { ...price, amountCents: 0 }, 'waived'],
    ['interval_change', price, 'waived'],
    ['interval_change', { ...price, amountCents: 0 }, 'paid'],
  ] as const)('of kind %s at %j is %s', (kind, charged, expected) => {
    const cycle: OpenCycle = { ...(unpaid().openCycle as OpenCycle), kind, ...charged };
    expect(settledStatus(cycle)).toBe(expected);
  });
});

describe('two plans', () => {
  it.each([
    [GOLD, { ...GOLD, planId: 'other', amountCents: 1 }, true],
    [GOLD, { ...GOLD, intervalCount: 2 }, false],
    [GOLD, YEARLY, false],
  ] as const)('%j and %j are charged equally often: %s', (a, b, expected) => {
    expect(hasSameInterval(a, b)).toBe(expected);
  });
});
