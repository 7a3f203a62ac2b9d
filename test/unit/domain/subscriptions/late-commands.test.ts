import { timeBeforeDue } from '../../../../src/domain/subscriptions/command-time';
import type { SubscriptionCommand } from '../../../../src/domain/subscriptions/subscription-commands';
import { nextBillingAt, nextDue } from '../../../../src/domain/subscriptions/subscription-due';
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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const NEW_CARD = { kind: 'change_card', card: { ...CARD, fingerprint: 'second' } } as const;
const CANCEL_AT_END = { kind: 'cancel', atPeriodEnd: true } as const;
const SILVER = { ...GOLD, planId: 'silver', amountCents: 4_000 };
const DIAMOND = { ...GOLD, planId: 'diamond', amountCents: 30_000 };

/** Workers were away until `now`: executes a command that was stored at `requestedAt` before or after the due event. */
function processAway(
  scenario: SubscriptionScenario,
  command: SubscriptionCommand,
  requestedAt: Date,
  now: Date,
): SubscriptionScenario {
  const due = nextDue(scenario.state);
  if (due === null || due.at > now) throw new Error('nothing is overdue');
  const at = timeBeforeDue(scenario.state, due, requestedAt);
  return at === null ? scenario.processLate(now) : scenario.apply(command, at, now);
}

describe('a command that was stored in time while workers were away', () => {
  it('pays the first charge with a new card, although the 23 hours have passed by now', () => {
    const expiry = new Date(+CREATED_AT + 23 * HOUR_MS);
    const scenario = new SubscriptionScenario().charge(HARD_DECLINE);
    processAway(scenario, NEW_CARD, new Date(+expiry - MINUTE_MS), new Date(+expiry + HOUR_MS)).charge(PAID);
    expect(scenario.state.status).toBe('active');
    const late = new SubscriptionScenario().charge(HARD_DECLINE);
    processAway(late, NEW_CARD, new Date(+expiry + MINUTE_MS), new Date(+expiry + HOUR_MS));
    expect(late.state.status).toBe('canceled');
  });

  it('pays a past-due cycle, although the 90 days have passed by now', () => {
    const scenario = new SubscriptionScenario().charge(PAID, HARD_DECLINE);
    const { at } = nextDue(scenario.state) ?? { at: CREATED_AT };
    processAway(scenario, NEW_CARD, new Date(+at - MINUTE_MS), new Date(+at + HOUR_MS)).charge(PAID);
    expect(scenario.state).toMatchObject({ status: 'active', cancelReason: null });
  });

  it('revokes a cancellation, although the period has ended by now', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply(CANCEL_AT_END);
    const { at } = nextDue(scenario.state) ?? { at: CREATED_AT };
    const now = new Date(+at + HOUR_MS);
    processAway(scenario, { kind: 'uncancel' }, new Date(+at - MINUTE_MS), now).processLate(now);
    expect(scenario.state).toMatchObject({ status: 'active', openCharge: { kind: 'cycle' } });
  });

  it('does not precede an event that is due at the same time and charges nothing', () => {
    const scenario = new SubscriptionScenario().charge(HARD_DECLINE);
    const due = nextDue(scenario.state);
    expect(due?.kind).toBe('initial_payment_expired');
    expect(due && timeBeforeDue(scenario.state, due, due.at)).toBeNull();
  });

  it('is executed at the time at which it was stored', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const { at } = nextDue(scenario.state) ?? { at: CREATED_AT };
    const requestedAt = new Date(+at - 3 * DAY_MS);
    processAway(scenario, { kind: 'pause', until: null }, requestedAt, new Date(+at + 2 * DAY_MS));
    expect(scenario.state).toMatchObject({ status: 'paused', pausedAt: requestedAt });
  });

  it('that asks for a retry buys a period from its charge on, not one that is over by now', () => {
    const weekly = { ...GOLD, interval: 'weekly' } as const;
    const scenario = new SubscriptionScenario({ plan: weekly }).charge(PAID, SOFT_DECLINE);
    const { at } = nextDue(scenario.state) ?? { at: CREATED_AT };
    const now = new Date(+at + 8 * DAY_MS);
    processAway(scenario, { kind: 'retry' }, new Date(+at - MINUTE_MS), now);
    expect(scenario.settle(PAID, now).state.period).toEqual({
      start: now,
      end: new Date(+now + 7 * DAY_MS),
    });
  });
});

