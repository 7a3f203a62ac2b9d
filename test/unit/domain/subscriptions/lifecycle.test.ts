import { upcoming } from '../../../../src/domain/subscriptions/upcoming-charges';
import { BEGINNING, CARD, GOLD, Life, PAID, REFUSED, STOLEN } from './subscription-scenario';

const NOW = { kind: 'cancel', atPeriodEnd: false } as const;
const AT_PERIOD_END = { kind: 'cancel', atPeriodEnd: true } as const;
const SILVER = { ...GOLD, planId: 'silver', amountCents: 4_000 };
const DIAMOND = { ...GOLD, planId: 'diamond', amountCents: 30_000 };
const YEARLY = { ...GOLD, planId: 'yearly', amountCents: 120_000, interval: 'yearly' } as const;

describe('a subscription without a trial', () => {
  it('is charged at once and on the anchor’s day of each month', () => {
    expect(new Life().charge(PAID, PAID, PAID).log).toEqual([
      '2026-01-31 created',
      '2026-01-31 payment.success',
      '2026-01-31 activated',
      '2026-02-28 payment.success',
      '2026-03-31 payment.success',
    ]);
  });

  it('whose first charge is refused waits 23 hours for a new card, and ends', () => {
    const life = new Life().charge(REFUSED);
    expect(life.state.status).toBe('pending');
    expect(life.next('initial_payment_expired').log).toEqual([
      '2026-01-31 created',
      '2026-01-31 payment.failed',
      '2026-02-01 canceled',
    ]);
    expect(life.state.cancelReason).toBe('payment_failed');
  });

  it('whose first charge is refused is charged by a new card at once', () => {
    const life = new Life().charge(STOLEN);
    expect(life.refusal({ kind: 'retry' })).toContain('must not be charged again');
    life.obey({ kind: 'change_card', card: { ...CARD, fingerprint: 'second' } }).charge(PAID);
    expect(life.state.status).toBe('active');
    expect(life.log.slice(-2)).toEqual(['2026-01-31 payment.success', '2026-01-31 activated']);
  });

  it('that begins on another day than its billing day pays a part first', () => {
    const life = new Life({ billingDay: 10 });
    expect(life.state.openCycle).toMatchObject({ amountCents: 3_226, chargeCents: 3_226 });
    life.charge(PAID).next();
    expect(life.state.openCycle).toMatchObject({
      amountCents: 10_000,
      dueAt: new Date('2026-02-10T15:00:00Z'),
    });
  });
});

describe('a trial', () => {
  it('is told of three days before its end, then charged', () => {
    expect(new Life({ trialDays: 7 }).charge(PAID).log).toEqual([
      '2026-01-31 created',
      '2026-01-31 trial_started',
      '2026-02-04 trial_ending',
      '2026-02-07 payment.success',
      '2026-02-07 activated',
    ]);
  });

  it('shorter than three days is told of one day before', () => {
    expect(new Life({ trialDays: 2 }).next('trial_ending').log).toContain('2026-02-01 trial_ending');
  });

  it('changes its plan at once and for nothing', () => {
    const life = new Life({ trialDays: 7 })
      .obey({ kind: 'change_plan', to: SILVER, immediately: null })
      .next();
    expect(life.state.openCycle).toMatchObject({ chargeCents: 4_000 });
  });

  it('cannot be paused; canceled at its end, it is never charged', () => {
    const life = new Life({ trialDays: 7 });
    expect(life.refusal({ kind: 'pause', until: null })).toBe('the subscription is trialing');
    life.obey(AT_PERIOD_END).next('period_ended');
    expect(life.log.at(-1)).toBe('2026-02-07 canceled');
    expect(life.state.cyclesOpened).toBe(0);
  });
});

