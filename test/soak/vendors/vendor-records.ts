import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import type { ExplainingRow } from '../../support/scenarios/ledger-explanation';
import type { MerchantRecords } from '../support/reconciliation';

/**
 * The records with the ledger's ids of charges in place of the vendors' ids, which a fake makes for its answers. Both sides
 * name the reference of the charge; of several charges with one reference, a reversed one is the one without money.
 */
export function withLedgerIds(records: MerchantRecords): MerchantRecords {
  const charges = chargesByReference(records.ledger);
  const byId = new Map(records.rows.map((row) => [row.id, row]));
  const rows = records.rows.map((row) => ({ ...row, gatewayTransactionId: ledgerId(row, byId, charges) }));
  const reversals = rows.filter(({ purpose }) => purpose === 'reversal');
  return {
    ...records,
    rows,
    reversed: new Set(reversals.flatMap(({ gatewayTransactionId: id }) => id ?? [])),
  };
}

interface LedgerCharge {
  readonly id: string;
  readonly hasMoney: boolean;
}

function chargesByReference(ledger: readonly LedgerEntry[]): ReadonlyMap<string, readonly LedgerCharge[]> {
  const entries = new Map<string, LedgerEntry[]>();
  for (const entry of ledger) entries.set(entry.charge_id, [...(entries.get(entry.charge_id) ?? []), entry]);
  const charges = new Map<string, LedgerCharge[]>();
  for (const [id, ofCharge] of entries) {
    const reference = ofCharge[0]?.reference ?? '';
    const { captured, refunded, held } = ledgerTotals(ofCharge);
    const charge = { id, hasMoney: captured !== refunded || held !== 0 };
    charges.set(reference, [...(charges.get(reference) ?? []), charge]);
  }
  return charges;
}

function ledgerId(
  row: ExplainingRow,
  rows: ReadonlyMap<string, ExplainingRow>,
  charges: ReadonlyMap<string, readonly LedgerCharge[]>,
): string | null {
  if (row.gatewayTransactionId === null) return null;
  const charge = row.targetAttemptId === null ? row : rows.get(row.targetAttemptId);
  const candidates = charges.get(charge?.reference ?? '') ?? [];
  const isReversal = row.purpose === 'reversal';
  const fitting =
    candidates.length === 1 ? candidates : candidates.filter(({ hasMoney }) => hasMoney !== isReversal);
  return fitting[0]?.id ?? null;
}
