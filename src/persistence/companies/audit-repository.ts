import type { AuditAction, AuditChanges, AuditSubject } from '../../domain/companies/audit';
import { unauthenticated } from '../../domain/shared/errors';
import type { Database, Tx } from '../sql/transaction';

export interface AuditEntry {
  /** Of the mode of the data that is changed. */
  readonly companyId: number;
  /** Null if the change was made with the company's API key, or by the operator of the deployment. */
  readonly userId: number | null;
  readonly action: AuditAction;
  readonly subjectType: AuditSubject;
  readonly subjectId: string;
  readonly changes: AuditChanges;
  /** Null if the change was not made by a request. */
  readonly requestId: string | null;
  /** The attempt's id of a capture, cancel or refund, or the id of a manual resolution. Each has one entry. */
  readonly operationId?: string;
  /** The session that asked for the change. */
  readonly sessionId?: string;
}

/** The only writer of `audit_log`; `read-models/audit-log.ts` lists it. */
export class AuditRepository {
  constructor(private readonly db: Database) {}

  /**
   * Inserts an entry in the transaction of the change. Returns false and inserts nothing if the operation has an entry
   * already.
   *
   * @throws ApiError `unauthenticated` if the session has ended since the request was authenticated: what signing out or a
   *   password reset revokes commits nothing afterwards
   */
  async insert(tx: Tx, entry: AuditEntry): Promise<boolean> {
    const { companyId, userId, action, subjectType, subjectId, changes, requestId } = entry;
    const { operationId, sessionId } = entry;
    const row = await this.db.queryOne<{ users: number; sessions: number; added: number }>(
      `WITH author AS (
         SELECT company_id, id, email FROM users WHERE id = $2 AND company_id = abs($1::bigint)
         UNION ALL SELECT abs($1::bigint), NULL, NULL WHERE $2::bigint IS NULL),
       session AS (SELECT 1 FROM user_sessions WHERE jti = $9::uuid AND user_id = $2 FOR SHARE),
       added AS (
         INSERT INTO audit_log
           (company_id, mode, user_id, user_email, action, subject_type, subject_id, changes, request_id, operation_id)
         SELECT company_id, (SELECT mode FROM companies WHERE companies.id = $1), id, email, $3, $4, $5, $6::jsonb, $7, $8::uuid
           FROM author
         ON CONFLICT (operation_id) DO NOTHING RETURNING 1)
       SELECT (SELECT count(*) FROM author) AS users, (SELECT count(*) FROM session) AS sessions,
              (SELECT count(*) FROM added) AS added`,
      [
        companyId,
        userId,
        action,
        subjectType,
        subjectId,
        JSON.stringify(changes),
        requestId,
        operationId ?? null,
        sessionId ?? null,
      ],
      tx,
    );
    if (sessionId !== undefined && row?.sessions !== 1) throw unauthenticated();
    if (row?.users !== 1) throw new Error('the user does not belong to the company');
    return row.added === 1;
  }

  async exists(companyId: number, operationId: string): Promise<boolean> {
    const row = await this.db.queryOne(
      'SELECT 1 FROM audit_log WHERE operation_id = $2 AND company_id = abs($1::bigint)',
      [companyId, operationId],
    );
    return row !== null;
  }
}
