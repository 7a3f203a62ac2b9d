import type { Mail } from '../../domain/companies/mail';
import type { Database } from '../sql/transaction';

/** Older mails are deleted. */
const MAX_MAILS = 500;

export interface SandboxMail extends Mail {
  readonly id: number;
  readonly createdAt: Date;
}

/** Owns `sandbox_mails`. */
export class SandboxMailRepository {
  constructor(private readonly database: Database) {}

  async insert({ to, subject, text }: Mail): Promise<void> {
    await this.database.query(
      `WITH inserted AS (
         INSERT INTO sandbox_mails (recipient, subject, body) VALUES ($1, $2, $3) RETURNING id
       )
       DELETE FROM sandbox_mails USING inserted WHERE sandbox_mails.id <= inserted.id - $4`,
      [to, subject, text, MAX_MAILS],
    );
  }

  /** Newest first. */
  async list(limit: number): Promise<SandboxMail[]> {
    return this.database.query<SandboxMail>(
      `SELECT id, recipient AS "to", subject, body AS text, created_at AS "createdAt"
         FROM sandbox_mails ORDER BY id DESC LIMIT $1`,
      [limit],
    );
  }
}
