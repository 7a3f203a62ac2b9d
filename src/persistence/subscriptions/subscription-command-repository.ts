import type { CustomerKey, PersonalDataCipher } from '../../domain/customers/personal-data';
import type { SubscriptionCommandId } from '../../domain/shared/ids';
import type { CommandRefusal } from '../../domain/subscriptions/command-refusal';
import type { CommandKind, StoredCommand } from '../../domain/subscriptions/stored-command';
import { CUSTOMER_KEY } from '../customers/customer-repository';
import { openCardOnFile, sealCardOnFile } from './subscription-personal-data';
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

export interface NewSubscriptionCommand extends Omit<SubscriptionCommandRow, 'status' | 'refusal'> {
  readonly customerKey: CustomerKey | null;
  /** By the subscription's clock. */
  readonly requestedAt: Date;
}

export interface OpenCommand {
  readonly id: SubscriptionCommandId;
  readonly subscriptionId: number;
  readonly kind: CommandKind;
  readonly status: 'requested' | 'in_progress';
  /** By the subscription's clock. */
  readonly requestedAt: Date;
}

/** As stored, with what is sealed of a new card. */
interface StoredCommandRow extends SubscriptionCommandRow {
  readonly personalData: string | null;
  readonly customerKey: CustomerKey | null;
}

const COLUMNS = `id, subscription_id AS "subscriptionId", company_id AS "companyId", details AS command, status,
  CASE WHEN status = 'refused' THEN json_build_object('reason', refusal, 'subject', refusal_subject) END AS refusal,
  idempotency_key AS "idempotencyKey", personal_data AS "personalData",
  (SELECT ${CUSTOMER_KEY} FROM subscriptions s JOIN customers c ON c.id = s.customer_id
    WHERE s.id = k.subscription_id) AS "customerKey"`;

/** Owns the table `subscription_commands`. */
export class SubscriptionCommandRepository {
  constructor(
    private readonly db: Database,
    private readonly cipher: PersonalDataCipher,
  ) {}

  /** The caller has locked the subscription in `tx`. */
  async insert(tx: Tx, command: NewSubscriptionCommand, now: Date): Promise<void> {
    const { details, personalData } = await this.seal(command);
    await this.db.execute(
      `INSERT INTO subscription_commands
         (id, subscription_id, company_id, kind, details, personal_data, status, idempotency_key, created_at, updated_at,
          requested_at)
       VALUES ($1, $2, $3, $4, $5, $8, 'requested', $6, $7, $7, $9)`,
      [
        command.id,
        command.subscriptionId,
        command.companyId,
        command.command.kind,
        JSON.stringify(details),
        command.idempotencyKey,
        now,
        personalData,
        command.requestedAt,
      ],
      tx,
    );
  }

  async find(companyId: number, id: string, tx?: Tx): Promise<SubscriptionCommandRow | null> {
    const row = await this.db.queryOne<StoredCommandRow>(
      `SELECT ${COLUMNS} FROM subscription_commands k WHERE k.company_id = $1 AND k.id = $2`,
      [companyId, id],
      tx,
    );
    return row && this.open(row);
  }

  /** The unanswered commands of these subscriptions (by primary key), in the order in which they were stored. */
  async openOf(subscriptionIds: readonly number[], tx?: Tx): Promise<OpenCommand[]> {
    return this.db.query<OpenCommand>(
      `SELECT id, subscription_id AS "subscriptionId", kind, status, requested_at AS "requestedAt"
         FROM subscription_commands
        WHERE subscription_id = ANY($1) AND status IN ('requested', 'in_progress') ORDER BY position`,
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

  private async seal({ id, command, customerKey }: NewSubscriptionCommand) {
    if (command.kind !== 'change_card') return { details: command, personalData: null };
    const { card, personalData } = await sealCardOnFile(this.cipher, customerKey, command.card, recordOf(id));
    const { billingAddress: _address, payer: _payer, ...onFile } = command.card;
    return { details: { ...command, card: { ...onFile, card } }, personalData };
  }

  private async open({
    personalData,
    customerKey,
    ...row
  }: StoredCommandRow): Promise<SubscriptionCommandRow> {
    const { command } = row;
    if (command.kind !== 'change_card') return row;
    const opened = await openCardOnFile(this.cipher, customerKey, personalData, recordOf(row.id));
    const { holderName, billingAddress, payer } = opened;
    const shown = { ...command.card.card, holderName };
    const card = { ...command.card, card: shown, billingAddress, ...(payer && { payer }) };
    return { ...row, command: { ...command, card } };
  }
}

function recordOf(id: string): string {
  return `subscription_commands:${id}`;
}
