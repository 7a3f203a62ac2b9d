import type { SubscriptionCommandId } from '../../domain/shared/ids';
import type { CommandKind, StoredCommand } from '../../domain/subscriptions/stored-command';
import type { Database, Tx } from '../sql/transaction';

/** What somebody asks of a subscription. `taken` has begun a charge and waits for its result. */
export interface SubscriptionCommandRow {
  readonly id: SubscriptionCommandId;
  readonly subscriptionId: number;
  readonly companyId: number;
  readonly command: StoredCommand;
  readonly status: 'requested' | 'taken' | 'done' | 'refused';
  /** Public text. */
  readonly refusal: string | null;
  readonly idempotencyKey: string | null;
}

export type NewSubscriptionCommand = Omit<SubscriptionCommandRow, 'status' | 'refusal'>;

/** An open command as the API tells of it. */
export interface OpenCommand {
  readonly id: SubscriptionCommandId;
  readonly subscriptionId: number;
  readonly kind: CommandKind;
  readonly status: 'requested' | 'taken';
}

const COLUMNS = `id, subscription_id AS "subscriptionId", company_id AS "companyId", details AS command, status,
  refusal, idempotency_key AS "idempotencyKey"`;

/** The one owner of `subscription_commands`. */
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

  /** What is asked of these subscriptions, by their inner ids, and not answered yet: in the order it was asked. */
  async openOf(subscriptionIds: readonly number[], tx?: Tx): Promise<OpenCommand[]> {
    return this.db.query<OpenCommand>(
      `SELECT id, subscription_id AS "subscriptionId", kind, status FROM subscription_commands
        WHERE subscription_id = ANY($1) AND status IN ('requested', 'taken') ORDER BY id`,
      [subscriptionIds],
      tx,
    );
  }

  async answer(
    tx: Tx,
    id: SubscriptionCommandId,
    answer: { readonly status: 'taken' | 'done' | 'refused'; readonly refusal: string | null },
    now: Date,
  ): Promise<void> {
    await this.db.execute(
      'UPDATE subscription_commands SET status = $2, refusal = $3, updated_at = $4 WHERE id = $1',
      [id, answer.status, answer.refusal, now],
      tx,
    );
  }
}
