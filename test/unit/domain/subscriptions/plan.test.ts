import {
  changedImmutableFields,
  planErrors,
  type PlanDetails,
} from '../../../../src/domain/subscriptions/plan';

const GOLD: PlanDetails = {
  name: 'Gold',
  description: null,
  amountCents: 9_990,
  currency: 'BRL',
  interval: 'monthly',
  intervalCount: 1,
  trialPeriodDays: 0,
  billingDay: null,
  minCardMonths: 0,
  isActive: true,
};

describe('a plan', () => {
  it.each([
    ['daily', 365],
    ['weekly', 365],
    ['monthly', 120],
    ['yearly', 10],
  ] as const)('a %s plan has periods of at most %d intervals', (interval, max) => {
    expect(planErrors({ interval, intervalCount: max })).toBeNull();
    const errors = planErrors({ interval, intervalCount: max + 1 });
    expect(errors).toEqual({ interval_count: [`must be at most ${max} when interval is ${interval}`] });
  });

  it('price and interval are immutable, and nothing else is', () => {
    const after = { ...GOLD, amountCents: 1, currency: 'USD', interval: 'daily', intervalCount: 2 } as const;
    expect(changedImmutableFields(GOLD, after)).toEqual(['amount', 'currency', 'interval', 'interval_count']);
    const mutable = { name: 'Silver', description: 'x', trialPeriodDays: 7, billingDay: 5, minCardMonths: 3 };
    expect(changedImmutableFields(GOLD, { ...GOLD, ...mutable, isActive: false })).toEqual([]);
  });
});
