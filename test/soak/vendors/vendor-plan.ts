import fc from 'fast-check';
import { DRIVERS } from '../../../src/composition/drivers';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { DriverName } from '../../../src/gateways/driver-names';
import { ADDRESS } from '../../api/support/company-api';
import { chargeFault, operationFault } from '../support/fault-injection';
import type { PlannedPurchase } from '../support/month-plan';
import { VENDOR_SCENARIOS, type VendorScenario } from './vendor-scenarios';

export type VendorSlugs = ReadonlyMap<GatewaySlug, DriverName>;

/** Amounts are unique, because the simulator's scripts match on them; and small enough for every vendor's boletos. */
const SMALLEST_CENTS = 1_000_000;
const AMOUNT_STEP_CENTS = 700;

/** What the vendors ask for together. */
export const FURTHER_FIELDS = {
  billing_address: ADDRESS,
  payer: { ip: '203.0.113.7', phone: '+5511912345678' },
  items: [{ name: 'Flores', quantity: 1, unit_amount: 100 }],
  return_url: 'https://shop.example/obrigado',
};

/** This many purchases, each at a random gateway that can do what it needs. The same seed gives the same purchases. */
export function planVendorPurchases(count: number, vendors: VendorSlugs, seed: number): PlannedPurchase[] {
  const kinds = [...vendors].flatMap(([slug, driver]) =>
    scenariosOf(driver, slug).map((scenario) => ({
      weight: scenario.count,
      arbitrary: fc.constant({ scenario, gateway: slug }),
    })),
  );
  const purchase = fc.record({
    kind: fc.oneof(...kinds),
    cents: fc.nat(AMOUNT_STEP_CENTS - 1),
    partialPercent: fc.integer({ min: 1, max: 99 }),
    chargeFault,
    operationFaults: fc.array(operationFault, { minLength: 3, maxLength: 3 }),
  });
  return fc
    .sample(purchase, { seed, numRuns: count, unbiased: true })
    .map(({ kind, cents, ...parameters }, index) => ({
      ...kind,
      ...parameters,
      furtherFields: FURTHER_FIELDS,
      amountCents: SMALLEST_CENTS + index * AMOUNT_STEP_CENTS + cents,
    }));
}

function scenariosOf(driver: DriverName, slug: GatewaySlug): readonly VendorScenario[] {
  const capabilities = DRIVERS[driver]().capabilities(slug);
  return VENDOR_SCENARIOS.filter(({ needs }) => needs(capabilities));
}
