import { DateTime } from 'luxon';
import { GATEWAY_SLUGS, type GatewaySlug } from '../../domain/shared/gateway-slug';
import { BRASILIA } from '../../domain/time/timezone';
import type { AppContext } from '../app-context';

/** When gateways have made the statement of the day before, in Brasília. */
const READY_AT_HOUR = 6;

/** Adds the settlements of days that have ended, of gateways that send statements. The sweeper starts their workflows. */
export async function addDueSettlements(
  context: Pick<AppContext, 'settlements' | 'registries' | 'now'>,
  limit: number,
): Promise<number> {
  const now = context.now();
  const lastDay = DateTime.fromJSDate(now, { zone: BRASILIA })
    .minus({ hours: READY_AT_HOUR })
    .minus({ days: 1 })
    .toFormat('yyyy-MM-dd');
  const gateways = { positive: gatewaysOf(context, 1), negative: gatewaysOf(context, -1) };
  return context.settlements.insertMissing(gateways, lastDay, limit, now);
}

/** Those that send statements, for companies with ids of this sign; none if the deployment has no gateways for them. */
function gatewaysOf({ registries }: Pick<AppContext, 'registries'>, sign: 1 | -1): GatewaySlug[] {
  const registry = registries.find(sign);
  if (registry === null) return [];
  return GATEWAY_SLUGS.filter(
    (slug) => registry.isConfigured(slug) && registry.capabilities(slug).statements === true,
  );
}
