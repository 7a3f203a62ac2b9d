import type { CardDecline } from '../../../../src/domain/subscriptions/charge-guard';
import { CARD_REFUSALS } from '../../../../src/domain/subscriptions/command-refusal';
import type { SubscriptionEvent } from '../../../../src/domain/subscriptions/subscription';
import {
  applyCommand,
  createUnlessForbidden,
} from '../../../../src/domain/subscriptions/subscription-commands';
import { nextDue } from '../../../../src/domain/subscriptions/subscription-due';
import {
  CARD,
  CREATED_AT,
  GOLD,
  HARD_DECLINE,
  PAID,
  SOFT_DECLINE,
  SubscriptionScenario,
  terms,
  UNANSWERED,
} from './subscription-scenario';

/* Charges that the card's network forbids, in the states of a subscription. The card is Visa's, whose limit is 14 declines. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SILVER = { ...GOLD, planId: 'silver', amountCents: 4_000 };

/** As many declines as the limit allows, an hour before an instant. */
function often(at: Date, amountCents: number): CardDecline[] {
  const declined = { at: new Date(+at - HOUR_MS), amountCents, code: '51', adviceCode: null };
  return Array.from({ length: 14 }, () => declined);
}

const lost = (amountCents: number): CardDecline[] => [
  { at: new Date('2026-02-01T12:00:00Z'), amountCents, code: '41', adviceCode: null },
];

function withRefusals(
  scenario: SubscriptionScenario,
  declines: readonly CardDecline[],
): SubscriptionScenario {
  scenario.history = { ...scenario.history, declines };
  return scenario;
}

/** When the next event of the subscription is due. */
function dueAt({ state }: SubscriptionScenario): Date {
  const due = nextDue(state);
  if (due === null) throw new Error('nothing is due');
  return due.at;
}

const reasonOf = ({ events }: SubscriptionScenario): unknown =>
  events.findLast((event): event is Extract<SubscriptionEvent, { reason: string }> => 'reason' in event)
    ?.reason;

describe('a renewal whose card was declined too often', () => {
  it('is deferred until the limit allows it, with no decline and no retry counted', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const at = dueAt(scenario);
    withRefusals(scenario, often(at, 10_000)).advanceTo('period_ended');
    const allowedAt = new Date(+at - HOUR_MS + 30 * DAY_MS);
    expect(scenario.state).toMatchObject({
      status: 'active',
      openCharge: null,
      openCycle: { number: 2, nextRetryAt: allowedAt, firstFailedAt: null, retryCount: 0 },
    });
    expect(scenario.log.at(-1)).toBe('2026-02-28 payment.retry');
    expect(dueAt(scenario)).toEqual(allowedAt);
    scenario.advanceTo('retry');
    expect(scenario.state.openCharge).toEqual({ kind: 'cycle' });
  });

  it('is charged if the declines were of another amount', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    withRefusals(scenario, often(dueAt(scenario), 9_999)).advanceTo('period_ended');
    expect(scenario.state.openCharge).toEqual({ kind: 'cycle' });
  });
});

describe('an automatic retry whose card was declined too often', () => {
  it('is deferred, and the subscription is past due if that would be more than 30 days after the first decline', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    const at = dueAt(scenario);
    const early = often(new Date(+at - 2 * DAY_MS), 10_000);
    withRefusals(scenario, early).advanceTo('retry');
    expect(scenario.state).toMatchObject({ status: 'active', openCycle: { nextRetryAt: expect.any(Date) } });
    expect(+dueAt(scenario)).toBe(+at - 2 * DAY_MS - HOUR_MS + 30 * DAY_MS);

    const late = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    withRefusals(late, often(dueAt(late), 10_000)).advanceTo('retry');
    expect(late.state).toMatchObject({ status: 'past_due', openCycle: { nextRetryAt: null } });
    expect(reasonOf(late)).toBe('retries_exhausted');
  });

  it('counts by the amount that it charges now, after its period ended and a downgrade took effect', () => {
    const daily = { ...GOLD, interval: 'daily' } as const;
    const cheaper = { ...SILVER, interval: 'daily' } as const;
    const planned = () =>
      new SubscriptionScenario({ plan: daily })
        .charge(PAID, SOFT_DECLINE)
        .apply({ kind: 'change_plan', to: cheaper, immediately: false });
    const old = planned();
    withRefusals(old, often(dueAt(old), 10_000)).advanceTo('retry');
    expect(old.state).toMatchObject({ openCharge: { kind: 'cycle' }, openCycle: { chargeCents: 4_000 } });
    const now = planned();
    withRefusals(now, often(new Date(+dueAt(now) - 2 * DAY_MS), 4_000)).advanceTo('retry');
    expect(now.state).toMatchObject({ openCharge: null, plan: daily, openCycle: { chargeCents: 10_000 } });
  });
});

