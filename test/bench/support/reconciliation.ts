import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/** A payment as one of the engine's books has it. Amounts in cents. */
export interface BookedPayment {
  readonly transactionId: string;
  readonly status: string;
  readonly amountCents: number;
  readonly capturedCents: number;
  readonly refundedCents: number;
}

/** All that the gateways' own book holds: another process wrote it, so it is the truth the engine is compared with. */
export async function readLedger(simulatorUrl: string): Promise<LedgerEntry[]> {
  const response = await fetch(`${simulatorUrl}/_admin/ledger`);
  if (!response.ok) throw new Error(`the ledger is not readable: ${await response.text()}`);
  return ((await response.json()) as { entries: LedgerEntry[] }).entries;
}

/**
 * Where a book of the engine's disagrees with the ledger, in words; empty when they agree: the same money for every
 * payment, none of it taken twice, and nothing in the ledger that the book does not know.
 */
export function disagreements(
  book: string,
  payments: readonly BookedPayment[],
  entries: readonly LedgerEntry[],
): string[] {
  const booked = new Set(payments.map(({ transactionId }) => transactionId));
  const ledger = byTransaction(entries);
  const strangers = [...ledger.keys()].filter((transactionId) => !booked.has(transactionId));
  return [
    ...ledgerViolations(entries),
    ...strangers.map((transactionId) => `${transactionId}: in the ledger, not in the ${book}`),
    ...payments.flatMap((payment) => compare(book, payment, ledger.get(payment.transactionId) ?? [])),
  ];
}

function compare(book: string, payment: BookedPayment, entries: readonly LedgerEntry[]): string[] {
  const { captured, refunded, held } = ledgerTotals(entries);
  const heldCents = payment.status === 'authorized' ? payment.amountCents : 0;
  const agree =
    captured === payment.capturedCents && refunded === payment.refundedCents && held === heldCents;
  if (agree) return [];
  const ours = `${payment.status}, captured ${payment.capturedCents}, refunded ${payment.refundedCents}`;
  const theirs = `captured ${captured}, refunded ${refunded}, held ${held}`;
  return [`${payment.transactionId}: ${ours} in the ${book}; ${theirs} in the ledger`];
}

function byTransaction(entries: readonly LedgerEntry[]): Map<string, LedgerEntry[]> {
  const groups = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const transactionId = transactionOf(entry.reference);
    groups.set(transactionId, [...(groups.get(transactionId) ?? []), entry]);
  }
  return groups;
}

/** Selects the engine's payments as `BookedPayment`s. */
export const BOOKED_PAYMENTS = `
  SELECT transaction_id AS "transactionId", status, amount_cents::float8 AS "amountCents",
         captured_amount_cents::float8 AS "capturedCents", refunded_amount_cents::float8 AS "refundedCents"
    FROM payments`;

/** Every acknowledged payment is approved, exactly once, in the database and in the ledger; and nothing else is there. */
export function verifyApproved(
  acknowledged: readonly string[],
  payments: readonly BookedPayment[],
  entries: readonly LedgerEntry[],
): string[] {
  const approved = new Set(
    payments.filter(({ status }) => status === 'approved').map(({ transactionId }) => transactionId),
  );
  const repeated = acknowledged.length - new Set(acknowledged).size;
  const unknown = payments.length - acknowledged.length;
  return [
    ...acknowledged
      .filter((transactionId) => !approved.has(transactionId))
      .map((transactionId) => `${transactionId}: acknowledged, not approved in the database`),
    ...(repeated === 0 ? [] : [`${repeated} payments were acknowledged twice`]),
    ...(unknown === 0 ? [] : [`${unknown} more payments in the database than were acknowledged`]),
    ...disagreements('database', payments, entries),
  ];
}
