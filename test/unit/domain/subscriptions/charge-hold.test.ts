import { unresolvedCycle } from '../../../../src/domain/subscriptions/charge-hold';
import {
  chargeResultOf,
  type ChargeAnswer,
  type SubscriptionChargeResult,
} from '../../../../src/domain/subscriptions/charge-result';
import { nextDue } from '../../../../src/domain/subscriptions/subscription-due';
import {
  CARD,
  GOLD,
  HARD_DECLINE,
  PAID,
  SOFT_DECLINE,
  SubscriptionScenario,
  UNANSWERED,
} from './subscription-scenario';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** When the second cycle is due. */
const DUE = new Date('2026-02-28T15:00:00Z');

function answer(change: Partial<ChargeAnswer>): ChargeAnswer {
  return {
    status: 'error',
    responseCode: null,
    adviceCode: null,
    declineType: null,
    errorFamily: null,
    ...change,
  };
}

const DECLINED = answer({ status: 'declined', responseCode: '51', adviceCode: '24' });
const ABSENT = answer({ status: 'abandoned' });
const NOT_SENT = answer({ errorFamily: 'not_sent' });
const LIMITED = answer({ errorFamily: 'rate_limited' });
const CREDENTIALS = answer({ errorFamily: 'bad_credentials' });
const INVALID = answer({ errorFamily: 'invalid_request' });
const UNSUPPORTED = answer({ errorFamily: 'unsupported' });

describe('the result of a failed charge', () => {
  it.each<[string, readonly ChargeAnswer[], SubscriptionChargeResult['kind']]>([
    ['an issuer declined it', [DECLINED], 'declined'],
    ['an issuer declined it before a gateway failed', [DECLINED, ABSENT], 'declined'],
    ['an issuer declined it after a gateway failed', [NOT_SENT, DECLINED], 'declined'],
    ['no gateway could be reached', [NOT_SENT, NOT_SENT], 'unanswered'],
    ['the gateway answered 429', [LIMITED], 'unanswered'],
    ['the gateway failed and never received it', [ABSENT, ABSENT, ABSENT], 'unanswered'],
    ['no gateway was asked', [], 'unanswered'],
    ['a gateway refused the credentials', [CREDENTIALS], 'gateway_refused'],
    ['a gateway refused the request', [INVALID], 'gateway_refused'],
    ['all gateways refused it for different reasons', [CREDENTIALS, UNSUPPORTED], 'gateway_refused'],
    ['one gateway failed and another refused the credentials', [ABSENT, CREDENTIALS], 'unanswered'],
    ['one gateway failed and another found the request invalid', [ABSENT, INVALID], 'gateway_refused'],
  ])('%s', (_, attempts, kind) => {
    expect(chargeResultOf('failed', attempts, 'visa').kind).toBe(kind);
  });

  it('has the strictest rule of all its declines, in any order', () => {
    const lost = answer({ status: 'declined', responseCode: '41' });
    for (const attempts of [
      [lost, DECLINED],
      [DECLINED, lost],
    ]) {
      const result = chargeResultOf('failed', attempts, 'mastercard');
      expect(result).toEqual({ kind: 'declined', decline: { retry: 'never', waitMs: HOUR_MS } });
    }
  });
});

