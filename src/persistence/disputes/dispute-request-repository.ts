import type { DisputeRequest, DisputeRequestKind } from '../../domain/disputes/dispute-request';
import type { DisputeId } from '../../domain/shared/ids';
import type { Database, Tx } from '../sql/transaction';

interface NewDisputeRequest {
  readonly id: string;
  readonly companyId: number;
  readonly disputeId: DisputeId;
  readonly kind: DisputeRequestKind;
}

type Result = Pick<DisputeRequest, 'id' | 'message'> & { readonly status: 'done' | 'refused' | 'unknown' };

const COLUMNS = `id, kind, status, message, sent_at AS "sentAt", tries, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** The one owner of `dispute_requests`. */
export class DisputeRequestRepository {
  constructor(private readonly db: Database) {}

  /** False, and nothing is inserted, if the dispute has a request under way. */
  async insert(tx: Tx, { id, companyId, disputeId, kind }: NewDisputeRequest, now: Date): Promise<boolean> {
    const row = await this.db.queryOne(
      `INSERT INTO dispute_requests (id, company_id, dispute_id, kind, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $5)
       ON CONFLICT (dispute_id) WHERE status IN ('requested', 'sent') DO NOTHING RETURNING id`,
      [id, companyId, disputeId, kind, now],
      tx,
    );
    return row !== null;
  }

  /** The last request about the dispute; null without one. */
  async findLast(disputeId: DisputeId, tx?: Tx): Promise<DisputeRequest | null> {
    return this.db.queryOne<DisputeRequest>(
      `SELECT ${COLUMNS} FROM dispute_requests WHERE dispute_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`,
      [disputeId],
      tx,
    );
  }

  /** Commits that this worker sends it; false if another one does, or did. */
  async claim(id: string, now: Date): Promise<boolean> {
    const row = await this.db.queryOne(
      `UPDATE dispute_requests SET status = 'sent', sent_at = $2, tries = tries + 1, updated_at = $2
        WHERE id = $1 AND status = 'requested' RETURNING id`,
      [id, now],
    );
    return row !== null;
  }

  /** It certainly had no effect when it was sent then, so it may be sent again. */
  async release(id: string, sentAt: Date, now: Date): Promise<void> {
    await this.db.execute(
      `UPDATE dispute_requests SET status = 'requested', updated_at = $3 WHERE id = $1 AND status = 'sent' AND sent_at = $2`,
      [id, sentAt, now],
    );
  }

  async countTry(id: string): Promise<void> {
    await this.db.execute('UPDATE dispute_requests SET tries = tries + 1 WHERE id = $1', [id]);
  }

  /** False if it has a result already. */
  async close({ id, status, message }: Result, now: Date, tx?: Tx): Promise<boolean> {
    const row = await this.db.queryOne(
      `UPDATE dispute_requests SET status = $2, message = $3, updated_at = $4
        WHERE id = $1 AND status IN ('requested', 'sent') RETURNING id`,
      [id, status, message, now],
      tx,
    );
    return row !== null;
  }
}
