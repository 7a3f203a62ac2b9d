import type { ExpectedRef, SettlementItem } from './settlement-item';

/** An amount that the records expect in a statement, and what lines have of it. */
export interface ExpectedAmount {
  readonly ref: ExpectedRef;
  readonly transactionId: string;
  readonly currency: string;
  /** A deduction is negative. */
  readonly amountCents: number;
  /** The sum of its lines, of this statement and earlier ones; null if there is none. */
  readonly linesCents: number | null;
  /** Whether all of them count: the amount of a line in another currency says nothing. */
  readonly allCount: boolean;
  /** Its last line in this statement; null if there is none. */
  readonly lineNumber: number | null;
}

/** The difference between what is expected and its lines; null if there is none. */
export function compareExpected(expected: ExpectedAmount): SettlementItem | null {
  const { ref, transactionId, currency, linesCents, allCount, lineNumber } = expected;
  const amountCents = Math.abs(expected.amountCents);
  const item = { expected: ref, transactionId, currency, expectedCents: amountCents } as const;
  if (linesCents === null) return { ...item, kind: 'missing_there', lineNumber: null, actualCents: null };
  if (!allCount || linesCents === amountCents) return null;
  return { ...item, kind: 'amount_differs', lineNumber, actualCents: linesCents };
}

/** A receivable that is settled, and what its sale said. Minor units. */
export interface SettledFee {
  readonly ref: ExpectedRef;
  readonly transactionId: string;
  readonly currency: string;
  readonly lineNumber: number;
  /** Of the receivable. */
  readonly amountCents: number;
  readonly settledCents: number;
  readonly feeCents: number;
  /** The sums of the sale's lines. */
  readonly saleCents: number;
  readonly saleFeeCents: number;
}

/** Whether the fee of a settled receivable is its part of the sale's fee, to the cent that rounding may move. */
export function compareFee(settled: SettledFee): SettlementItem | null {
  const { ref, transactionId, currency, lineNumber, feeCents, settledCents, saleCents } = settled;
  if (settledCents !== settled.amountCents || saleCents <= 0) return null;
  const expectedCents = Math.round((settled.saleFeeCents * settledCents) / saleCents);
  // The first installment may take what the others leave.
  const tolerance = settledCents === saleCents ? 0 : Math.ceil(saleCents / settledCents);
  if (Math.abs(feeCents - expectedCents) <= tolerance) return null;
  const item = { expected: ref, transactionId, currency, lineNumber, expectedCents };
  return { ...item, kind: 'fee_differs', actualCents: feeCents };
}
