import {
  MAX_MAILS_PER_INVITATION,
  RESEND_AFTER_SECONDS,
  type Invitation,
} from '../../domain/users/membership';
import type { Role } from '../../domain/users/permission';
import type { Database, Tx } from '../sql/transaction';

export interface NewInvitation {
  readonly companyId: number;
  readonly email: string;
  readonly role: Role;
  readonly tokenHash: string;
  readonly invitedBy: number;
  readonly expiresAt: Date;
}

/** An invitation whose token was used. */
export interface AcceptedInvitation {
  readonly id: number;
  readonly companyId: number;
  readonly email: string;
  readonly role: Role;
}

const COLUMNS = `i.id, i.email, i.role, u.email AS "invitedBy", i.created_at AS "createdAt", i.sent_at AS "sentAt",
  i.expires_at AS "expiresAt"`;

/** Owns `user_invitations`. */
export class InvitationRepository {
  constructor(private readonly db: Database) {}

  /** Null if the address has an open invitation. */
  async insert(tx: Tx, invitation: NewInvitation): Promise<Invitation | null> {
    const { companyId, email, role, tokenHash, invitedBy, expiresAt } = invitation;
    return this.db.queryOne<Invitation>(
      `WITH i AS (
         INSERT INTO user_invitations (company_id, email, role, token_hash, invited_by, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (company_id, lower(email)) WHERE closed_at IS NULL DO NOTHING RETURNING *)
       SELECT ${COLUMNS} FROM i JOIN users u ON u.id = i.invited_by`,
      [companyId, email, role, tokenHash, invitedBy, expiresAt],
      tx,
    );
  }

  /** The open invitations, newest first; expired ones too. A company has few. */
  async list(companyId: number): Promise<Invitation[]> {
    return this.db.query<Invitation>(
      `SELECT ${COLUMNS} FROM user_invitations i JOIN users u ON u.id = i.invited_by
        WHERE i.company_id = $1 AND i.closed_at IS NULL ORDER BY i.id DESC`,
      [companyId],
    );
  }

  async find(tx: Tx, companyId: number, id: number): Promise<Invitation | null> {
    return this.db.queryOne<Invitation>(
      `SELECT ${COLUMNS} FROM user_invitations i JOIN users u ON u.id = i.invited_by
        WHERE i.company_id = $1 AND i.id = $2 AND i.closed_at IS NULL`,
      [companyId, id],
      tx,
    );
  }

  async count(tx: Tx, companyId: number): Promise<{ readonly open: number; readonly today: number }> {
    const row = await this.db.queryOne<{ open: number; today: number }>(
      `SELECT count(*) FILTER (WHERE closed_at IS NULL) AS open,
              count(*) FILTER (WHERE created_at > now() - interval '1 day') AS today
         FROM user_invitations
        WHERE company_id = $1 AND (closed_at IS NULL OR created_at > now() - interval '1 day')`,
      [companyId],
      tx,
    );
    return row ?? { open: 0, today: 0 };
  }

  /** Replaces the token and starts the lifetime anew. Null if the last mail is too recent, or there were too many. */
  async renew(tx: Tx, id: number, tokenHash: string, expiresAt: Date): Promise<Invitation | null> {
    return this.db.queryOne<Invitation>(
      `WITH i AS (
         UPDATE user_invitations SET token_hash = $2, expires_at = $3, sent_at = now(), mails = mails + 1
          WHERE id = $1 AND closed_at IS NULL AND mails < $4 AND sent_at < now() - make_interval(secs => $5)
         RETURNING *)
       SELECT ${COLUMNS} FROM i JOIN users u ON u.id = i.invited_by`,
      [id, tokenHash, expiresAt, MAX_MAILS_PER_INVITATION, RESEND_AFTER_SECONDS],
      tx,
    );
  }

  async revoke(tx: Tx, id: number): Promise<boolean> {
    const closed = await this.db.execute(
      'UPDATE user_invitations SET closed_at = now() WHERE id = $1 AND closed_at IS NULL',
      [id],
      tx,
    );
    return closed === 1;
  }

  /** The company whose invitation has the token; null if the token is unknown, used, revoked or expired. */
  async findCompany(tokenHash: string, now: Date, tx?: Tx): Promise<number | null> {
    const row = await this.db.queryOne<{ companyId: number }>(
      `SELECT company_id AS "companyId" FROM user_invitations
        WHERE token_hash = $1 AND closed_at IS NULL AND expires_at > $2`,
      [tokenHash, now],
      tx,
    );
    return row?.companyId ?? null;
  }

  /** A token works once. */
  async accept(tx: Tx, tokenHash: string, now: Date): Promise<AcceptedInvitation | null> {
    return this.db.queryOne<AcceptedInvitation>(
      `UPDATE user_invitations SET closed_at = now()
        WHERE token_hash = $1 AND closed_at IS NULL AND expires_at > $2
       RETURNING id, company_id AS "companyId", email, role`,
      [tokenHash, now],
      tx,
    );
  }
}
