import { ledgerTotals, transactionOf, type LedgerEntry } from '../../src/gateways/simulator/ledger';

/**
 * What must hold for money once every story is over, in words; empty when all of it does.
 * The ledger belongs to the simulator, another process, so it is the truth that the engine's status is compared with.
 */
export function ledgerViolations(entries: readonly LedgerEntry[]): string[] {
  const payments = groupBy(entries, (entry) => transactionOf(entry.reference));
  return [...payments].flatMap(([payment, ofPayment]) => paymentViolations(payment, ofPayment));
}

function paymentViolations(payment: string, entries: readonly LedgerEntry[]): string[] {
  const charges = [...groupBy(entries, (entry) => entry.charge_id)];
  const live = charges.filter(([, ofCharge]) => {
    const { captured, refunded, held } = ledgerTotals(ofCharge);
    return captured > refunded || held > 0;
  });
  const several = live.length > 1 ? [`${payment}: ${live.length} charges hold or took money`] : [];
  return [...several, ...charges.flatMap(([charge, ofCharge]) => chargeViolations(charge, ofCharge))];
}

function chargeViolations(charge: string, entries: readonly LedgerEntry[]): string[] {
  const { authorized, captured, refunded, held } = ledgerTotals(entries);
  const sum = (kind: LedgerEntry['kind']): number =>
    entries.reduce((total, entry) => total + (entry.kind === kind ? entry.amount : 0), 0);
  const shared = sum('split') + sum('fee');
  const violations: string[] = [];
  if (captured > authorized) violations.push(`${charge}: captured ${captured} of ${authorized} authorized`);
  if (refunded > captured) violations.push(`${charge}: refunded ${refunded} of ${captured} captured`);
  if (held < 0) violations.push(`${charge}: ${-held} more was taken from the hold than was in it`);
  if (sum('split') > 0 && shared !== captured) {
    violations.push(`${charge}: splits and fees are ${shared} of ${captured} captured`);
  }
  return violations;
}

function groupBy(
  entries: readonly LedgerEntry[],
  keyOf: (entry: LedgerEntry) => string,
): Map<string, LedgerEntry[]> {
  const groups = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group === undefined) groups.set(keyOf(entry), [entry]);
    else group.push(entry);
  }
  return groups;
}