describe('a refused renewal', () => {
  it('is tried after 1, 4, 9 and 16 days, then the subscription is past due, and ends after 90 days', () => {
    const life = new Life().charge(PAID, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED);
    expect(life.state.status).toBe('past_due');
    life.next('past_due_expired');
    expect(life.log.slice(3)).toEqual([
      '2026-02-28 payment.failed',
      '2026-02-28 payment.retry',
      '2026-03-01 payment.failed',
      '2026-03-01 payment.retry',
      '2026-03-04 payment.failed',
      '2026-03-04 payment.retry',
      '2026-03-09 payment.failed',
      '2026-03-09 payment.retry',
      '2026-03-16 payment.failed',
      '2026-03-16 past_due',
      '2026-06-14 canceled',
    ]);
  });

  it('that is irreversible makes it past due at once', () => {
    const life = new Life().charge(PAID, STOLEN);
    expect(life.log.slice(3)).toEqual(['2026-02-28 payment.failed', '2026-02-28 past_due']);
  });

  it.each(['fraud', 'auth_required'] as const)(
    'for %s is not tried again by itself, but may be by hand',
    (why) => {
      const life = new Life().charge(PAID, {
        kind: 'refused',
        refusal: { declineClass: why, adviceCode: null },
      });
      expect(life.log.slice(3)).toEqual(['2026-02-28 payment.failed', '2026-02-28 past_due']);
      life.obey({ kind: 'retry' }).charge(PAID);
      expect(life.state.status).toBe('active');
    },
  );

  it('that no gateway was asked for is none: it is charged again soon, and all retries are left', () => {
    const life = new Life().charge(PAID, { kind: 'not_attempted' });
    const due = new Date('2026-02-28T15:00:00Z');
    const again = new Date(+due + 6 * 3_600_000);
    expect(life.state).toMatchObject({
      status: 'active',
      openCycle: { firstFailedAt: null, retryCount: 0, nextRetryAt: again },
    });
    expect(life.log.slice(3)).toEqual(['2026-02-28 payment.retry']);
    life.charge(REFUSED, REFUSED, REFUSED, REFUSED);
    expect(life.state.status).toBe('active');
    expect(life.charge({ kind: 'not_attempted' }).state.status).toBe('active');
    expect(life.charge(REFUSED).state.status).toBe('past_due');
  });

  it('that is irreversible is not made up for by giving the same card once more; a renewed one is another', () => {
    const life = new Life().charge(PAID, STOLEN);
    expect(life.refusal({ kind: 'change_card', card: CARD })).toContain('must not be charged again');
    const renewed = { ...CARD, expireYear: CARD.expireYear + 4 };
    expect(life.obey({ kind: 'change_card', card: renewed }).state.openCharge).toEqual({ kind: 'cycle' });
  });

  it('that a retry pays keeps the dates', () => {
    const life = new Life().charge(PAID, REFUSED, PAID).next();
    expect(life.state.openCycle?.dueAt).toEqual(new Date('2026-03-31T15:00:00Z'));
  });

  it('that is made up for after its period begins a whole new one', () => {
    const life = new Life().charge(PAID, STOLEN);
    const later = new Date('2026-04-20T09:00:00Z');
    life.obey({ kind: 'change_card', card: { ...CARD, fingerprint: 'second' } }, later).charge(PAID);
    expect(life.state).toMatchObject({
      status: 'active',
      period: { start: later, end: new Date('2026-05-20T09:00:00Z') },
    });
  });

  it('opens no other cycle while it is not paid, not even of a daily plan', () => {
    const life = new Life({ plan: { ...GOLD, interval: 'daily' } }).charge(PAID, REFUSED, REFUSED, REFUSED);
    expect(life.state).toMatchObject({ cyclesOpened: 2, openCycle: { number: 2, retryCount: 2 } });
  });
});

