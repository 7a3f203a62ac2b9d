import {
  MAX_TRIES,
  offerAt,
  purchaseChargesOf,
  sessionExpiry,
  sessionProblem,
  unusedSessionCutoff,
  withoutClaim,
  type CheckoutSession,
} from '../../../src/domain/checkout/checkout-session';
import type { LinkTerms } from '../../../src/domain/checkout/payment-link';
import type { Coupon } from '../../../src/domain/subscriptions/coupon';
import type { Plan } from '../../../src/domain/subscriptions/plan';

const NOW = new Date('2026-03-10T12:00:00Z');
const ZONE = 'America/Sao_Paulo';
const at = (ms: number): Date => new Date(+NOW + ms);

const LINK: LinkTerms = {
  deletedAt: null,
  isActive: true,
  expiresAt: null,
  maxUses: null,
  usesCount: 3,
  plan: null,
};
const plan = (change: Partial<Plan> = {}) =>
  ({
    uuid: 'gold',
    amountCents: 10_000,
    currency: 'BRL',
    interval: 'monthly',
    intervalCount: 1,
    billingDay: null,
    trialPeriodDays: 0,
    ...change,
  }) as Plan;
const coupon = (change: Partial<Coupon> = {}) =>
  ({ discountType: 'percentage', discountValue: 50, maxCycles: 1, ...change }) as Coupon;

describe('a checkout session', () => {
  it('lasts 24 hours, and is deleted 30 days after it was opened if nothing was bought', () => {
    expect(sessionExpiry(NOW)).toEqual(new Date('2026-03-11T12:00:00Z'));
    expect(unusedSessionCutoff(NOW)).toEqual(new Date('2026-02-08T12:00:00Z'));
  });

  it.each([
    [{}, null],
    [{ status: 'claimed' }, 'session_used'],
    [{ status: 'closed' }, 'session_used'],
    [{ tries: MAX_TRIES - 1 }, null],
    [{ tries: MAX_TRIES }, 'session_used'],
    [{ expiresAt: NOW }, 'session_expired'],
    [{ expiresAt: at(1) }, null],
    [{ link: LINK }, null],
    [{ link: { ...LINK, deletedAt: NOW }, expiresAt: NOW }, 'link_deleted'],
    [{ link: { ...LINK, isActive: false }, expiresAt: NOW }, 'link_inactive'],
    [{ link: { ...LINK, expiresAt: NOW } }, 'link_expired'],
    [{ link: { ...LINK, expiresAt: NOW }, expiresAt: NOW }, 'session_expired'],
    [{ link: { ...LINK, maxUses: 3 } }, 'link_exhausted'],
    [{ link: { ...LINK, maxUses: 3 }, status: 'closed' }, 'session_used'],
  ] as const)('with %j has the problem: %s', (change, problem) => {
    const session = { status: 'open', tries: 0, link: null, expiresAt: at(1), ...change } as const;
    expect(sessionProblem(session, NOW)).toBe(problem);
  });

  it('that no link opened has no use to give back', () => {
    const session = { status: 'claimed', tries: 2, link: null } as CheckoutSession;
    expect(withoutClaim(session)).toEqual({ status: 'open', tries: 2, link: null });
  });
});

describe('the charges of a purchase', () => {
  const chargesOf = (sale: Parameters<typeof purchaseChargesOf>[0]) => purchaseChargesOf(sale, ZONE, NOW);
  const subscribed = (change: Partial<Plan> = {}, discount: Coupon | null = null) =>
    chargesOf({ amountCents: null, plan: plan(change), coupon: discount });

  it('of a one-time purchase are its amount, once', () => {
    const once = { amountCents: 4_990, plan: null, coupon: null };
    expect(chargesOf(once)).toEqual({ firstCents: 4_990, firstAt: null, recurringCents: null });
    expect(chargesOf({ ...once, amountCents: null }).firstCents).toBe(0);
    expect(offerAt(once, ZONE, NOW)).toBeNull();
  });

  it.each([
    ['a plan', {}, null, 10_000, 10_000],
    ['a coupon for one cycle', {}, coupon(), 5_000, 10_000],
    ['a coupon for all cycles', {}, coupon({ maxCycles: null }), 5_000, 5_000],
    ['a coupon that makes the first cycle free', {}, coupon({ discountValue: 100 }), 0, 10_000],
    // 5 of the 31 days until the 15th.
    ['a billing day', { billingDay: 15 }, null, 1_786, 10_000],
  ] as const)('of a subscription with %s are those that billing makes', (_, change, discount, ...cents) => {
    const [firstCents, recurringCents] = cents;
    expect(subscribed(change, discount)).toEqual({ firstCents, firstAt: null, recurringCents });
  });

  it('of a trial begin at its end', () => {
    const trial = { trialPeriodDays: 7 };
    const firstAt = new Date('2026-03-17T12:00:00Z');
    expect(subscribed(trial)).toEqual({ firstCents: 10_000, firstAt, recurringCents: 10_000 });
    expect(subscribed(trial, coupon())).toMatchObject({ firstCents: 5_000, recurringCents: 10_000 });
  });
});

describe('what the buyer of a subscription is shown', () => {
  const sale = (discount: Coupon | null) => ({ amountCents: null, plan: plan(), coupon: discount });

  it('has how many cycles the coupon discounts', () => {
    const shown = { firstCents: 5_000, recurringCents: 10_000 };
    expect(offerAt(sale(coupon()), ZONE, NOW)).toEqual({ ...shown, couponCycles: 1 });
    expect(offerAt(sale(null), ZONE, NOW)).toMatchObject({ firstCents: 10_000, couponCycles: null });
  });
});