describe('a renewal that no issuer answers', () => {
  it('waits without an event and is tried after 15 minutes, 1 hour, 4 hours and then every 12 hours', () => {
    const scenario = new SubscriptionScenario().charge(PAID, UNANSWERED);
    const probes: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      probes.push((+(nextDue(scenario.state)?.at ?? 0) - +DUE) / HOUR_MS);
      scenario.charge(UNANSWERED);
    }
    expect(probes).toEqual([0.25, 1, 4, 16, 28, 40]);
    expect(scenario.state).toMatchObject({
      status: 'active',
      openCycle: { firstFailedAt: null, retryCount: 0, nextRetryAt: null, hold: { since: DUE } },
    });
    expect(scenario.log.slice(3)).toEqual([]);
  });

  it('after ten days publishes payment.delayed once, and is then paid without a failure or a retry', () => {
    const scenario = new SubscriptionScenario().charge(PAID, UNANSWERED);
    while (scenario.state.lastTransitionAt < new Date(+DUE + 12 * DAY_MS)) scenario.charge(UNANSWERED);
    scenario.charge(PAID);
    expect(scenario.log.slice(3)).toEqual(['2026-03-10 payment.delayed', '2026-03-13 payment.success']);
    expect(scenario.state).toMatchObject({
      status: 'active',
      openCycle: null,
      period: { start: DUE, end: new Date('2026-03-31T15:00:00Z') },
    });
  });

  it('keeps the beginning of its hold when the outcome of a probe is unknown', () => {
    const scenario = new SubscriptionScenario().charge(PAID, UNANSWERED).advanceTo();
    const { openCycle, lastTransitionAt } = scenario.state;
    if (openCycle === null) throw new Error('no cycle is open');
    const hold = { since: DUE, reason: 'outcome_unknown', nextProbeAt: null };
    expect(lastTransitionAt > DUE).toBe(true);
    expect(unresolvedCycle(openCycle, lastTransitionAt)).toMatchObject({ hold });
  });

  it('publishes payment.delayed also while the outcome of its charge is unknown', () => {
    const scenario = new SubscriptionScenario().charge(PAID, UNANSWERED).advanceTo();
    expect(scenario.state.openCharge).toEqual({ kind: 'cycle' });
    expect(nextDue(scenario.state)).toEqual({ kind: 'payment_delayed', at: new Date(+DUE + 10 * DAY_MS) });
  });

  it('for longer than its period buys one period from then on, at the price of the plan then in force', () => {
    const cheaper = { ...GOLD, planId: 'silver', amountCents: 4_000 };
    const scenario = new SubscriptionScenario()
      .charge(PAID, UNANSWERED)
      .apply({ kind: 'change_plan', to: cheaper, immediately: null });
    while (scenario.state.lastTransitionAt < new Date('2026-05-01T00:00:00Z')) scenario.charge(UNANSWERED);
    scenario.charge(PAID);
    const { plan, period, cyclesOpened } = scenario.state;
    expect({ plan: plan.planId, cyclesOpened }).toEqual({ plan: 'silver', cyclesOpened: 2 });
    expect(period?.start).toEqual(scenario.state.lastTransitionAt);
    expect(scenario.closed.at(-1)).toMatchObject({
      status: 'paid',
      cycle: { chargeCents: 4_000, hold: null },
    });
  });

  it('starts dunning only with the decline that ends the hold', () => {
    const scenario = new SubscriptionScenario().charge(PAID, UNANSWERED);
    while (scenario.state.lastTransitionAt < new Date(+DUE + 20 * DAY_MS)) scenario.charge(UNANSWERED);
    const declinedAt = scenario.charge(SOFT_DECLINE).state.lastTransitionAt;
    expect(scenario.state).toMatchObject({
      status: 'active',
      openCycle: {
        hold: null,
        firstFailedAt: declinedAt,
        retryCount: 0,
        nextRetryAt: new Date(+declinedAt + DAY_MS),
      },
    });
  });

  it('is paid by a new card or a retry that the customer requests meanwhile', () => {
    for (const command of [
      { kind: 'retry' },
      { kind: 'change_card', card: { ...CARD, fingerprint: 'second' } },
    ] as const) {
      const scenario = new SubscriptionScenario().charge(PAID, UNANSWERED).apply(command);
      expect(nextDue(scenario.state)?.kind).toBe('payment_delayed');
      expect(scenario.charge(PAID).state).toMatchObject({ status: 'active', openCycle: null });
    }
  });

  it('ends by a cancellation, and no probe follows', () => {
    const scenario = new SubscriptionScenario()
      .charge(PAID, UNANSWERED)
      .apply({ kind: 'cancel', atPeriodEnd: false });
    expect(scenario.state).toMatchObject({ status: 'canceled', openCycle: null });
    expect(nextDue(scenario.state)).toBeNull();
  });

  it('is not tried while paused, and the time of the pause does not count', () => {
    const scenario = new SubscriptionScenario()
      .charge(PAID, UNANSWERED)
      .apply({ kind: 'pause', until: null }, new Date(+DUE + HOUR_MS));
    expect(nextDue(scenario.state)).toBeNull();
    scenario.apply({ kind: 'resume' }, new Date(+DUE + HOUR_MS + 20 * DAY_MS));
    expect(nextDue(scenario.state)).toEqual({
      kind: 'probe',
      at: new Date(+DUE + HOUR_MS + 20 * DAY_MS),
    });
    expect(scenario.state.openCycle?.hold?.since).toEqual(new Date(+DUE + 20 * DAY_MS));
  });

  it('that a gateway refuses is retried like a soft decline', () => {
    const scenario = new SubscriptionScenario().charge(PAID, { kind: 'gateway_refused' });
    expect(scenario.state.openCycle).toMatchObject({ firstFailedAt: DUE, hold: null });
    expect(scenario.log.slice(3)).toEqual(['2026-02-28 payment.failed', '2026-02-28 payment.retry']);
  });
});

