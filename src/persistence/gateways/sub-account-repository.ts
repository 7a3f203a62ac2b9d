import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubAccountId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { SubAccountStatus } from '../../domain/routing/subaccount';
import { SubAccountModel } from '../models/sub-account';
import type { Database, Tx } from '../sql/transaction';

/** A recipient on its way to the gateway, or there. */
export interface SubAccountRow {
  readonly id: SubAccountId;
  readonly companyId: number;
  readonly gatewaySlug: GatewaySlug;
  readonly sealedInformation: SealedValue;
  readonly status: SubAccountStatus;
  readonly recipientId: string | null;
  readonly message: string | null;
  /** When the last request to make it was claimed; names that claim. */
  readonly sentAt: Date | null;
  /** Steps made since it was requested (again), or since the gateway gave its word. */
  readonly polls: number;
  readonly name: string;
  readonly documentMasked: string;
  readonly createdAt: Date;
}

/** A sub-account as its company sees it. */
export type SubAccountSummary = Pick<
  SubAccountRow,
  'id' | 'gatewaySlug' | 'status' | 'recipientId' | 'message' | 'name' | 'documentMasked' | 'createdAt'
>;

export interface NewSubAccount {
  readonly id: SubAccountId;
  readonly companyId: number;
  readonly gatewaySlug: GatewaySlug;
  /** The same for the same information. */
  readonly informationHash: string;
  readonly sealedInformation: SealedValue;
  readonly name: string;
  readonly documentMasked: string;
}

/** What a gateway says of a recipient. */
export interface RecipientAnswer {
  readonly status: 'pending' | 'active' | 'refused';
  readonly recipientId: string | null;
  readonly message: string | null;
}

export type SubAccountRef = Pick<SubAccountRow, 'id' | 'companyId' | 'gatewaySlug' | 'status'>;

/** Long enough for whoever inserted the row to start its workflow. */
const WAKE_AFTER_REQUEST_SECONDS = 5;
const SWEEP_AGAIN_SECONDS = 60;
const SUMMARY: Array<keyof SubAccountSummary> = [
  'id',
  'gatewaySlug',
  'status',
  'recipientId',
  'message',
  'name',
  'documentMasked',
  'createdAt',
];
/** Has not reached the gateway, or waits there without anybody asking about it. */
const IDLE = `(s.status IN ('requested', 'unknown') OR (s.status = 'pending' AND s.recover_after IS NULL))`;
const REF = `id, company_id AS "companyId", gateway_slug AS "gatewaySlug", status`;

/** The one owner of `sub_accounts`. Every change is conditional, so that whoever comes late changes nothing. */
export class SubAccountRepository {
  constructor(private readonly database: Database) {}

  /**
   * The company's sub-account with that information, inserted if there is none (a refused one counts as none).
   * One that has not reached the gateway, or that nobody asks the gateway about any more, is taken up again.
   */
  async request(row: NewSubAccount, tx?: Tx): Promise<SubAccountRef> {
    const found = await this.database.queryOne<SubAccountRef>(
      `INSERT INTO sub_accounts AS s
              (id, company_id, gateway_slug, information_hash, sealed_information, name, document_masked, status, recover_after)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'requested', now() + make_interval(secs => $8))
       ON CONFLICT (company_id, gateway_slug, information_hash) WHERE status <> 'refused' DO UPDATE
          SET polls = CASE WHEN ${IDLE} THEN 0 ELSE s.polls END,
              recover_after = CASE WHEN ${IDLE} THEN EXCLUDED.recover_after ELSE s.recover_after END
       RETURNING ${REF}`,
      [
        row.id,
        row.companyId,
        row.gatewaySlug,
        row.informationHash,
        JSON.stringify(row.sealedInformation),
        row.name,
        row.documentMasked,
        WAKE_AFTER_REQUEST_SECONDS,
      ],
      tx,
    );
    if (found === null) throw new Error('an upsert returned no row');
    return found;
  }

