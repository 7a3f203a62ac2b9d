import * as fc from 'fast-check';
import {
  monthlyRevenueCents,
  REVENUE_MOVEMENTS,
  revenueByMonth,
  revenueMovement,
  type MonthlyMovement,
} from '../../../../src/domain/subscriptions/recurring-revenue';
import {
  SUBSCRIPTION_STATUSES,
  type SubscriptionState,
} from '../../../../src/domain/subscriptions/subscription';
import { monthsUntil } from '../../../../src/domain/time/months';
import { runScenario, scenarios } from './lifecycle-scenarios';
import { GOLD, PAID, SubscriptionScenario } from './subscription-scenario';

type Priced = Pick<SubscriptionState, 'status' | 'plan' | 'coupon'>;

const active = (
  change: Partial<SubscriptionState['plan']> = {},
  coupon: Priced['coupon'] = null,
): Priced => ({
  status: 'active',
  plan: { ...GOLD, ...change },
  coupon,
});

const intervals = fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const, 'yearly' as const);

/** The movements of a subscription that goes through these amounts, one each month. */
function movementsOf(amounts: readonly number[], months: readonly string[]): MonthlyMovement[] {
  let before = { cents: 0, hadRevenue: false };
  return amounts.flatMap((cents, index) => {
    const movement = revenueMovement(before, cents);
    before = { cents, hadRevenue: before.hadRevenue || cents > 0 };
    const month = months[index % months.length] ?? '';
    return movement === null ? [] : [{ ...movement, month }];
  });
}

describe('recurring revenue', () => {
  it('is 0 in every status but active', () => {
    const paying = SUBSCRIPTION_STATUSES.filter((status) => monthlyRevenueCents({ ...active(), status }) > 0);
    expect(paying).toEqual(['active']);
  });

  it('of twelve times a monthly price a year, or of three times it a quarter, is the monthly price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 999_999_999 }), (cents) => {
        const ways = [
          active({ amountCents: cents }),
          active({ amountCents: 12 * cents, interval: 'yearly' }),
          active({ amountCents: 3 * cents, intervalCount: 3 }),
          active({ amountCents: 24 * cents, interval: 'yearly', intervalCount: 2 }),
        ];
        expect(ways.map(monthlyRevenueCents)).toEqual([cents, cents, cents, cents]);
      }),
    );
  });

  it('never falls when the price rises, and never rises with a coupon', () => {
    const cents = fc.integer({ min: 100, max: 999_999_999_999 });
    const coupons = fc.record({
      discountType: fc.constantFrom('percentage' as const, 'fixed' as const),
      discountValue: fc.integer({ min: 1, max: 100 }),
      maxCycles: fc.constant(null),
    });
    fc.assert(
      fc.property(
        cents,
        cents,
        intervals,
        fc.integer({ min: 1, max: 365 }),
        coupons,
        (one, other, interval, count, discount) => {
          const of = (amountCents: number, coupon: Priced['coupon'] = null) =>
            monthlyRevenueCents(active({ amountCents, interval, intervalCount: count }, coupon));
          expect(of(Math.min(one, other))).toBeLessThanOrEqual(of(Math.max(one, other)));
          expect(of(one, { discount, cyclesUsed: 0 })).toBeLessThanOrEqual(of(one));
        },
      ),
    );
  });

  it('grows by the discount when a coupon has no cycle left', () => {
    const discount = { discountType: 'percentage', discountValue: 25, maxCycles: 3 } as const;
    const after = (cyclesUsed: number) => monthlyRevenueCents(active({}, { discount, cyclesUsed }));
    expect([after(0), after(2), after(3)]).toEqual([7_500, 7_500, 10_000]);
  });
});

describe('movements of recurring revenue', () => {
  it('of any life of a subscription add up from nothing to what it pays at last, and each has the sign of its kind', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const amounts = runScenario(scenario).map(({ state }) => monthlyRevenueCents(state));
        const movements = movementsOf(amounts, ['2026-01']);
        expect(movements.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(amounts.at(-1));
        for (const { kind, amountCents } of movements)
          expect(Math.sign(amountCents)).toBe(kind === 'contraction' || kind === 'churned' ? -1 : 1);
        const [first, ...later] = movements.map(({ kind }) => kind);
        expect([undefined, 'new']).toContain(first);
        expect(later).not.toContain('new');
      }),
      { numRuns: 200 },
    );
  });

  it('make each month end where the next one begins, whatever they are', () => {
    const months = ['2026-01', '2026-02', '2026-03', '2026-04'];
    const lives = fc.array(fc.array(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 8 }), {
      maxLength: 5,
    });
    fc.assert(
      fc.property(lives, (subscriptions) => {
        const movements = subscriptions.flatMap((amounts) => movementsOf(amounts, months));
        const now = subscriptions.reduce((sum, amounts) => sum + (amounts.at(-1) ?? 0), 0);
        const report = revenueByMonth(months, movements, now);
        expect(report.map(({ month }) => month)).toEqual(months);
        expect([report[0]?.startCents, report.at(-1)?.endCents]).toEqual([0, now]);
        for (const [index, month] of report.entries()) {
          const moved = REVENUE_MOVEMENTS.reduce((sum, kind) => sum + month[kind], 0);
          expect(month.startCents + moved).toBe(month.endCents);
          expect(month.startCents).toBe(index === 0 ? 0 : report[index - 1]?.endCents);
        }
      }),
    );
  });

  it('do not depend on the way to a state: a pause and its end cancel each other out', () => {
    const direct = new SubscriptionScenario().charge(PAID);
    const paused = new SubscriptionScenario().charge(PAID);
    const amounts = [monthlyRevenueCents(paused.state)];
    for (const command of [{ kind: 'pause', until: null }, { kind: 'resume' }] as const)
      amounts.push(monthlyRevenueCents(paused.apply(command).state));
    expect(movementsOf(amounts, ['2026-01']).map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
      ['new', 10_000],
      ['churned', -10_000],
      ['reactivated', 10_000],
    ]);
    expect(amounts.at(-1)).toBe(monthlyRevenueCents(direct.state));
  });
});

describe('the months of a report', () => {
  it('begin and end at midnight of the company’s time zone, without gaps', () => {
    const months = monthsUntil('America/Sao_Paulo', new Date('2026-03-01T02:59:59Z'), 3);
    expect(months).toEqual([
      { month: '2025-12', from: new Date('2025-12-01T03:00:00Z'), to: new Date('2026-01-01T03:00:00Z') },
      { month: '2026-01', from: new Date('2026-01-01T03:00:00Z'), to: new Date('2026-02-01T03:00:00Z') },
      { month: '2026-02', from: new Date('2026-02-01T03:00:00Z'), to: new Date('2026-03-01T03:00:00Z') },
    ]);
  });
});