describe('a pause', () => {
  it('until the very end that was asked for does not begin another period', () => {
    const life = new Life().charge(PAID).obey(AT_PERIOD_END);
    life.obey({ kind: 'pause', until: life.state.period?.end ?? null }).next('period_ended');
    expect(life.state).toMatchObject({ status: 'canceled', cancelReason: 'period_end', cyclesOpened: 1 });
  });

  const until = new Date('2026-02-10T15:00:00Z');

  it('within what is paid keeps the next date', () => {
    const life = new Life().charge(PAID).obey({ kind: 'pause', until }).next('pause_ended').next();
    expect(life.state.openCycle?.dueAt).toEqual(new Date('2026-02-28T15:00:00Z'));
  });

  it('longer than what is paid charges a new period when it ends, and nothing for itself', () => {
    const late = new Date('2026-06-15T15:00:00Z');
    const life = new Life().charge(PAID).obey({ kind: 'pause', until: late }).charge(PAID);
    expect(life.log.slice(3)).toEqual([
      '2026-01-31 paused',
      '2026-06-15 resumed',
      '2026-06-15 payment.success',
    ]);
    expect(life.state.period).toEqual({ start: late, end: new Date('2026-07-15T15:00:00Z') });
  });

  it('longer than what is paid goes on with the plan that waited for the period’s end', () => {
    const late = new Date('2026-06-15T15:00:00Z');
    const life = new Life()
      .charge(PAID)
      .obey({ kind: 'change_plan', to: SILVER, immediately: null })
      .obey({ kind: 'pause', until: late });
    expect(upcoming(life.state, 1)).toMatchObject([{ chargeCents: SILVER.amountCents, dueAt: late }]);
    expect(life.charge(PAID).log.slice(-3)).toEqual([
      '2026-06-15 resumed',
      '2026-06-15 plan_changed',
      '2026-06-15 payment.success',
    ]);
    expect(life.state).toMatchObject({ plan: SILVER, paidCents: SILVER.amountCents, plannedChange: null });
  });

  it('freezes dunning', () => {
    const life = new Life().charge(PAID, REFUSED);
    const paused = life.state.lastTransitionAt;
    life.obey({ kind: 'pause', until: null });
    life.obey({ kind: 'resume' }, new Date(+paused + 10 * 86_400_000)).charge(REFUSED, REFUSED);
    expect(life.log.slice(-4)).toEqual([
      '2026-03-11 payment.failed',
      '2026-03-11 payment.retry',
      '2026-03-14 payment.failed',
      '2026-03-14 payment.retry',
    ]);
  });

  it('does not keep an end from coming that was asked for', () => {
    const life = new Life().charge(PAID).obey(AT_PERIOD_END).obey({ kind: 'pause', until: null });
    expect(life.next('period_ended').log.at(-1)).toBe('2026-02-28 canceled');
  });
});

describe('a cancel', () => {
  it('ends it now, and gives the coupon back only when nothing was ever paid', () => {
    const life = new Life().charge(PAID).obey(NOW);
    expect(life.state).toMatchObject({ status: 'canceled', cancelReason: 'requested' });
    expect(life.refusal(NOW)).toBe('the subscription is canceled');
  });

  it('at the period’s end can be taken back', () => {
    const life = new Life().charge(PAID).obey(AT_PERIOD_END).obey({ kind: 'uncancel' }).charge(PAID);
    expect(life.state.status).toBe('active');
    expect(life.refusal({ kind: 'uncancel' })).toContain('no cancel is planned');
  });
});