  /** Takes up one that was asked for again: by an idempotency key, so that a refused one stays refused. */
  async takeUp(id: SubAccountId): Promise<void> {
    await this.database.query(
      `UPDATE sub_accounts AS s SET polls = 0, recover_after = now() + make_interval(secs => $2)
        WHERE id = $1 AND ${IDLE}`,
      [id, WAKE_AFTER_REQUEST_SECONDS],
    );
  }

  async find(companyId: number, id: SubAccountId): Promise<SubAccountSummary | null> {
    const row = await SubAccountModel.findOne({ where: { companyId, id }, attributes: SUMMARY });
    return row && row.get({ plain: true });
  }

  /** Newest first. */
  async list(companyId: number, page: PageRequest): Promise<Page<SubAccountSummary>> {
    const { rows, count } = await SubAccountModel.findAndCountAll({
      where: { companyId },
      attributes: SUMMARY,
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      ...pageBounds(page),
    });
    return { rows: rows.map((row) => row.get({ plain: true })), total: count };
  }

  async get(id: SubAccountId): Promise<SubAccountRow> {
    const row = await SubAccountModel.findByPk(id, { rejectOnEmpty: true });
    return row.get({ plain: true });
  }

  /** Takes the right to send the request, once; false when another process has it or it is no longer wanted. */
  async claim(id: SubAccountId, sentAt: Date): Promise<boolean> {
    return this.changes(
      `UPDATE sub_accounts SET status = 'unknown', sent_at = $2, updated_at = now()
        WHERE id = $1 AND status = 'requested' RETURNING id`,
      [id, sentAt],
    );
  }

  /**
   * The request of that claim certainly made no recipient: it may be sent again. Does nothing when another request
   * was claimed since, whose outcome is open.
   */
  async release(id: SubAccountId, sentAt: Date): Promise<boolean> {
    return this.changes(
      `UPDATE sub_accounts SET status = 'requested', updated_at = now()
        WHERE id = $1 AND status = 'unknown' AND sent_at = $2 RETURNING id`,
      [id, sentAt],
    );
  }

  /** Records the gateway's word. A final one is never taken back. */
  async record(id: SubAccountId, word: RecipientAnswer): Promise<boolean> {
    return this.changes(
      `UPDATE sub_accounts
          SET polls = CASE WHEN status = $2 THEN polls ELSE 0 END,
              status = $2, recipient_id = COALESCE($3, recipient_id), message = $4, updated_at = now()
        WHERE id = $1 AND status NOT IN ('active', 'refused') RETURNING id`,
      [id, word.status, word.recipientId, word.message],
    );
  }

  /** Counts a step and notes when a sweeper should look after it, or never (null). */
  async noteStep(id: SubAccountId, recoverAfter: Date | null): Promise<void> {
    await this.database.query('UPDATE sub_accounts SET polls = polls + 1, recover_after = $2 WHERE id = $1', [
      id,
      recoverAfter,
    ]);
  }

  /** Those of these recipients that are the company's, at whatever gateway. */
  async knownRecipientIds(companyId: number, recipientIds: readonly string[], tx?: Tx): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT recipient_id AS id FROM sub_accounts WHERE company_id = $1 AND recipient_id = ANY($2)',
      [companyId, recipientIds],
      tx,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Sub-accounts whose workflow should have given a sign of life; each is put off, so that another sweeper leaves it. */
  async overdueSubAccounts(limit: number): Promise<SubAccountRef[]> {
    return this.database.query<SubAccountRef>(
      `UPDATE sub_accounts SET recover_after = now() + make_interval(secs => $2)
        WHERE id IN (SELECT id FROM sub_accounts WHERE recover_after <= now()
                      ORDER BY recover_after LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING ${REF}`,
      [limit, SWEEP_AGAIN_SECONDS],
    );
  }

  private async changes(sql: string, bind: readonly unknown[]): Promise<boolean> {
    return (await this.database.query(sql, bind)).length === 1;
  }
}
