import {
  hadSamePeriods,
  periodPriceViolations,
  routeViolations,
  type SettledCycle,
  type SubscriptionMoney,
} from '../../../support/subscriptions/subscription-money';

const DAY_MS = 86_400_000;
const [SILVER, GOLD, WEEKLY] = [30_000, 60_000, 7_000];

function cycle(change: Partial<SettledCycle> = {}): SettledCycle {
  const base = { kind: 'regular', amountCents: SILVER, chargeCents: SILVER, creditCents: 0 } as const;
  return { ...base, start: 0, end: 30 * DAY_MS, ...change };
}

const charged = (cents: number): Pick<SettledCycle, 'amountCents' | 'chargeCents'> => ({
  amountCents: cents,
  chargeCents: cents,
});

function money(change: Partial<SubscriptionMoney>): SubscriptionMoney {
  const cycles = change.cycles ?? [cycle()];
  const takenCents = cycles.reduce((sum, { chargeCents }) => sum + chargeCents, 0);
  const plans = [{ cents: SILVER, from: 0 }];
  return { id: 'it', plans, cycles, creditBalanceCents: 0, takenCents, ...change };
}

const halfway = { start: 15 * DAY_MS, end: 30 * DAY_MS };
const renewal = { start: 30 * DAY_MS, end: 61 * DAY_MS };
const toGold = [
  { cents: SILVER, from: 0 },
  { cents: GOLD, from: 15 * DAY_MS },
];
const upgraded = money({
  plans: toGold,
  cycles: [cycle(), cycle({ kind: 'proration', ...charged((GOLD - SILVER) / 2), ...halfway })],
});
const downgraded = money({
  plans: [
    { cents: GOLD, from: 0 },
    { cents: SILVER, from: 15 * DAY_MS },
  ],
  cycles: [cycle(charged(GOLD))],
  creditBalanceCents: (GOLD - SILVER) / 2,
});
const weekly = { start: 15 * DAY_MS, end: 22 * DAY_MS };
const restarted = money({
  plans: [
    { cents: SILVER, from: 0 },
    { cents: WEEKLY, from: 15 * DAY_MS },
  ],
  cycles: [cycle(), cycle({ kind: 'interval_change', ...charged(0), ...weekly })],
  creditBalanceCents: SILVER / 2 - WEEKLY,
});

describe('the check of what periods were paid', () => {
  it.each([
    ['a renewal', money({ cycles: [cycle(), cycle(renewal)] })],
    ['an upgrade', upgraded],
    ['a downgrade that leaves credit', downgraded],
    ['a change of interval that leaves credit', restarted],
    [
      'a period that credit paid in part',
      {
        ...downgraded,
        ...money({
          cycles: [...downgraded.cycles, cycle({ ...renewal, creditCents: 15_000, chargeCents: 15_000 })],
        }),
        plans: downgraded.plans,
      },
    ],
  ])('accepts %s', (_, records) => {
    expect(periodPriceViolations(records)).toEqual([]);
  });

  it.each([
    ['a proration that is not charged', { ...upgraded, ...money({ plans: toGold }) }],
    ['credit that is lost', { ...downgraded, creditBalanceCents: 0 }],
    ['the unused time of a period that is paid twice', { ...restarted, creditBalanceCents: 0 }],
    ['a period at the price of another plan', money({ cycles: [cycle(charged(GOLD))] })],
    [
      'a cent too much',
      money({ cycles: [...upgraded.cycles, cycle({ kind: 'proration', ...charged(3), ...halfway })] }),
    ],
    ['a charge that its gateway did not make', money({ takenCents: 0 })],
  ])('names %s', (_, records) => {
    expect(periodPriceViolations(records)).not.toEqual([]);
  });
});

describe('the check of two routes', () => {
  const at = 10 * DAY_MS;
  const gold = { cents: GOLD, from: at };
  const proration = (cents: number): SettledCycle =>
    cycle({ kind: 'proration', ...charged(cents), start: at, end: 30 * DAY_MS });
  const direct = money({
    id: 'direct',
    plans: [{ cents: SILVER, from: 0 }, gold],
    cycles: [cycle(), proration(20_000)],
  });
  const byWeekly = (creditBalanceCents: number, chargeCents: number): SubscriptionMoney =>
    money({
      id: 'detour',
      plans: [{ cents: SILVER, from: 0 }, { cents: WEEKLY, from: at }, gold],
      cycles: [
        cycle(),
        cycle({ kind: 'interval_change', ...charged(0), start: at, end: at + 7 * DAY_MS }),
        cycle({ kind: 'interval_change', ...charged(chargeCents), start: at, end: at + 30 * DAY_MS }),
      ],
      creditBalanceCents,
    });

  it('accepts a detour whose unused time and credit pay for the plan after it', () => {
    // The first period was used for 10 of 30 days: 20,000 are left over, of which 7,000 pay for the week that is not used.
    expect(routeViolations(direct, byWeekly(0, GOLD - 20_000))).toEqual([]);
    expect(hadSamePeriods(direct, byWeekly(0, GOLD - 20_000))).toBe(true);
  });

  it('names a detour that costs more or less, and compares only the same periods', () => {
    expect(routeViolations(direct, byWeekly(0, GOLD))).toHaveLength(1);
    expect(routeViolations(direct, byWeekly(20_000, GOLD - 20_000))).toHaveLength(1);
    const held = { ...direct, cycles: [cycle({ start: DAY_MS, end: 31 * DAY_MS })] };
    expect(hadSamePeriods(held, byWeekly(0, GOLD))).toBe(false);
  });
});
