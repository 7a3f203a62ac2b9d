/** How a statement and the records differ. */
export const SETTLEMENT_ITEM_KINDS = [
  /** The gateway has a charge or refund that is not in the records. */
  'unknown_to_us',
  /** The records expect a line that the statement does not have. */
  'missing_there',
  'amount_differs',
  /** The fee of a settled receivable is not the one of its sale. */
  'fee_differs',
  /** The net is not the amount less the fee. */
  'net_differs',
  'currency_differs',
  'installment_differs',
  /** The same line, or the same receivable, again. */
  'twice',
  /** A second charge of our reference, with another id. */
  'charged_twice',
  'wrong_day',
  /** A chargeback that was never reported. */
  'unknown_dispute',
  /** The gateway settles what is not paid in the records. */
  'status_differs',
  /** The gateway settles or deducts, of a known charge, what the ledger does not expect. */
  'not_expected',
] as const;
export type SettlementItemKind = (typeof SETTLEMENT_ITEM_KINDS)[number];

/** A difference. Amounts are minor units. */
export interface SettlementItem {
  readonly kind: SettlementItemKind;
  /** The line of the statement, from 1; null if the statement has none. */
  readonly lineNumber: number | null;
  /** What of the ledger it is about; null if there is nothing. */
  readonly expected: ExpectedRef | null;
  /** The payment; null if it is unknown. */
  readonly transactionId: string | null;
  readonly currency: string;
  /** What the records have; null if they have nothing. */
  readonly expectedCents: number | null;
  /** What the statement has; null if it has nothing. */
  readonly actualCents: number | null;
}

/** An entry of the ledger, and of a receivable its posting. */
export interface ExpectedRef {
  readonly entryId: string;
  /** Null for the whole entry: what was received. */
  readonly posting: number | null;
}
