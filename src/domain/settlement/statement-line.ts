/** What a line of a gateway's statement says. */
export const STATEMENT_LINE_KINDS = [
  /** The gateway has the charge, and will settle it. It moves no money. */
  'sale',
  /** A receivable is settled on its day. */
  'settled',
  /** A receivable is settled before its day; the cost of that is part of the fee. */
  'anticipated',
  /** A refund is deducted. */
  'refund',
  /** Disputed money is deducted. */
  'chargeback',
  /** Disputed money is given back. */
  'chargeback_returned',
  /** A fee of its own, for no charge. */
  'fee',
  /** Money goes to the company's bank account. */
  'payout',
] as const;
export type StatementLineKind = (typeof STATEMENT_LINE_KINDS)[number];

/** One line of a gateway's statement, in the same form for every gateway. Amounts are minor units. */
export interface StatementLine {
  /** The gateway's id of the line. A line that occurs twice has the same id twice. */
  readonly lineId: string;
  readonly kind: StatementLineKind;
  /** The day that the line names, `YYYY-MM-DD` in Brasília. */
  readonly day: string;
  /** Our reference of the charge or refund. Null if the gateway does not tell it. */
  readonly reference: string | null;
  /** The gateway's id of the charge. */
  readonly gatewayTransactionId: string | null;
  /** The gateway's id of the dispute, of a chargeback. */
  readonly disputeId: string | null;
  /** Positive; of a fee of its own, 0. Its kind says in which direction it moves. */
  readonly amountCents: number;
  /** Not negative. */
  readonly feeCents: number;
  /** What the line adds to the balance at the gateway, or will add if it is a sale. */
  readonly netCents: number;
  /** Three letters, ISO 4217. */
  readonly currency: string;
  /** From 1; null if the charge has no installments. */
  readonly installment: number | null;
  /** When the customer paid, or got the refund; null if the gateway does not tell it. */
  readonly occurredAt: Date | null;
}

/** What a line of this kind adds to the balance, of its amount and fee. */
export function netOf({
  kind,
  amountCents,
  feeCents,
}: Pick<StatementLine, 'kind' | 'amountCents' | 'feeCents'>) {
  return (takesMoney(kind) ? -amountCents : amountCents) - feeCents;
}

/** Whether the amount of a line of this kind is taken from the balance. */
export function takesMoney(kind: StatementLineKind): boolean {
  return kind === 'refund' || kind === 'chargeback' || kind === 'payout';
}