describe('an automatic retry that the limit defers', () => {
  it.each([
    ['exactly 30 days', 0, 'active'],
    ['more than 30 days', 1, 'past_due'],
  ])('until %s after the first decline, %i ms too late, leaves the subscription %s', (_, laterMs, status) => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    const declinedAt = +(scenario.state.openCycle?.firstFailedAt ?? 0) + laterMs;
    withRefusals(scenario, often(new Date(declinedAt + HOUR_MS), 10_000)).advanceTo('retry');
    expect(scenario.state).toMatchObject({ status, openCharge: null });
  });
});

describe('a decline', () => {
  it('that leaves no try for the charged amount, which is less than the price, defers the retry', () => {
    const coupon = {
      discount: { discountType: 'percentage', discountValue: 50, maxCycles: null },
      cyclesUsed: 0,
    } as const;
    const scenario = new SubscriptionScenario({ coupon }).charge(PAID).advanceTo();
    const at = scenario.state.lastTransitionAt;
    const declines = often(new Date(+at - 10 * DAY_MS), 5_000);
    withRefusals(scenario, declines).charge(SOFT_DECLINE);
    expect(scenario.state.openCycle?.nextRetryAt).toEqual(new Date(+at + 20 * DAY_MS - HOUR_MS));
  });

  it.each([
    ['that may not be retried automatically', HARD_DECLINE, 'hard_decline'],
    ['after which no retry is left', SOFT_DECLINE, 'retries_exhausted'],
  ] as const)('%s makes the subscription past due with that reason', (_, decline, reason) => {
    const scenario = new SubscriptionScenario();
    scenario.history = { ...scenario.history, dunningDays: [] };
    scenario.charge(PAID, decline);
    expect(scenario.state.status).toBe('past_due');
    expect(reasonOf(scenario)).toBe(reason);
  });
});

describe('a renewal with a card that its network forbids', () => {
  it('makes the subscription past due without a charge, and only another card can pay', () => {
    const scenario = new SubscriptionScenario({ trialDays: 2 });
    withRefusals(scenario, lost(10_000)).advanceTo('period_ended');
    expect(scenario.state).toMatchObject({
      status: 'past_due',
      openCharge: null,
      openCycle: { irreversible: true, nextRetryAt: null },
    });
    expect(reasonOf(scenario)).toBe('hard_decline');
    withRefusals(scenario, []);
    expect(scenario.refusalReason({ kind: 'retry' })).toContain('must not be charged again');
    scenario.apply({ kind: 'change_card', card: { ...CARD, fingerprint: 'second' } }).charge(PAID);
    expect(scenario.state.status).toBe('active');
  });
});

describe('a probe of a charge on hold', () => {
  it('waits for the limit of declines, and its charge stays on hold', () => {
    const scenario = new SubscriptionScenario().charge(PAID, UNANSWERED);
    const at = dueAt(scenario);
    withRefusals(scenario, often(at, 10_000)).advanceTo('probe');
    const allowedAt = new Date(+at - HOUR_MS + 30 * DAY_MS);
    expect(scenario.state.openCycle).toMatchObject({ hold: { nextProbeAt: allowedAt } });
  });

  it('with a card that its network forbids ends the hold without a charge', () => {
    const scenario = new SubscriptionScenario().charge(PAID, UNANSWERED);
    withRefusals(scenario, lost(10_000)).advanceTo('probe');
    expect(scenario.state).toMatchObject({ status: 'past_due', openCharge: null, openCycle: { hold: null } });
  });
});