describe('a command in the delay after paused_until', () => {
  const until = new Date('2026-04-10T15:00:00Z');
  const inDelay = new Date(+until + 5 * MINUTE_MS);
  const paused = () =>
    new SubscriptionScenario().charge(PAID).apply({ kind: 'pause', until }, new Date('2026-02-10T00:00:00Z'));
  const send = (command: SubscriptionCommand) => processAway(paused(), command, inDelay, inDelay);

  it('pauses again without a charge in between', () => {
    const scenario = send({ kind: 'pause', until: new Date('2026-06-01T00:00:00Z') });
    expect(scenario.state).toMatchObject({ status: 'paused', pausedAt: until, cyclesOpened: 1 });
    expect(scenario.log.slice(-2)).toEqual(['2026-04-10 resumed', '2026-04-10 paused']);
    expect(nextDue(scenario.state)?.at).toEqual(new Date('2026-06-01T00:00:00Z'));
  });

  it('cancels at the end of the paid period without a charge, because that period is over', () => {
    const scenario = send(CANCEL_AT_END).processLate(inDelay);
    expect(scenario.state).toMatchObject({ status: 'canceled', cancelReason: 'period_end', cyclesOpened: 1 });
  });

  it.each([
    ['cheaper', SILVER],
    ['dearer', DIAMOND],
  ])('changes to a %s plan, and the resumed subscription is charged its price', (_, to) => {
    const scenario = send({ kind: 'change_plan', to, immediately: null }).processLate(inDelay);
    expect(scenario.state).toMatchObject({ status: 'active', plan: to, plannedChange: null });
    expect(scenario.state.openCycle).toMatchObject({ chargeCents: to.amountCents, period: { start: until } });
  });

  it('waits for the resume if that charges nothing, and is then executed as usual', () => {
    const ends = new Date('2026-02-20T15:00:00Z');
    const scenario = new SubscriptionScenario()
      .charge(PAID)
      .apply({ kind: 'pause', until: ends }, new Date('2026-02-10T00:00:00Z'));
    const delayed = new Date(+ends + MINUTE_MS);
    processAway(scenario, CANCEL_AT_END, delayed, delayed);
    expect(scenario.log.at(-1)).toBe('2026-02-20 resumed');
    expect(scenario.apply(CANCEL_AT_END, delayed).state).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
    });
  });

  it('is refused as before while the pause has not ended', () => {
    const early = new Date(+until - MINUTE_MS);
    for (const kind of ['pause', 'change_plan'] as const) {
      const command =
        kind === 'pause'
          ? ({ kind, until: null } as const)
          : ({ kind, to: SILVER, immediately: null } as const);
      expect(paused().refusalReason(command, early)).toBe('the subscription is paused');
    }
  });
});

describe('billing after workers were away for long', () => {
  it.each([10, 28, 31])('keeps to the requested billing day %d', (billingDay) => {
    const scenario = new SubscriptionScenario({ billingDay }).charge(PAID);
    scenario.processLate(new Date('2026-06-05T09:00:00Z')).charge(PAID);
    const dates = upcomingCharges(scenario.state, 6).map(({ dueAt }) => dueAt.getUTCDate());
    const lastDays = [30, 31, 31, 30, 31, 30];
    expect(dates).toEqual(lastDays.map((last) => Math.min(billingDay, last)));
  });
});

describe('the next billing date', () => {
  it('is never in the past while a short period is retried, and is the retry that buys the next period', () => {
    const daily = { ...GOLD, interval: 'daily' } as const;
    const scenario = new SubscriptionScenario({ plan: daily }).charge(PAID, SOFT_DECLINE);
    for (let retry = 0; retry < 4; retry += 1) {
      const { lastTransitionAt, openCycle } = scenario.state;
      const at = nextBillingAt(scenario.state);
      expect(+(at ?? 0)).toBeGreaterThan(+lastTransitionAt);
      expect(at).toEqual(openCycle?.nextRetryAt);
      scenario.charge(SOFT_DECLINE);
    }
    expect(scenario.state.status).toBe('past_due');
    expect(nextBillingAt(scenario.state)).toBeNull();
  });

  it('is the end of the period if the retry comes before it', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    expect(nextBillingAt(scenario.state)).toEqual(scenario.state.period?.end);
  });

  it('is the next probe of a charge on hold that outlasts its period', () => {
    const daily = { ...GOLD, interval: 'daily' } as const;
    const scenario = new SubscriptionScenario({ plan: daily }).charge(PAID, UNANSWERED);
    while (scenario.state.lastTransitionAt < new Date('2026-02-05T00:00:00Z')) scenario.charge(UNANSWERED);
    expect(nextBillingAt(scenario.state)).toEqual(scenario.state.openCycle?.hold?.nextProbeAt);
  });
});

describe('currencies without cents and with three decimals', () => {
  it.each(['JPY', 'CLP', 'KWD'])('prorate and discount %s in whole minor units', (currency) => {
    const plan = { ...GOLD, currency, amountCents: 10_001 };
    const dearer = { ...DIAMOND, currency, amountCents: 20_003 };
    const coupon = {
      discount: { discountType: 'percentage', discountValue: 33, maxCycles: null },
      cyclesUsed: 0,
    } as const;
    const scenario = new SubscriptionScenario({ plan, coupon, billingDay: 7 }).charge(PAID);
    scenario.apply({ kind: 'change_plan', to: dearer, immediately: null }, new Date('2026-02-03T03:04:05Z'));
    scenario.charge(PAID, PAID);
    for (const { cycle } of scenario.closed) {
      const amounts = [cycle.amountCents, cycle.discountCents, cycle.chargeCents];
      expect(amounts.every(Number.isSafeInteger)).toBe(true);
      expect(cycle.chargeCents === 0 || cycle.chargeCents >= 100).toBe(true);
    }
    expect(scenario.closed.at(-1)?.cycle).toMatchObject({ amountCents: 20_003, discountCents: 6_601 });
  });
});
