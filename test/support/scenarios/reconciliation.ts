import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import { transactionOf } from '../../../src/gateways/simulator/wire';
import { ledgerViolations } from './ledger-invariants';

/** A payment as one of the service's records has it. Amounts are in cents. */
export interface RecordedPayment {
  readonly transactionId: string;
  readonly status: string;
  readonly amountCents: number;
  readonly capturedCents: number;
  readonly refundedCents: number;
}

/** The whole ledger of the simulator's gateways. It is written by another process, so it is authoritative. */
export async function readLedger(simulatorUrl: string): Promise<LedgerEntry[]> {
  const response = await fetch(`${simulatorUrl}/_admin/ledger`);
  if (!response.ok) throw new Error(`cannot read the ledger: ${await response.text()}`);
  return ((await response.json()) as { entries: LedgerEntry[] }).entries;
}

/**
 * Describes every difference between payments and the ledger: amounts, duplicate charges, and payments that only the
 * ledger has. `source` says where the payments are from.
 */
export function compareWithLedger(
  source: string,
  payments: readonly RecordedPayment[],
  entries: readonly LedgerEntry[],
): string[] {
  const known = new Set(payments.map(({ transactionId }) => transactionId));
  const ledger = byTransaction(entries);
  const unknown = [...ledger.keys()].filter((transactionId) => !known.has(transactionId));
  return [
    ...ledgerViolations(entries),
    ...unknown.map((transactionId) => `${transactionId}: in the ledger, not in the ${source}`),
    ...payments.flatMap((payment) => compare(source, payment, ledger.get(payment.transactionId) ?? [])),
  ];
}

function compare(source: string, payment: RecordedPayment, entries: readonly LedgerEntry[]): string[] {
  const { captured, refunded, held } = ledgerTotals(entries);
  const heldCents = payment.status === 'authorized' ? payment.amountCents : 0;
  const agree =
    captured === payment.capturedCents && refunded === payment.refundedCents && held === heldCents;
  if (agree) return [];
  const actual = `${payment.status}, captured ${payment.capturedCents}, refunded ${payment.refundedCents}`;
  const expected = `captured ${captured}, refunded ${refunded}, held ${held}`;
  return [`${payment.transactionId}: ${actual} in the ${source}; ${expected} in the ledger`];
}

function byTransaction(entries: readonly LedgerEntry[]): Map<string, LedgerEntry[]> {
  const groups = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const transactionId = transactionOf(entry.reference);
    groups.set(transactionId, [...(groups.get(transactionId) ?? []), entry]);
  }
  return groups;
}

/** Selects all payments as `RecordedPayment`s. */
export const SELECT_RECORDED_PAYMENTS = `
  SELECT transaction_id AS "transactionId", status, amount_cents::float8 AS "amountCents",
         captured_amount_cents::float8 AS "capturedCents", refunded_amount_cents::float8 AS "refundedCents"
    FROM payments`;

/** Every acknowledged payment is approved and charged exactly once, and there are no other payments. */
export function verifyApproved(
  acknowledged: readonly string[],
  payments: readonly RecordedPayment[],
  entries: readonly LedgerEntry[],
): string[] {
  const approved = new Set(
    payments.filter(({ status }) => status === 'approved').map(({ transactionId }) => transactionId),
  );
  const repeated = acknowledged.length - new Set(acknowledged).size;
  const unacknowledged = payments.length - acknowledged.length;
  return [
    ...acknowledged
      .filter((transactionId) => !approved.has(transactionId))
      .map((transactionId) => `${transactionId}: acknowledged, not approved in the database`),
    ...(repeated === 0 ? [] : [`${repeated} payments were acknowledged twice`]),
    ...(unacknowledged === 0
      ? []
      : [`${unacknowledged} more payments in the database than were acknowledged`]),
    ...compareWithLedger('database', payments, entries),
  ];
}