describe('a command whose charge the network forbids', () => {
  it('is refused and changes nothing: an upgrade and a retry by its state, a card change by its card', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    const at = scenario.state.lastTransitionAt;
    const history = { ...scenario.history, declines: often(at, 10_000) };
    const diamond = { ...GOLD, planId: 'diamond', amountCents: 20_000 };
    const refused = { applied: false, reason: expect.stringContaining('declined too often') };
    const apply = (command: Parameters<typeof applyCommand>[1]) =>
      applyCommand(scenario.state, command, at, history);
    expect(apply({ kind: 'retry' })).toEqual({ ...refused, subject: 'state' });
    expect(apply({ kind: 'change_card', card: CARD })).toEqual({ ...refused, subject: 'card' });
    const upgrade = { kind: 'change_plan', to: diamond, immediately: null } as const;
    expect(apply(upgrade)).toEqual({ ...refused, subject: 'state' });
  });

  it('is not one that the network only advises to delay: a person may ask for it', () => {
    const scenario = new SubscriptionScenario({ card: { ...CARD, brand: 'mastercard' } });
    scenario.charge(PAID, SOFT_DECLINE);
    const advised = {
      at: scenario.state.lastTransitionAt,
      amountCents: 10_000,
      code: '51',
      adviceCode: '02',
    };
    withRefusals(scenario, [advised]).apply({ kind: 'retry' });
    expect(scenario.state.openCharge).toEqual({ kind: 'cycle' });
  });

  it('is judged by the amount of the late charge', () => {
    const scenario = new SubscriptionScenario()
      .charge(PAID, SOFT_DECLINE)
      .apply({ kind: 'change_plan', to: SILVER, immediately: null })
      .charge(HARD_DECLINE);
    const later = new Date('2026-04-20T09:00:00Z');
    const card = { ...CARD, fingerprint: 'second' };
    const withRefusalsOf = (amountCents: number) =>
      applyCommand(scenario.state, { kind: 'change_card', card }, later, {
        ...scenario.history,
        declines: often(later, amountCents),
      });
    expect(withRefusalsOf(10_000)).toMatchObject({ applied: true });
    expect(withRefusalsOf(4_000)).toMatchObject({ applied: false, subject: 'card' });
  });

  it('is a resume that continues without the charge, which is deferred', () => {
    const scenario = new SubscriptionScenario().charge(PAID).apply({ kind: 'pause', until: null });
    const later = new Date('2026-04-20T09:00:00Z');
    withRefusals(scenario, often(later, 10_000)).apply({ kind: 'resume' }, later);
    expect(scenario.state).toMatchObject({ status: 'active', openCharge: null });
    expect(dueAt(scenario)).toEqual(new Date(+later - HOUR_MS + 30 * DAY_MS));
  });
});

describe('a limit of the card that is free again', () => {
  it.each([
    [0, 'active'],
    [1, 'past_due'],
  ])('%d ms after the 30 days of dunning makes the renewal %s', (lateMs, status) => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const at = dueAt(scenario);
    const declined = { at: new Date(+at + lateMs), amountCents: 10_000, code: '51', adviceCode: null };
    withRefusals(
      scenario,
      Array.from({ length: 14 }, () => declined),
    ).advanceTo('period_ended');
    expect(scenario.state.status).toBe(status);
    expect(scenario.state.openCycle?.nextRetryAt ?? null).toEqual(
      status === 'active' ? new Date(+at + 30 * DAY_MS) : null,
    );
  });
});

describe('a change that charges nothing', () => {
  it('is allowed while the card may not be charged and a cycle is unpaid', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE);
    withRefusals(scenario, often(scenario.state.lastTransitionAt, 10_000));
    withRefusals(scenario, [...scenario.history.declines, ...often(scenario.state.lastTransitionAt, 4_000)]);
    scenario.apply({ kind: 'change_plan', to: SILVER, immediately: true });
    expect(scenario.state).toMatchObject({
      plan: SILVER,
      openCharge: null,
      openCycle: { chargeCents: 4_000 },
    });
  });
});

describe('a new subscription whose card must not be charged', () => {
  it.each([
    ['visa', often(CREATED_AT, 10_000), CARD_REFUSALS.later],
    ['amex', [{ at: CREATED_AT, amountCents: 1, code: '200', adviceCode: null }], CARD_REFUSALS.never],
  ] as const)('by the rules of %s is refused with an error about the card', (brand, declines, reason) => {
    const history = { dunningDays: [], declines };
    expect(createUnlessForbidden(terms({ card: { ...CARD, brand } }), CREATED_AT, history)).toEqual({
      applied: false,
      subject: 'card',
      reason,
    });
  });
});
