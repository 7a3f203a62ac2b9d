import type {
  KnownCharge,
  KnownPayment,
  KnownRecords,
  KnownRefund,
  Receivable,
} from '../../domain/settlement/known-records';
import { timesOf } from '../../domain/settlement/find-subject';
import type { NumberedLine } from '../../domain/settlement/match-lines';
import type { AttemptStatus } from '../../domain/payments/payment';
import type { Database } from '../sql/transaction';
import type { SettlementRecord } from './settlement-repository';

interface PaymentRow {
  readonly id: number;
  readonly transactionId: string;
  readonly currency: string;
  readonly disputeIds: readonly string[];
}

interface AttemptRow {
  readonly paymentId: number;
  readonly id: string;
  readonly operation: string;
  readonly reference: string;
  readonly gatewayTransactionId: string | null;
  readonly status: AttemptStatus;
  readonly amountCents: number;
  readonly isMatched: boolean;
  /** Of a capture and of a reversal: the charge that it is about. */
  readonly targetAttemptId: string | null;
  readonly isReversal: boolean;
}

interface PostingRow extends Receivable {
  readonly transactionId: string;
  readonly kind: string;
}

interface EntryRow {
  readonly entryId: string;
  readonly matchedCents: number;
}

/**
 * Reads what the records have of the payments that lines may be about, by one statement for each kind of row. The statements join what is
 * named by its index: compared with a list, a table without statistics yet would be read whole for every batch.
 */
export class KnownRecordReader {
  constructor(private readonly db: Database) {}

  async load(
    settlement: SettlementRecord,
    lines: readonly NumberedLine[],
    isRetry: boolean,
  ): Promise<KnownRecords> {
    const [payments, earlierLineIds] = await Promise.all([
      this.findPayments(settlement, lines),
      isRetry ? [] : this.earlierLineIds(settlement, lines),
    ]);
    if (payments.length === 0) return { payments: [], earlierLineIds };
    const ids = payments.map(({ id }) => id);
    const transactionIds = payments.map(({ transactionId }) => transactionId);
    const [attempts, postings, sales] = await Promise.all([
      this.db.query<AttemptRow>(ATTEMPTS, [ids, settlement.gatewaySlug]),
      this.db.query<PostingRow>(POSTINGS, [settlement.companyId, transactionIds, settlement.gatewaySlug]),
      this.db.query<EntryRow>(SALES, [settlement.companyId, transactionIds]),
    ]);
    const attemptsOf = groupBy(attempts, ({ paymentId }) => paymentId);
    const postingsOf = groupBy(postings, ({ transactionId }) => transactionId);
    const saleOf = new Map(sales.map(({ entryId, matchedCents }) => [entryId, matchedCents]));
    return {
      earlierLineIds,
      payments: payments.map(({ id, ...payment }) =>
        knownPayment(payment, attemptsOf.get(id) ?? [], postingsOf.get(payment.transactionId) ?? [], saleOf),
      ),
    };
  }

  private async findPayments(
    { companyId, gatewaySlug }: SettlementRecord,
    lines: readonly NumberedLine[],
  ): Promise<PaymentRow[]> {
    const references = distinct(lines.map(({ reference }) => reference));
    const gatewayIds = distinct(lines.map(({ gatewayTransactionId: id }) => id));
    const anonymous = lines
      .filter(({ reference, gatewayTransactionId: id }) => reference === null && id === null)
      .filter(({ kind }) => kind !== 'payout' && kind !== 'fee')
      .flatMap((line) => {
        const times = timesOf(line);
        const { kind, amountCents: amount, currency } = line;
        return times === null ? [] : [{ kind, amount, currency, from_at: times.from, to_at: times.to }];
      });
    return this.db.query<PaymentRow>(PAYMENTS, [
      ...[companyId, gatewaySlug, references, gatewayIds],
      JSON.stringify(anonymous),
    ]);
  }

