import type { TimeRange } from '../../domain/time/counter-range';
import type { components } from '../../http/generated/openapi';
import { presentChargeCounts, type CountedByStatus } from './charge-counts';

/** Charges with the same status that one rule matched. `rule` is null for all charges of the company. */
interface PresentableCharges extends CountedByStatus {
  readonly rule: string | null;
}

const MAX_RULES = 100;

export function presentRoutingTraffic(
  { from, to }: TimeRange,
  counted: readonly PresentableCharges[],
): components['schemas']['RoutingTraffic'] {
  const { charges } = presentChargeCounts(counted.filter(({ rule }) => rule === null));
  const names = [...new Set(counted.flatMap(({ rule }) => rule ?? []))].sort();
  const rules = names
    .map((name) => ({ name, ...presentChargeCounts(counted.filter(({ rule }) => rule === name)) }))
    .sort((one, other) => other.charges - one.charges)
    .slice(0, MAX_RULES)
    .map((rule) => ({ ...rule, share: shareOf(rule.charges, charges) }));
  return { from: from.toISOString(), to: to.toISOString(), charges, rules };
}

function shareOf(part: number, all: number): number {
  return all === 0 ? 0 : Math.round((part / all) * 10_000) / 10_000;
}
