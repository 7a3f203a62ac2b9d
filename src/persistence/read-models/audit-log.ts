import type { AuditAction, AuditChanges, AuditSubject } from '../../domain/companies/audit';
import { ownCompanyId, type Mode } from '../../domain/shared/mode';
import { daysIn } from '../../domain/time/day-range';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { Database } from '../sql/transaction';

/** A change made by a user or with the company's API key. */
export interface AuditLogRow {
  readonly id: number;
  /** Of the data that was changed. */
  readonly mode: Mode;
  /** Null if the change was made with the company's API key. */
  readonly userId: number | null;
  /** At the time of the change. */
  readonly userEmail: string | null;
  readonly action: AuditAction;
  readonly subjectType: AuditSubject;
  readonly subjectId: string;
  readonly changes: AuditChanges;
  readonly requestId: string | null;
  readonly createdAt: Date;
}

export interface AuditLogFilter {
  readonly action?: AuditAction | undefined;
  readonly subjectType?: AuditSubject | undefined;
  readonly subjectId?: string | undefined;
  /** `YYYY-MM-DD`, inclusive, in the company's time zone. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const MATCHING = `company_id = $1
  AND ($2::text IS NULL OR action = $2)
  AND ($3::text IS NULL OR subject_type = $3)
  AND ($4::text IS NULL OR subject_id = $4)
  AND created_at >= $5 AND created_at < $6`;

/** Changes made by a company's users in both modes, newest first. */
export class AuditLog {
  constructor(private readonly db: Database) {}

  async load(
    company: { readonly id: number; readonly timezone: string },
    filter: AuditLogFilter,
    page: PageRequest,
  ): Promise<Page<AuditLogRow>> {
    const { action, subjectType, subjectId } = filter;
    const { from, to } = daysIn(company.timezone, filter.from, filter.to);
    const values = [ownCompanyId(company.id), action, subjectType, subjectId, from, to];
    const { limit, offset } = pageBounds(page);
    // Not prepared: Postgres plans for the filters given. A generic plan for all filters would use no index.
    const [rows, [total]] = await Promise.all([
      this.db.queryComposed<AuditLogRow>(
        `SELECT id, mode, user_id AS "userId", user_email AS "userEmail", action, subject_type AS "subjectType",
                subject_id AS "subjectId", changes, request_id AS "requestId", created_at AS "createdAt"
           FROM audit_log WHERE ${MATCHING} ORDER BY created_at DESC, id DESC LIMIT $7 OFFSET $8`,
        [...values, limit, offset],
      ),
      this.db.queryComposed<{ count: number }>(`SELECT count(*) FROM audit_log WHERE ${MATCHING}`, values),
    ]);
    return { rows, total: total?.count ?? 0 };
  }
}
