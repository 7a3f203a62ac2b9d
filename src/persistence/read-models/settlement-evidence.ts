import type { AttemptStatus } from '../../domain/payments/payment';
import type { StatementLine } from '../../domain/settlement/statement-line';
import type { Database } from '../sql/transaction';

/** What a difference was found from. */
export interface ItemEvidence {
  /** Null if the statement lacks a line. */
  readonly line: (StatementLine & { readonly number: number }) | null;
  /** Other lines with the same id. */
  readonly sameLines: ReadonlyArray<{
    readonly settlementId: string;
    readonly day: string;
    readonly number: number;
  }>;
  /** Null if the ledger expects nothing. */
  readonly expected: ExpectedEvidence | null;
  /** The charges and refunds of the payment at the gateway, oldest first. */
  readonly attempts: readonly AttemptEvidence[];
}

interface ExpectedEvidence {
  readonly kind: string;
  readonly postedAt: Date;
  /** `YYYY-MM-DD`; null if a sale is expected. */
  readonly expectedOn: string | null;
  readonly installment: number | null;
}

interface AttemptEvidence {
  readonly operation: 'authorize' | 'charge' | 'refund';
  readonly reference: string;
  readonly gatewayTransactionId: string | null;
  readonly status: AttemptStatus;
  readonly amountCents: number;
  readonly createdAt: Date;
}

type LineRow = NonNullable<ItemEvidence['line']>;

const MAX_SAME_LINES = 20;
const MAX_ATTEMPTS = 50;

/** Reads what a difference was found from. */
export class SettlementEvidence {
  constructor(private readonly db: Database) {}

  /** Empty for an item that is not the company's. */
  async load(companyId: number, itemId: string): Promise<ItemEvidence> {
    const values = [companyId, itemId];
    const [line, sameLines, expected, attempts] = await Promise.all([
      this.db.queryOne<LineRow>(LINE, values),
      this.db.query<ItemEvidence['sameLines'][number]>(SAME_LINES, values),
      this.db.queryOne<ExpectedEvidence>(EXPECTED, values),
      this.db.query<AttemptEvidence>(ATTEMPTS, values),
    ]);
    return { line, sameLines, expected, attempts };
  }
}

const LINE = `
  SELECT line.number, line.line_id AS "lineId", line.kind, line.day::text AS day, line.reference,
         line.gateway_transaction_id AS "gatewayTransactionId", line.dispute_id AS "disputeId",
         line.amount_cents AS "amountCents", line.fee_cents AS "feeCents", line.net_cents AS "netCents", line.currency,
         line.installment, line.occurred_at AS "occurredAt"
    FROM settlement_items item
    JOIN settlement_lines line ON line.settlement_id = item.settlement_id AND line.number = item.line_number
   WHERE item.company_id = $1 AND item.id = $2`;

const SAME_LINES = `
  SELECT other.settlement_id AS "settlementId", settlement.day::text AS day, other.number
    FROM settlement_items item
    JOIN settlement_lines line ON line.settlement_id = item.settlement_id AND line.number = item.line_number
    JOIN settlement_lines other ON other.company_id = item.company_id AND other.line_id = line.line_id
     AND (other.settlement_id, other.number) <> (line.settlement_id, line.number)
    JOIN settlements settlement ON settlement.id = other.settlement_id
    JOIN settlements own ON own.id = item.settlement_id AND own.gateway_slug = settlement.gateway_slug
     AND own.gateway_account_id IS NOT DISTINCT FROM settlement.gateway_account_id
   WHERE item.company_id = $1 AND item.id = $2
   ORDER BY settlement.day, other.number LIMIT ${MAX_SAME_LINES}`;

const EXPECTED = `
  SELECT entry.kind, entry.posted_at AS "postedAt", posting.expected_on::text AS "expectedOn", posting.installment
    FROM settlement_items item
    JOIN ledger_entries entry ON entry.company_id = item.company_id AND entry.id = item.entry_id
    LEFT JOIN ledger_postings posting ON posting.company_id = item.company_id AND posting.entry_id = item.entry_id
     AND posting.number = item.posting
   WHERE item.company_id = $1 AND item.id = $2`;

const ATTEMPTS = `
  SELECT attempt.operation, attempt.reference, attempt.gateway_transaction_id AS "gatewayTransactionId", attempt.status,
         attempt.amount_cents AS "amountCents", attempt.created_at AS "createdAt"
    FROM settlement_items item
    JOIN settlements settlement ON settlement.id = item.settlement_id
    JOIN payments payment ON payment.transaction_id = item.transaction_id AND payment.company_id = item.company_id
    JOIN gateway_attempts attempt ON attempt.payment_id = payment.id AND attempt.gateway_slug = settlement.gateway_slug
     AND attempt.operation IN ('authorize', 'charge', 'refund')
   WHERE item.company_id = $1 AND item.id = $2
   ORDER BY attempt.created_at, attempt.id LIMIT ${MAX_ATTEMPTS}`;