  /**
   * Of the same account: lines of this statement before these, of statements of earlier days, and of later days if they are matched. So
   * a line that two statements have counts once, also if both are reconciled at the same time.
   */
  private async earlierLineIds(
    { id, companyId, gatewaySlug, accountId, day }: SettlementRecord,
    lines: readonly NumberedLine[],
  ): Promise<string[]> {
    const rows = await this.db.query<{ lineId: string }>(
      `SELECT DISTINCT line.line_id AS "lineId" FROM unnest($2::text[]) AS named (line_id)
         JOIN settlement_lines line ON line.company_id = $1 AND line.line_id = named.line_id
         JOIN settlements settlement ON settlement.id = line.settlement_id
        WHERE settlement.gateway_slug = $3
          AND settlement.gateway_account_id IS NOT DISTINCT FROM $4 AND settlement.status <> 'receiving'
          AND CASE WHEN line.settlement_id = $5 THEN line.number < $6
                   ELSE settlement.day < $7 OR line.state IN ('matched', 'waiting') END`,
      [companyId, lines.map(({ lineId }) => lineId), gatewaySlug, accountId, id, lines[0]?.number ?? 1, day],
    );
    return rows.map(({ lineId }) => lineId);
  }
}

function knownPayment(
  payment: Omit<PaymentRow, 'id'>,
  attempts: readonly AttemptRow[],
  postings: readonly PostingRow[],
  saleOf: ReadonlyMap<string, number>,
): KnownPayment {
  return {
    ...payment,
    charges: attempts
      .filter(({ operation }) => operation === 'charge' || operation === 'authorize')
      .map((charge) => chargeOf(charge, attempts)),
    refunds: attempts.filter(({ operation }) => operation === 'refund').map(refundOf),
    received: receivedOf(postings, saleOf),
    receivables: postings,
  };
}

function chargeOf(
  { id, reference, gatewayTransactionId, status }: AttemptRow,
  attempts: readonly AttemptRow[],
): KnownCharge {
  const captureReferences = attempts
    .filter(({ operation, targetAttemptId }) => operation === 'capture' && targetAttemptId === id)
    .map((capture) => capture.reference);
  return { attemptId: id, reference, gatewayTransactionId, status, captureReferences };
}

function refundOf({
  id,
  reference,
  amountCents,
  isMatched,
  targetAttemptId,
  isReversal,
  gatewayTransactionId,
}: AttemptRow): KnownRefund {
  const isOfCharge = isReversal && targetAttemptId !== null;
  const reversed = isOfCharge ? { attemptId: targetAttemptId, gatewayTransactionId } : null;
  return { attemptId: id, reference, amountCents, isMatched, reversed };
}

/** The entries that record money of the customer, with the sum of their receivables. */
function receivedOf(postings: readonly PostingRow[], saleOf: ReadonlyMap<string, number>) {
  const entries = groupBy(
    postings.filter(({ kind, amountCents }) => kind === 'received' && amountCents > 0),
    ({ entryId }) => entryId,
  );
  return [...entries].map(([entryId, parts]) => ({
    entryId,
    amountCents: parts.reduce((sum, { amountCents }) => sum + amountCents, 0),
    postedAt: parts[0]?.postedAt ?? new Date(0),
    matchedCents: saleOf.get(entryId) ?? 0,
    isMatched: saleOf.has(entryId),
  }));
}

function distinct(values: ReadonlyArray<string | null>): string[] {
  return [...new Set(values.filter((value) => value !== null))];
}

function groupBy<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

/**
 * Of a line without any id, at most two payments that it could be about: it is matched only if there is one. However many customers pay
 * the same amount, a batch reads two of them for each line.
 */
