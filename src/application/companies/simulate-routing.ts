import type { AuthenticatedCompany } from '../../domain/companies/company';
import {
  simulateRouting,
  type DescribedPayment,
  type RoutingSimulation,
} from '../../domain/routing/route-simulation';
import { validationError } from '../../domain/shared/errors';
import type { RoutingRule } from '../../domain/routing/routing-rules';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type { GatewayRepository } from '../../persistence/gateways/gateway-repository';

export interface SimulateRoutingDeps {
  readonly gateways: Pick<GatewayRepository, 'findRouting'>;
  readonly registries: GatewayRegistries;
  readonly now: () => Date;
}

/** Tells which gateway would take a payment, with the company's gateways as they are now. Nothing is stored or sent. */
export class SimulateRouting {
  constructor(private readonly deps: SimulateRoutingDeps) {}

  /**
   * `rules`: those to try; the company's own if null.
   *
   * @throws ApiError `validation_error` for a pix or boleto with fields of a card
   */
  async execute(
    company: AuthenticatedCompany,
    payment: DescribedPayment,
    rules: readonly RoutingRule[] | null,
  ): Promise<RoutingSimulation> {
    if (payment.paymentMethod !== 'card' && payment.installments > 1) {
      throw validationError({ installments: ['is for payment_method card only'] });
    }
    const registry = this.deps.registries.of(company.id);
    const found = await this.deps.gateways.findRouting(company.id, registry.platformSlugs(company.clientId));
    const routable = registry.routable(found.gateways, this.deps.now());
    return simulateRouting(payment, rules ?? found.rules, routable);
  }
}
