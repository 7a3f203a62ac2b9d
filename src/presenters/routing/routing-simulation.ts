import type { RoutingSimulation, SimulatedRoute } from '../../domain/routing/route-simulation';
import type { components } from '../../http/generated/openapi';

type Schemas = components['schemas'];

export function presentSimulation({
  rule,
  routes,
  passedOver,
}: RoutingSimulation): Schemas['RoutingSimulation'] {
  return {
    rule: rule && { number: rule.number, name: rule.name },
    routes: routes.map(presentRoute),
    passed_over: passedOver.map(({ gateway, feature: reason }) => ({ gateway, reason })),
  };
}

function presentRoute({ gateway, reason, circuitOpen }: SimulatedRoute): Schemas['SimulatedRoute'] {
  return {
    gateway,
    reason: reason.kind,
    percent: reason.kind === 'share' ? reason.percent : null,
    order: reason.kind === 'order' ? reason.order : null,
    failing: circuitOpen,
  };
}
