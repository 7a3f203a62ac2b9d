import {
  changedImmutableFields,
  planFaults,
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
  ] as const)('that is %s has periods of at most %d intervals', (interval, most) => {
    expect(planFaults({ interval, intervalCount: most })).toBeNull();
    const faults = planFaults({ interval, intervalCount: most + 1 });
    expect(faults).toEqual({ interval_count: [`must be at most ${most} when interval is ${interval}`] });
  });

  it('breaks a promise when its price or its rhythm changes, whatever else does', () => {
    const after = { ...GOLD, amountCents: 1, currency: 'USD', interval: 'daily', intervalCount: 2 } as const;
    expect(changedImmutableFields(GOLD, after)).toEqual(['amount', 'currency', 'interval', 'interval_count']);
    const words = { name: 'Silver', description: 'x', trialPeriodDays: 7, billingDay: 5, minCardMonths: 3 };
    expect(changedImmutableFields(GOLD, { ...GOLD, ...words, isActive: false })).toEqual([]);
  });
});