describe('a change of plan', () => {
  it('to a dearer one costs the difference for what is left, and keeps the dates', () => {
    const life = new Life().charge(PAID);
    const middle = new Date('2026-02-14T15:00:00Z');
    life.obey({ kind: 'change_plan', to: DIAMOND, immediately: null }, middle);
    expect(life.state.openCharge).toMatchObject({ kind: 'plan_change', chargeCents: 10_000 });
    expect(life.charge(PAID).next().state.openCycle).toMatchObject({
      chargeCents: 30_000,
      dueAt: new Date('2026-02-28T15:00:00Z'),
    });
  });

  it('whose charge is refused leaves all as it was', () => {
    const life = new Life().charge(PAID);
    const before = life.state;
    life.obey({ kind: 'change_plan', to: DIAMOND, immediately: null }).charge(REFUSED);
    expect(life.state).toEqual(before);
  });

  it('to a cheaper one waits for the period’s end', () => {
    const life = new Life()
      .charge(PAID)
      .obey({ kind: 'change_plan', to: SILVER, immediately: null })
      .charge(PAID);
    expect(life.log.slice(3)).toEqual([
      '2026-01-31 plan_changed',
      '2026-02-28 plan_changed',
      '2026-02-28 payment.success',
    ]);
    expect(life.state).toMatchObject({ plan: SILVER, paidCents: 4_000, plannedChange: null });
  });

  it('of a cycle whose period is over unpaid has that charged at the new price', () => {
    const daily = { ...GOLD, interval: 'daily' } as const;
    const life = new Life({ plan: daily }).charge(PAID, REFUSED, REFUSED);
    life.obey({
      kind: 'change_plan',
      to: { ...daily, planId: 'dear', amountCents: 50_000 },
      immediately: null,
    });
    expect(life.state.openCycle).toMatchObject({ amountCents: 50_000, chargeCents: 50_000, retryCount: 1 });
    expect(life.charge(PAID).state).toMatchObject({ status: 'active', paidCents: 50_000 });
  });

  it('to a dearer one before the cycle is paid is worth both charges afterwards', () => {
    const life = new Life().charge(PAID, REFUSED);
    life.obey({ kind: 'change_plan', to: DIAMOND, immediately: null }).charge(PAID, PAID);
    expect(life.state).toMatchObject({ status: 'active', paidCents: 30_000 });
  });

  it('that is paid in place of a trial’s first cycle activates the subscription', () => {
    const life = new Life({ trialDays: 7 }).charge(REFUSED);
    life.obey({ kind: 'change_plan', to: YEARLY, immediately: null }).charge(PAID);
    expect(life.state).toMatchObject({ status: 'active', cyclesPaid: 1, openCycle: null });
    expect(life.log.slice(-2)).toEqual(['2026-02-07 plan_changed', '2026-02-07 activated']);
  });

  it('to another rhythm begins a new period at once, less what is left of the old one', () => {
    const life = new Life().charge(PAID);
    const middle = new Date('2026-02-14T15:00:00Z');
    life.obey({ kind: 'change_plan', to: YEARLY, immediately: null }, middle).charge(PAID);
    expect(life.state).toMatchObject({
      plan: YEARLY,
      paidCents: 115_000,
      period: { start: middle, end: new Date('2027-02-14T15:00:00Z') },
    });
  });
});

describe('what is left of a period when the plan changes', () => {
  const once = {
    discount: { discountType: 'percentage', discountValue: 50, maxCycles: 1 },
    cyclesUsed: 0,
  } as const;
  const middle = new Date('2026-02-14T15:00:00Z');
  const yearly = { kind: 'change_plan', to: YEARLY, immediately: true } as const;

  it('is worth what was paid for it, not what it costs without a coupon that is used up', () => {
    const life = new Life({ coupon: once }).charge(PAID).obey(yearly, middle);
    expect(life.state.openCharge).toMatchObject({ chargeCents: 120_000 - 2_500 });
  });

  it('is worth the dearer price once an upgrade paid for it', () => {
    const life = new Life().charge(PAID);
    life
      .obey({ kind: 'change_plan', to: DIAMOND, immediately: null }, middle)
      .charge(PAID)
      .obey(yearly, middle);
    expect(life.state.openCharge).toMatchObject({ chargeCents: 120_000 - 15_000 });
  });

  it('is worth the cheaper price after a downgrade that did not wait', () => {
    const life = new Life().charge(PAID);
    life.obey({ kind: 'change_plan', to: SILVER, immediately: true }, middle).obey(yearly, middle);
    expect(life.state.openCharge).toMatchObject({ chargeCents: 120_000 - 2_000 });
  });

  it('is a part of a whole period where the first one is short', () => {
    const life = new Life({ billingDay: 15 }).charge(PAID);
    // 15 of the 31 days from 15 January to 15 February were paid for: 4,839 of 10,000.
    expect(life.state.paidCents).toBe(4_839);
    life.obey({ kind: 'change_plan', to: DIAMOND, immediately: null });
    expect(life.state.openCharge).toMatchObject({ chargeCents: Math.round((20_000 * 15) / 31) });
    expect(life.charge(PAID).state.paidCents).toBe(14_516);
  });
});

