import type { MatchedLine, NumberedLine } from '../../domain/settlement/match-lines';
import type { StatementLine } from '../../domain/settlement/statement-line';
import type { SettlementId } from '../../domain/shared/ids';
import type { Database, Tx } from '../sql/transaction';
import type { SettlementRecord } from './settlement-repository';

const COLUMNS = `number, line_id AS "lineId", kind, day::text AS day, reference,
  gateway_transaction_id AS "gatewayTransactionId", dispute_id AS "disputeId", amount_cents AS "amountCents",
  fee_cents AS "feeCents", net_cents AS "netCents", currency, installment, occurred_at AS "occurredAt"`;

/** The one owner of `settlement_lines`. */
export class StatementLineRepository {
  constructor(private readonly db: Database) {}

  /** Lines that begin at a place of the statement. A line that is stored already stays as it is. */
  async insert(
    tx: Tx,
    { id, companyId }: Pick<SettlementRecord, 'id' | 'companyId'>,
    lines: readonly StatementLine[],
    firstNumber: number,
  ): Promise<void> {
    const rows = lines.map((line, index) => ({
      number: firstNumber + index,
      line_id: line.lineId,
      kind: line.kind,
      day: line.day,
      reference: line.reference,
      gateway_transaction_id: line.gatewayTransactionId,
      dispute_id: line.disputeId,
      amount_cents: line.amountCents,
      fee_cents: line.feeCents,
      net_cents: line.netCents,
      currency: line.currency,
      installment: line.installment,
      occurred_at: line.occurredAt,
    }));
    await this.db.execute(INSERT, [id, companyId, JSON.stringify(rows)], tx);
  }

  /** The next lines after a number. */
  async list(id: SettlementId, after: number, limit: number): Promise<NumberedLine[]> {
    return this.db.query<NumberedLine>(
      `SELECT ${COLUMNS} FROM settlement_lines WHERE settlement_id = $1 AND number > $2 ORDER BY number LIMIT $3`,
      [id, after, limit],
    );
  }

  /** Lines whose payments have no outcome yet. */
  async listWaiting(id: SettlementId, after: number, limit: number): Promise<NumberedLine[]> {
    return this.db.query<NumberedLine>(
      `SELECT ${COLUMNS} FROM settlement_lines WHERE settlement_id = $1 AND number > $2 AND state = 'waiting'
        ORDER BY number LIMIT $3`,
      [id, after, limit],
    );
  }

  /**
   * Saves what became of lines that are still in the state in which they were read, and returns these: another process may have matched
   * lines that wait, with newer records.
   */
  async saveMatches(
    tx: Tx,
    id: SettlementId,
    matched: readonly MatchedLine[],
    before: 'new' | 'waiting',
  ): Promise<MatchedLine[]> {
    if (matched.length === 0) return [];
    const rows = matched.map((line) => ({
      number: line.number,
      state: line.state,
      transaction_id: line.transactionId,
      attempt_id: line.attemptId,
      entry_id: line.expected?.entryId ?? null,
      posting: line.expected?.posting ?? null,
      counts: line.counts,
    }));
    const numbers = matched.map(({ number }) => number);
    const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
    const parameters = [id, JSON.stringify(rows), first, last, before];
    const saved = await this.db.query<{ number: number }>(SAVE_MATCHES, parameters, tx);
    const savedNumbers = new Set(saved.map(({ number }) => number));
    return matched.filter(({ number }) => savedNumbers.has(number));
  }
}

const INSERT = `
  INSERT INTO settlement_lines (settlement_id, company_id, number, line_id, kind, day, reference, gateway_transaction_id, dispute_id,
    amount_cents, fee_cents, net_cents, currency, installment, occurred_at)
  SELECT $1, $2, number, line_id, kind, day, reference, gateway_transaction_id, dispute_id, amount_cents, fee_cents, net_cents,
         currency, installment, occurred_at
    FROM json_to_recordset($3::json) AS line (number int, line_id text, kind text, day date, reference text,
      gateway_transaction_id text, dispute_id text, amount_cents bigint, fee_cents bigint, net_cents bigint, currency text,
      installment int, occurred_at timestamptz)
  ON CONFLICT (settlement_id, number) DO NOTHING`;

/** The range of numbers keeps every plan from reading the whole statement for each batch. */
const SAVE_MATCHES = `
  UPDATE settlement_lines line SET state = matched.state, transaction_id = matched.transaction_id,
         attempt_id = matched.attempt_id, entry_id = matched.entry_id, posting = matched.posting, counts = matched.counts
    FROM json_to_recordset($2::json) AS matched (number int, state text, transaction_id uuid, attempt_id uuid, entry_id uuid,
      posting int, counts boolean)
   WHERE line.settlement_id = $1 AND line.number = matched.number AND line.number BETWEEN $3 AND $4 AND line.state = $5
  RETURNING line.number`;