const PAYMENTS = `
  WITH identified AS (
    SELECT attempt.payment_id FROM unnest($3::text[]) AS named (reference)
      JOIN gateway_attempts attempt ON attempt.reference = named.reference
     WHERE attempt.operation <> 'inquiry' AND attempt.company_id = $1 AND attempt.gateway_slug = $2
    UNION
    SELECT attempt.payment_id FROM unnest($4::text[]) AS named (id)
      JOIN gateway_attempts attempt ON attempt.gateway_transaction_id = named.id AND attempt.gateway_slug = $2
     WHERE attempt.operation IN ('authorize', 'charge') AND attempt.company_id = $1),
  anonymous AS (
    SELECT DISTINCT candidate.payment_id
      FROM json_to_recordset($5::json) AS line (kind text, amount bigint, currency text, from_at timestamptz, to_at timestamptz)
      CROSS JOIN LATERAL (
        SELECT payment.id AS payment_id FROM payments payment
         WHERE payment.company_id = $1 AND payment.last_gateway = $2 AND payment.amount_cents = line.amount
           AND payment.currency = line.currency AND payment.created_at >= line.from_at - interval '1 day'
           AND payment.created_at < line.to_at + interval '1 hour'
           AND EXISTS (
             SELECT FROM ledger_entries entry
              WHERE entry.company_id = $1 AND entry.transaction_id = payment.transaction_id AND entry.kind = 'received'
                AND entry.posted_at >= line.from_at AND entry.posted_at < line.to_at
                AND line.amount = (SELECT sum(amount_cents) FROM ledger_postings posting
                  WHERE posting.company_id = $1 AND posting.entry_id = entry.id
                    AND posting.account IS NOT DISTINCT FROM 'gateway_receivable' AND posting.gateway_slug = $2 AND posting.amount_cents > 0)
                AND NOT (line.kind = 'sale' AND EXISTS (SELECT FROM settlement_lines sale
                  WHERE sale.company_id = $1 AND sale.entry_id = entry.id AND sale.posting IS NULL)))
         ORDER BY payment.created_at DESC, payment.id DESC LIMIT 2) candidate)
  SELECT payment.id, payment.transaction_id AS "transactionId", payment.currency,
         ARRAY(SELECT gateway_dispute_id FROM disputes WHERE payment_id = payment.id) AS "disputeIds"
    FROM (SELECT payment_id FROM identified UNION SELECT payment_id FROM anonymous) found
    JOIN payments payment ON payment.id = found.payment_id
   WHERE payment.company_id = $1`;

const ATTEMPTS = `
  SELECT payment_id AS "paymentId", id, operation, reference, gateway_transaction_id AS "gatewayTransactionId", status,
         amount_cents AS "amountCents",
         operation = 'refund' AND EXISTS (SELECT FROM settlement_lines line
           WHERE line.attempt_id = attempt.id AND line.kind = 'refund') AS "isMatched",
         target_attempt_id AS "targetAttemptId", purpose = 'reversal' AS "isReversal"
    FROM unnest($1::bigint[]) AS named (payment_id)
    JOIN gateway_attempts attempt USING (payment_id)
   WHERE gateway_slug = $2
     AND (operation IN ('charge', 'authorize', 'capture') OR (operation = 'refund' AND status = 'refunded'))
   ORDER BY payment_id, created_at, id`;

/**
 * The receivables, with the amounts that lines have matched. Entries of settlements are left out: they are what was paid. The account
 * is compared so that the index of receivables by day does not serve here: a planner without statistics would read all of a company
 * for each entry.
 */
const POSTINGS = `
  SELECT entry.transaction_id AS "transactionId", entry.id AS "entryId", entry.kind, entry.posted_at AS "postedAt",
         posting.number AS posting, posting.amount_cents AS "amountCents", posting.expected_on::text AS "expectedOn",
         posting.installment, lines.lines > 0 AS "isMatched", lines.cents AS "matchedCents"
    FROM unnest($2::uuid[]) AS named (transaction_id)
    JOIN ledger_entries entry ON entry.company_id = $1 AND entry.transaction_id = named.transaction_id AND entry.kind <> 'settled'
    JOIN ledger_postings posting ON posting.company_id = $1 AND posting.entry_id = entry.id
     AND posting.account IS NOT DISTINCT FROM 'gateway_receivable' AND posting.gateway_slug = $3
    CROSS JOIN LATERAL (
      SELECT count(*) AS lines, coalesce(sum(amount_cents) FILTER (WHERE counts), 0)::bigint AS cents
        FROM settlement_lines line
       WHERE line.company_id = $1 AND line.entry_id = entry.id AND line.posting = posting.number) lines
   ORDER BY entry.id, posting.number`;

/** The amounts of the lines of sales, by ledger entry. */
const SALES = `
  SELECT line.entry_id AS "entryId", coalesce(sum(line.amount_cents) FILTER (WHERE line.counts), 0)::bigint AS "matchedCents"
    FROM unnest($2::uuid[]) AS named (transaction_id)
    JOIN ledger_entries entry ON entry.company_id = $1 AND entry.transaction_id = named.transaction_id
    JOIN settlement_lines line ON line.company_id = $1 AND line.entry_id = entry.id AND line.posting IS NULL
   GROUP BY line.entry_id`;
