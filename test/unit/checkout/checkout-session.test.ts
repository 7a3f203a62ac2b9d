import { isSameOffer, neverPaid, withoutClaim } from '../../../src/domain/checkout/checkout-session';
import type { CheckoutSession } from '../../../src/domain/checkout/checkout-session';
import { cancel } from '../../../src/domain/subscriptions/subscription-lifecycle';
import { HARD_DECLINE, PAID, SubscriptionScenario } from '../domain/subscriptions/subscription-scenario';

describe('a session and its use of the link', () => {
  const isReleased = ({ state }: SubscriptionScenario): boolean =>
    neverPaid(state, cancel(state, state.lastTransitionAt, 'requested').state);

  it('are released if the subscription is canceled before it was ever paid, except in its trial', () => {
    const trial = new SubscriptionScenario({ trialDays: 3 });
    expect(isReleased(trial)).toBe(false);
    expect(isReleased(trial.charge(HARD_DECLINE))).toBe(true);
    expect(trial.state.status).toBe('past_due');
    const pending = new SubscriptionScenario().charge(HARD_DECLINE);
    expect(isReleased(pending)).toBe(true);
    expect(isReleased(new SubscriptionScenario().charge(PAID, HARD_DECLINE))).toBe(false);
    expect(neverPaid(pending.state, pending.state)).toBe(false);
  });

  it('without its claim are open, with one use of the link less', () => {
    const link = { usesCount: 3 } as CheckoutSession['link'];
    const session = { status: 'claimed', tries: 2, link } as CheckoutSession;
    expect(withoutClaim(session)).toMatchObject({ status: 'open', tries: 2, link: { usesCount: 2 } });
  });
});

it('an offer is the same only if its first and later charges and the discounted cycles are', () => {
  const shown = { firstCents: 500, recurringCents: 1_000, couponCycles: 3 };
  expect(isSameOffer(shown, { ...shown })).toBe(true);
  for (const change of [{ firstCents: 499 }, { recurringCents: null }, { couponCycles: null }]) {
    expect(isSameOffer(shown, { ...shown, ...change })).toBe(false);
  }
});
