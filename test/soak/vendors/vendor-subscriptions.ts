import { DRIVERS } from '../../../src/composition/drivers';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { rawCard, APPROVED_CARD } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { periodPriceViolations } from '../../support/subscriptions/subscription-money';
import { readSubscriptionMoney } from '../../support/subscriptions/subscription-money-records';
import { newKey } from '../support/merchant-backend';
import type { SoakMerchant } from '../support/soak-merchant';
import { FURTHER_FIELDS, type VendorSlugs } from './vendor-plan';

const DAY_MS = 86_400_000;
/** Three monthly charges: at the start and after each of two months. */
const RUNS_MS = 65 * DAY_MS;
/** Much longer than the recovery from a fault and an outcome that stays unknown as long as a vendor's lookup may lag. */
const REACHED_WITHIN_MS = 1_200_000;
const POLL_EVERY_MS = 500;

export interface VendorSubscriptions {
  readonly ids: readonly string[];
  readonly violations: readonly string[];
}

/** Runs monthly subscriptions, spread over the vendors that take cards. */
export async function runVendorSubscriptions(
  merchant: SoakMerchant,
  vendors: VendorSlugs,
  { count, concurrency }: { readonly count: number; readonly concurrency: number },
): Promise<VendorSubscriptions> {
  const gateways = [...vendors]
    .filter(([slug, driver]) => DRIVERS[driver]().capabilities(slug).methods.includes('card'))
    .map(([slug]) => slug);
  const planId = await createPlan(merchant);
  const ids: string[] = [];
  const violations: string[] = [];
  let started = 0;
  const runner = async (): Promise<void> => {
    while (started < count) {
      const gateway = gateways[started % gateways.length];
      started += 1;
      if (gateway === undefined) return;
      const id = await create(merchant, planId, gateway);
      // Without an approved first charge there is no subscription.
      if (id === null) continue;
      ids.push(id);
      violations.push(...(await advance(merchant, id, gateway)));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runner));
  return { ids, violations };
}

/** What was charged for the periods. Call it once no outcome is unknown any more: a charge may be made before it is recorded. */
export async function subscriptionMoneyViolations(
  { environment }: SoakMerchant,
  ids: readonly string[],
): Promise<string[]> {
  const violations: string[] = [];
  for (const id of ids)
    violations.push(...periodPriceViolations(await readSubscriptionMoney(environment, id)));
  return violations;
}

async function createPlan({ backend }: SoakMerchant): Promise<string> {
  const { data } = await backend.call('createPlan', 201, {
    headers: { 'Idempotency-Key': newKey() },
    body: { name: 'Flores do mês', amount: 4_990, currency: 'BRL', interval: 'monthly' },
  });
  return data.id;
}

async function advance(merchant: SoakMerchant, id: string, gateway: GatewaySlug): Promise<string[]> {
  const target = new Date(Date.now() + RUNS_MS);
  const hasReached = (): Promise<boolean> => clockReached(merchant, id, target);
  const waiting = waitFor(hasReached, { withinMs: REACHED_WITHIN_MS, everyMs: POLL_EVERY_MS });
  return waiting.then(
    () => [],
    () => [`the test clock of subscription ${id} at ${gateway} did not reach its target`],
  );
}

async function create(merchant: SoakMerchant, planId: string, gateway: GatewaySlug): Promise<string | null> {
  const { billing_address, payer } = FURTHER_FIELDS;
  const created = await merchant.backend.callAny('createSubscription', {
    headers: { 'Idempotency-Key': newKey() },
    body: {
      plan_id: planId,
      customer: { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' },
      card: rawCard(APPROVED_CARD),
      gateway_first_try: gateway,
      billing_address,
      payer,
    },
  });
  return created.status === 201 ? created.body.data.id : null;
}

/** Whether the clock has reached the target; moves it first, if it has not been moved so far. */
async function clockReached({ backend }: SoakMerchant, id: string, target: Date): Promise<boolean> {
  const { data } = await backend.call('getSubscription', 200, { params: { uuid: id } });
  if (data.status === 'canceled') return true;
  const { clock } = data;
  if (clock !== null && Date.parse(clock.target) >= target.getTime()) return clock.reached;
  await backend.call('moveSubscriptionClock', 200, {
    params: { uuid: id },
    body: { advance_to: target.toISOString() },
  });
  return false;
}
