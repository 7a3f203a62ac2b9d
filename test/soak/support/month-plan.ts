import fc from 'fast-check';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { DISPUTE_SCENARIOS } from './disputes/dispute-scenarios';
import { chargeFault, operationFault, type InjectedGatewayFault } from './fault-injection';
import { GATEWAY_PAGE_SCENARIOS } from './gateway-page-scenarios';
import { PURCHASE_SCENARIOS, type PurchaseScenario } from './purchase-scenarios';

/** One purchase of a month: its scenario and its random parameters. */
export interface PlannedPurchase {
  readonly scenario: PurchaseScenario;
  /** Unique in the month: the simulator's scripts match on it. */
  readonly amountCents: number;
  readonly gateway: GatewaySlug;
  /** Of the request, for gateways that ask for more than every request has. */
  readonly furtherFields?: object;
  /** What a partial amount is of the whole, in percent. */
  readonly partialPercent: number;
  readonly chargeFault: InjectedGatewayFault | null;
  /** One for each operation on the charge, in order. */
  readonly operationFaults: ReadonlyArray<InjectedGatewayFault | null>;
}

/** Every kind of lookup: 1 and 4 by key and reference, 2 by reference, 6 by key, 3 none. */
const GATEWAYS: readonly GatewaySlug[] = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_4', 'gateway_6'];
/** Each payment's amount is random within a range of its own of this size. */
const AMOUNT_STEP_CENTS = 1_000;
const MONTHS = 1_000;
const SMALLEST_CENTS = 1_000_000;

/** The kinds of purchases that a month has. */
export const SCENARIOS: readonly PurchaseScenario[] = [
  ...PURCHASE_SCENARIOS,
  ...GATEWAY_PAGE_SCENARIOS,
  ...DISPUTE_SCENARIOS,
];

/** Each scenario as often as its count says. */
const MONTH: readonly PurchaseScenario[] = SCENARIOS.flatMap((scenario) => repeat(scenario, scenario.count));

/** Each scenario a quarter as often, and at least once. */
const WEEK: readonly PurchaseScenario[] = SCENARIOS.flatMap((scenario) =>
  repeat(scenario, Math.ceil(scenario.count / 4)),
);

export const PAYMENTS_PER_WEEK = WEEK.length;

const parameters = fc.record({
  cents: fc.nat(AMOUNT_STEP_CENTS - 1),
  gateway: fc.constantFrom(...GATEWAYS),
  partialPercent: fc.integer({ min: 1, max: 99 }),
  chargeFault,
  operationFaults: fc.array(operationFault, { minLength: 3, maxLength: 3 }),
});

/** A month's purchases in random order with random parameters. The same seed gives the same month. */
export function planMonth(seed: number): PlannedPurchase[] {
  return plan(MONTH, seed);
}

/** As `planMonth`, a quarter as long. */
export function planWeek(seed: number): PlannedPurchase[] {
  return plan(WEEK, seed);
}

function plan(purchases: readonly PurchaseScenario[], seed: number): PlannedPurchase[] {
  const length = { minLength: purchases.length, maxLength: purchases.length };
  const drawing = fc.tuple(
    fc.shuffledSubarray([...purchases], length),
    fc.array(parameters, { ...length, size: 'max' }),
  );
  const [drawn] = fc.sample(drawing, { seed, numRuns: 1, unbiased: true });
  if (drawn === undefined) throw new Error('fast-check generated no sample');
  const [scenarios, drawnParameters] = drawn;
  const firstCents = SMALLEST_CENTS + (seed % MONTHS) * purchases.length * AMOUNT_STEP_CENTS;
  return scenarios.flatMap((scenario, index) => {
    const own = drawnParameters[index];
    if (own === undefined) return [];
    const { cents, ...rest } = own;
    return [{ scenario, amountCents: firstCents + index * AMOUNT_STEP_CENTS + cents, ...rest }];
  });
}

function repeat(scenario: PurchaseScenario, count: number): PurchaseScenario[] {
  return Array<PurchaseScenario>(count).fill(scenario);
}