describe('other charges that no issuer answers', () => {
  it('a dunning retry stops the dunning schedule for as long as it is on hold', () => {
    const scenario = new SubscriptionScenario().charge(PAID, SOFT_DECLINE, UNANSWERED);
    while (scenario.state.lastTransitionAt < new Date(+DUE + 41 * DAY_MS)) scenario.charge(UNANSWERED);
    const held = +scenario.state.lastTransitionAt + 12 * HOUR_MS - (+DUE + DAY_MS);
    const at = scenario.charge(SOFT_DECLINE).state.lastTransitionAt;
    expect(scenario.state).toMatchObject({
      status: 'active',
      openCycle: {
        retryCount: 1,
        firstFailedAt: new Date(+DUE + held),
        nextRetryAt: new Date(+at + 3 * DAY_MS),
      },
    });
  });

  it('a retry of a past-due subscription stops its 90 days for as long as it is on hold', () => {
    const scenario = new SubscriptionScenario()
      .charge(PAID, { kind: 'declined', decline: { retry: 'by_request', waitMs: 0 } })
      .apply({ kind: 'retry' })
      .charge(UNANSWERED);
    while (scenario.state.lastTransitionAt < new Date(+DUE + 100 * DAY_MS)) scenario.charge(UNANSWERED);
    expect(scenario.state.status).toBe('past_due');
    const at = scenario.charge(HARD_DECLINE).state.lastTransitionAt;
    expect(scenario.state).toMatchObject({ status: 'past_due', pastDueSince: at });
    scenario.advanceTo('past_due_expired');
    expect(+scenario.state.lastTransitionAt).toBeGreaterThanOrEqual(+at + 89 * DAY_MS);
  });

  it('a first charge fails, because its customer is waiting', () => {
    const scenario = new SubscriptionScenario().charge(UNANSWERED);
    expect(scenario.state).toMatchObject({ status: 'pending', openCycle: { hold: null } });
    expect(scenario.log).toEqual(['2026-01-31 created', '2026-01-31 payment.failed']);
    expect(scenario.advanceTo('initial_payment_expired').state.status).toBe('canceled');
  });

  it('a plan change fails, and the plan stays', () => {
    const to = { ...GOLD, planId: 'diamond', amountCents: 30_000 };
    const scenario = new SubscriptionScenario()
      .charge(PAID)
      .apply({ kind: 'change_plan', to, immediately: null })
      .charge(UNANSWERED);
    expect(scenario.state).toMatchObject({ plan: GOLD, openCharge: null, openCycle: null });
  });
});
