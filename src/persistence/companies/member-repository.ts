import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { Member } from '../../domain/users/membership';
import type { Role } from '../../domain/users/permission';
import { lockCompany } from './lock-company';
import type { Database, Tx } from '../sql/transaction';

const COLUMNS = `u.id, u.name, u.email, u.role, u.language, u.email_verified_at IS NOT NULL AS "emailVerified",
  u.totp_enabled_at IS NOT NULL AS "twoFactor",
  u.created_at AS "createdAt",
  (SELECT max(s.last_seen_at) FROM user_sessions s WHERE s.user_id = u.id) AS "lastSeenAt"`;

/** A change leaves the company an owner; run it under `lock`. */
const KEEPS_OWNER = `(role <> 'owner'
  OR (SELECT count(*) FROM users o WHERE o.company_id = $1 AND o.role = 'owner' AND o.removed_at IS NULL) > 1)`;

/** The users of a company as their colleagues see and change them. */
export class MemberRepository {
  constructor(private readonly db: Database) {}

  /** Changes of a company's members happen one after the other. */
  async lock(tx: Tx, companyId: number): Promise<void> {
    await lockCompany(this.db, tx, companyId);
  }

  async count(companyId: number, tx?: Tx): Promise<number> {
    const row = await this.db.queryOne<{ count: number }>(
      'SELECT count(*) FROM users WHERE company_id = $1 AND removed_at IS NULL',
      [companyId],
      tx,
    );
    return row?.count ?? 0;
  }

  /** Oldest first. */
  async list(companyId: number, page: PageRequest): Promise<Page<Member>> {
    const { limit, offset } = pageBounds(page);
    const [rows, total] = await Promise.all([
      this.db.query<Member>(
        `SELECT ${COLUMNS} FROM users u WHERE u.company_id = $1 AND u.removed_at IS NULL
          ORDER BY u.id LIMIT $2 OFFSET $3`,
        [companyId, limit, offset],
      ),
      this.count(companyId),
    ]);
    return { rows, total };
  }

  async find(companyId: number, id: number, tx?: Tx): Promise<Member | null> {
    return this.db.queryOne<Member>(
      `SELECT ${COLUMNS} FROM users u WHERE u.company_id = $1 AND u.id = $2 AND u.removed_at IS NULL`,
      [companyId, id],
      tx,
    );
  }

  async hasEmail(tx: Tx, companyId: number, email: string): Promise<boolean> {
    const row = await this.db.queryOne(
      'SELECT 1 FROM users WHERE company_id = $1 AND lower(email) = lower($2) AND removed_at IS NULL',
      [companyId, email],
      tx,
    );
    return row !== null;
  }

  /** False, and nothing is changed, if the company would be left without an owner. */
  async changeRole(tx: Tx, companyId: number, id: number, role: Role): Promise<boolean> {
    const changed = await this.db.execute(
      `UPDATE users SET role = $3, updated_at = now()
        WHERE company_id = $1 AND id = $2 AND removed_at IS NULL AND ($3 = 'owner' OR ${KEEPS_OWNER})`,
      [companyId, id, role],
      tx,
    );
    return changed === 1;
  }

  /**
   * Frees the email for another account, and makes every password and mailed token of the user worthless. False, and nothing is
   * changed, if the company would be left without an owner.
   */
  async remove(tx: Tx, companyId: number, id: number): Promise<boolean> {
    const removed = await this.db.queryOne(
      `WITH removed AS (
         UPDATE users SET removed_at = now(), updated_at = now(), name = 'Removed user',
                email = 'removed user ' || id, password_hash = 'removed',
                sealed_totp = NULL, totp_enabled_at = NULL
          WHERE company_id = $1 AND id = $2 AND removed_at IS NULL AND ${KEEPS_OWNER} RETURNING id),
       resets AS (DELETE FROM password_resets r USING removed WHERE r.user_id = removed.id),
       codes AS (DELETE FROM user_recovery_codes c USING removed WHERE c.user_id = removed.id),
       verifications AS (DELETE FROM email_verifications v USING removed WHERE v.user_id = removed.id),
       invitations AS (
         UPDATE user_invitations i SET closed_at = now() FROM removed
          WHERE i.invited_by = removed.id AND i.closed_at IS NULL)
       SELECT id FROM removed`,
      [companyId, id],
      tx,
    );
    return removed !== null;
  }
}
