import { readRoutingRules } from '../../../application/companies/company-config-request';
import type { SimulateRouting } from '../../../application/companies/simulate-routing';
import { presentSimulation } from '../../../presenters/routing/routing-simulation';
import type { RouteHandlers } from '../../server/route';

export interface RoutingRouteDeps {
  readonly simulateRouting: SimulateRouting;
}

/** Tries routing rules out. */
export function routingRoutes({ simulateRouting }: RoutingRouteDeps): Pick<RouteHandlers, 'simulateRouting'> {
  return {
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
