import { readRoutingRules } from '../../../application/companies/company-config-request';
import type { SimulateRouting } from '../../../application/companies/simulate-routing';
import { lastHours, type TimeRange } from '../../../domain/time/counter-range';
import type { RuleCharges } from '../../../persistence/read-models/rule-traffic';
import { presentRoutingTraffic } from '../../../presenters/routing/routing-traffic';
import { presentSimulation } from '../../../presenters/routing/routing-simulation';
import type { RouteHandlers } from '../../server/route';

export interface RoutingRouteDeps {
  readonly simulateRouting: SimulateRouting;
  /** Charges by rule of a range of whole hours. */
  readonly countRuleCharges: (companyId: number, hours: TimeRange) => Promise<RuleCharges[]>;
}

const TRAFFIC_HOURS = 30 * 24;

/** Tries routing rules out, and shows what they did. */
export function routingRoutes({
  simulateRouting,
  countRuleCharges,
}: RoutingRouteDeps): Pick<RouteHandlers, 'simulateRouting' | 'getRoutingTraffic'> {
  return {
    getRoutingTraffic: async ({ company, receivedAt }) => {
      const hours = lastHours(TRAFFIC_HOURS, receivedAt);
      const counted = await countRuleCharges(company.id, hours);
      return { status: 200, body: { data: presentRoutingTraffic(hours, counted) } };
    },

    simulateRouting: async ({ company, body }) => {
      const { payment_method: paymentMethod, amount, currency, installments = 1, capture = true } = body;
      const { card_brand: brand = 'unknown', bin: first6Digits = '', routing_rules: rules } = body;
      const card = paymentMethod === 'card' ? { brand, first6Digits } : null;
      const described = { paymentMethod, amountCents: amount, currency, installments, capture, card };
      const tried = rules === undefined ? null : readRoutingRules(rules);
      const simulation = await simulateRouting.execute(company, described, tried);
      return { status: 200, body: { data: presentSimulation(simulation) } };
    },
  };
}
