import type { SubscriptionCommandId } from '../../domain/shared/ids';
import type { CommandRefusal } from '../../domain/subscriptions/command-refusal';
import type { CommandKind, StoredCommand } from '../../domain/subscriptions/stored-command';
import type { Database, Tx } from '../sql/transaction';

/** A stored command. `in_progress` means that its charge has no certain result yet. */
export interface SubscriptionCommandRow {
  readonly id: SubscriptionCommandId;
  readonly subscriptionId: number;
  readonly companyId: number;
  readonly command: StoredCommand;
  readonly status: 'requested' | 'in_progress' | 'done' | 'refused';
  readonly refusal: CommandRefusal | null;
  readonly idempotencyKey: string | null;
}

export type NewSubscriptionCommand = Omit<SubscriptionCommandRow, 'status' | 'refusal'>;

export interface OpenCommand {
  readonly id: SubscriptionCommandId;
  readonly subscriptionId: number;
  readonly kind: CommandKind;
  readonly status: 'requested' | 'in_progress';
}

const COLUMNS = `id, subscription_id AS "subscriptionId", company_id AS "companyId", details AS command, status,
  CASE WHEN status = 'refused' THEN json_build_object('reason', refusal, 'subject', refusal_subject) END AS refusal,
  idempotency_key AS "idempotencyKey"`;

/** Owns the table `subscription_commands`. */
export class SubscriptionCommandRepository {
  constructor(private readonly db: Database) {}

  async insert(tx: Tx, command: NewSubscriptionCommand, now: Date): Promise<void> {
    await this.db.execute(
      `INSERT INTO subscription_commands
         (id, subscription_id, company_id, kind, details, status, idempotency_key, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, 'requested', $6, $7, $7)`,
      [
        command.id,
        command.subscriptionId,
        command.companyId,
        command.command.kind,
        JSON.stringify(command.command),
        command.idempotencyKey,
        now,
      ],
      tx,
    );
  }

  async find(companyId: number, id: string, tx?: Tx): Promise<SubscriptionCommandRow | null> {
    return this.db.queryOne<SubscriptionCommandRow>(
      `SELECT ${COLUMNS} FROM subscription_commands WHERE company_id = $1 AND id = $2`,
      [companyId, id],
      tx,
    );
  }

  /** The unanswered commands of these subscriptions (by primary key), oldest first. */
  async openOf(subscriptionIds: readonly number[], tx?: Tx): Promise<OpenCommand[]> {
    return this.db.query<OpenCommand>(
      `SELECT id, subscription_id AS "subscriptionId", kind, status FROM subscription_commands
        WHERE subscription_id = ANY($1) AND status IN ('requested', 'in_progress') ORDER BY id`,
      [subscriptionIds],
      tx,
    );
  }

  /** Stores how far the command was executed, or why it was refused. */
  async answer(
    tx: Tx,
    id: SubscriptionCommandId,
    answer: { readonly status: 'in_progress' | 'done' | 'refused'; readonly refusal: CommandRefusal | null },
    now: Date,
  ): Promise<void> {
    await this.db.execute(
      `UPDATE subscription_commands
          SET status = $2, refusal = $3, refusal_subject = COALESCE($4, 'state'), updated_at = $5 WHERE id = $1`,
      [id, answer.status, answer.refusal?.reason ?? null, answer.refusal?.subject ?? null, now],
      tx,
    );
  }
}
