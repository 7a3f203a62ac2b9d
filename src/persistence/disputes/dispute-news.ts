import type { ReportedDispute } from '../../domain/disputes/dispute';
import type { DisputeId } from '../../domain/shared/ids';
import type { Database } from '../sql/transaction';

/** What a callback says about a dispute. */
export interface DisputeNews {
  readonly id: DisputeId;
  readonly report: ReportedDispute & { readonly gatewayDisputeId: string };
}

/** A callback about a dispute that is not processed yet. */
export interface UnprocessedNews {
  /** Of the callback. */
  readonly id: number;
  /** What the callback was matched to: the charge, or an operation on it. */
  readonly attemptId: string;
  readonly report: DisputeNews['report'];
  readonly receivedAt: Date;
}

/** Callbacks about one dispute that one step of its workflow processes. */
const MAX_NEWS = 100;

/** Reads the callbacks about disputes. `GatewayCallbackRepository` owns them. */
export class DisputeNewsReader {
  constructor(private readonly db: Database) {}

  /** Oldest first. */
  async list(transactionId: string, disputeId: DisputeId): Promise<UnprocessedNews[]> {
    const rows = await this.db.query<UnprocessedNews>(
      `SELECT id, attempt_id AS "attemptId", dispute_report AS report, received_at AS "receivedAt" FROM gateway_callbacks
        WHERE payment_id = (SELECT id FROM payments WHERE transaction_id = $1) AND processed_at IS NULL AND dispute_id = $2
        ORDER BY received_at, id LIMIT $3`,
      [transactionId, disputeId, MAX_NEWS],
    );
    return rows.map((row) => ({ ...row, report: withInstants(row.report) }));
  }
}

/** Instants inside JSON are texts. */
function withInstants(stored: DisputeNews['report']): DisputeNews['report'] {
  const { at, evidenceDueAt } = stored;
  return { ...stored, at: new Date(at), evidenceDueAt: evidenceDueAt && new Date(evidenceDueAt) };
}
