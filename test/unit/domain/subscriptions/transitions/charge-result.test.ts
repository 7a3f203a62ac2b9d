import { isUnresolved, unresolvedCycle } from '../../../../../src/domain/subscriptions/charge-hold';
import { chargeResultOf, isUnanswered } from '../../../../../src/domain/subscriptions/charge-result';
import { refusalError } from '../../../../../src/domain/subscriptions/command-refusal';
import { cancel } from '../../../../../src/domain/subscriptions/subscription-lifecycle';
import { chain, subscriptionSummary, transition } from '../../../../../src/domain/subscriptions/subscription';
import { PAID, SOFT_DECLINE, SubscriptionScenario, UNANSWERED } from '../subscription-scenario';

const answer = (change: object) => ({
  status: 'error' as const,
  responseCode: null,
  adviceCode: null,
  declineType: null,
  errorFamily: null,
  ...change,
});

describe('the result of a subscription’s charge', () => {
  it.each([
    ['approved', { kind: 'paid' }],
    ['refunded', { kind: 'paid' }],
    ['failed', { kind: 'unanswered', reason: 'not_attempted' }],
    ['canceled', { kind: 'unanswered', reason: 'not_attempted' }],
  ] as const)('of a payment that is %s, without an attempt, is %j', (status, expected) => {
    expect(chargeResultOf(status, [], 'visa')).toEqual(expected);
  });

  it('of a decline has the rule of its code, its brand and its advice', () => {
    const declineOf = (brand: string, change: object) =>
      chargeResultOf('failed', [answer({ status: 'declined', responseCode: '51', ...change })], brand);
    const rule = (retry: string, waitMs = 0) => ({ kind: 'declined', decline: { retry, waitMs } });
    expect(declineOf('visa', {})).toMatchObject(rule('automatic'));
    expect(declineOf('visa', { responseCode: '41' })).toMatchObject(rule('never'));
    expect(declineOf('mastercard', { adviceCode: '03' })).toMatchObject(rule('never'));
    expect(declineOf('amex', { responseCode: '200' })).toMatchObject(rule('never'));
  });

  it.each([
    ['soft', 'automatic'],
    ['hard', 'by_request'],
    ['fraud', 'by_request'],
    ['auth_required', 'by_request'],
  ] as const)(
    'of a decline without a code that the driver calls %s may be retried: %s',
    (declineType, retry) => {
      const attempt = answer({ status: 'declined', declineType });
      const decline = { retry, waitMs: 0 };
      expect(chargeResultOf('failed', [attempt], 'visa')).toEqual({ kind: 'declined', decline });
    },
  );

  it.each([
    ['sent', true],
    ['unknown', true],
    ['abandoned', true],
    ['requested', false],
    ['approved', false],
    ['authorized', false],
    ['pending', false],
    ['declined', false],
    ['canceled', false],
    ['refunded', false],
    ['error', false],
  ] as const)('of an attempt that is %s and has no gateway error is unanswered: %s', (status, expected) => {
    expect(isUnanswered(answer({ status }))).toBe(expected);
  });

  it.each([
    ['not_sent', true],
    ['rate_limited', true],
    ['ambiguous', true],
    ['bad_credentials', false],
    ['unsupported', false],
    ['invalid_request', false],
  ] as const)('of the gateway error %s is an outage: %s', (family, outage) => {
    expect(isUnanswered(answer({ errorFamily: family }))).toBe(outage);
    expect(chargeResultOf('failed', [answer({ errorFamily: family })], 'visa').kind).toBe(
      outage ? 'unanswered' : 'gateway_refused',
    );
  });
});

describe('a charge whose gateway does not say what became of it', () => {
  const charged = () => new SubscriptionScenario().charge(PAID).advanceTo().state;

  it('is on hold from its beginning, without a probe, and stays open', () => {
    const state = charged();
    const cycle = state.openCycle;
    if (cycle === null) throw new Error('no cycle is open');
    const began = state.lastTransitionAt;
    const unresolved = unresolvedCycle(cycle, began);
    expect(unresolved).toEqual({
      ...cycle,
      hold: {
        since: began,
        reason: 'outcome_unknown',
        detail: null,
        nextProbeAt: null,
        delayNotified: false,
      },
    });
    expect(isUnresolved({ ...state, openCycle: unresolved })).toBe(true);
    expect(isUnresolved({ ...state, openCycle: unresolved, openCharge: null })).toBe(false);
    expect(isUnresolved(state)).toBe(false);
    expect(isUnresolved({ ...state, openCycle: null })).toBe(false);
  });

  it('goes on with the hold that it had', () => {
    const { openCycle } = new SubscriptionScenario().charge(PAID, UNANSWERED).state;
    if (!openCycle?.hold) throw new Error('the charge is not on hold');
    const notified = { ...openCycle, hold: { ...openCycle.hold, delayNotified: true } };
    expect(unresolvedCycle(notified, new Date(0)).hold).toEqual({
      since: openCycle.hold.since,
      reason: 'outcome_unknown',
      detail: null,
      nextProbeAt: null,
      delayNotified: true,
    });
    const held = new SubscriptionScenario().charge(PAID, UNANSWERED).state;
    expect(isUnresolved({ ...held, openCharge: { kind: 'cycle' } })).toBe(false);
  });
});

describe('a refused command', () => {
  it('is a 422 about the card that was given, else a 409 whose message is a sentence', () => {
    expect(refusalError({ subject: 'card', reason: 'is worn' })).toMatchObject({
      code: 'validation_error',
      fields: { card: ['is worn'] },
    });
    expect(refusalError({ subject: 'state', reason: 'the subscription is canceled' })).toMatchObject({
      code: 'invalid_state',
      message: 'The subscription is canceled.',
    });
  });
});

describe('two transitions in a row', () => {
  it('release the coupon if one of them does', () => {
    const coupon = {
      discount: { discountType: 'fixed', discountValue: 100, maxCycles: null },
      cyclesUsed: 0,
    } as const;
    const { state } = new SubscriptionScenario({ coupon }).charge(SOFT_DECLINE);
    const canceled = cancel(state, state.lastTransitionAt, 'requested');
    const nothing = transition(state);
    expect(chain(nothing, () => canceled).releasesCoupon).toBe(true);
    expect(chain(canceled, () => nothing).releasesCoupon).toBe(true);
    expect(chain(nothing, () => nothing).releasesCoupon).toBe(false);
  });
});

describe('the summary of a subscription', () => {
  it.each([
    [1, 'Gold, R$ 10,00 monthly'],
    [3, 'Gold, R$ 10,00 monthly, every 3'],
  ])('charged every %d intervals is “%s”', (intervalCount, expected) => {
    const plan = { planName: 'Gold', amountCents: 1_000, currency: 'BRL', interval: 'monthly' } as const;
    expect(subscriptionSummary({ ...plan, intervalCount })).toBe(expected);
  });
});