describe('a coupon', () => {
  const coupon = {
    discount: { discountType: 'percentage', discountValue: 50, maxCycles: 2 },
    cyclesUsed: 0,
  } as const;

  it('counts for paid cycles only', () => {
    const life = new Life({ coupon }).charge(PAID, REFUSED, PAID).next();
    expect(life.state.openCycle).toMatchObject({ discountCents: 0, chargeCents: 10_000 });
  });

  it('is taken off both prices of an upgrade in the last cycle it counts for', () => {
    const once = { ...coupon, discount: { ...coupon.discount, maxCycles: 1 } };
    const life = new Life({ coupon: once }).charge(PAID);
    life.obey({
      kind: 'change_plan',
      to: { ...GOLD, planId: 'twice', amountCents: 20_000 },
      immediately: null,
    });
    expect(life.state.openCharge).toMatchObject({ chargeCents: 5_000 });
    life.charge(PAID).next();
    expect(life.state.openCycle).toMatchObject({ discountCents: 0, chargeCents: 20_000 });
  });

  it('is used by a change of plan that begins a period at a discount', () => {
    const life = new Life({ coupon }).charge(PAID);
    life.obey({ kind: 'change_plan', to: YEARLY, immediately: null });
    expect(life.state.openCharge).toMatchObject({ chargeCents: 55_000 });
    expect(life.charge(PAID).state.coupon).toMatchObject({ cyclesUsed: 2 });
  });

  it('that takes off everything makes a paid cycle without a charge', () => {
    const free = { ...coupon, discount: { ...coupon.discount, discountValue: 100 } };
    const life = new Life({ coupon: free });
    expect(life.state).toMatchObject({ status: 'active', openCharge: null, cyclesPaid: 1 });
    expect(life.log).toEqual(['2026-01-31 created', '2026-01-31 payment.success', '2026-01-31 activated']);
  });
});

describe('what is upcoming', () => {
  it('is what then happens, plan change, coupon and month ends included', () => {
    const discount = { discountType: 'fixed', discountValue: 500, maxCycles: 3 } as const;
    const life = new Life({ coupon: { discount, cyclesUsed: 0 }, billingDay: 15 }).charge(PAID);
    life.obey({ kind: 'change_plan', to: SILVER, immediately: null });
    const foreseen = upcoming(life.state, 6);
    const lived = foreseen.map(() => {
      const cycle = life.next().state.openCycle;
      life.charge(PAID);
      return cycle;
    });
    expect(foreseen).toEqual(lived);
    expect(foreseen.map(({ chargeCents }) => chargeCents)).toEqual([
      3_500, 3_500, 4_000, 4_000, 4_000, 4_000,
    ]);
  });

  it('begins with the retry of what is not paid, and is nothing once it will end', () => {
    const life = new Life().charge(PAID, REFUSED);
    expect(
      upcoming(life.state, 2).map(({ number, dueAt }) => [number, dueAt.toISOString().slice(0, 10)]),
    ).toEqual([
      [2, '2026-03-01'],
      [3, '2026-03-31'],
    ]);
    expect(upcoming(life.obey(AT_PERIOD_END).charge(PAID).state, 2)).toEqual([]);
  });
});

it('a card that expires is told of once, thirty days before', () => {
  const life = new Life({ card: { ...CARD, expireMonth: 4, expireYear: 2026 } }).charge(
    PAID,
    PAID,
    PAID,
    PAID,
  );
  expect(life.log.filter((line) => line.endsWith('card_expiring'))).toEqual(['2026-04-01 card_expiring']);
  expect(BEGINNING).toEqual(life.state.createdAt);
});
