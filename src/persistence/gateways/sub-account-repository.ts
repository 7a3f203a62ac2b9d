import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubAccountId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { SubAccountStatus } from '../../domain/routing/subaccount';
import { SubAccountModel } from '../models/sub-account';
import type { Database, Tx } from '../sql/transaction';

/** A recipient that is requested at a gateway, or registered there. */
export interface SubAccountRow {
  readonly id: SubAccountId;
  readonly companyId: number;
  readonly gatewaySlug: GatewaySlug;
  readonly sealedInformation: SealedValue;
  readonly status: SubAccountStatus;
  readonly recipientId: string | null;
  readonly message: string | null;
  /** Where its owner consents at the gateway. Null if it does not wait for that. */
  readonly consentUrl: string | null;
  /** When the last creation request was claimed. Identifies that claim. */
  readonly sentAt: Date | null;
  /** Workflow steps since it was requested or restarted, or since its status last changed at the gateway. */
  readonly pollCount: number;
  readonly name: string;
  readonly documentMasked: string;
  readonly createdAt: Date;
}

/** A sub-account as the API shows it. */
export type SubAccountSummary = Pick<
  SubAccountRow,
  | 'id'
  | 'gatewaySlug'
  | 'status'
  | 'recipientId'
  | 'message'
  | 'consentUrl'
  | 'name'
  | 'documentMasked'
  | 'createdAt'
>;

export interface NewSubAccount {
  readonly id: SubAccountId;
  readonly companyId: number;
  readonly gatewaySlug: GatewaySlug;
  /** The same for the same information. */
  readonly informationHash: string;
  /** By older keys: a sub-account may be known by one of these. */
  readonly olderInformationHashes?: readonly string[];
  readonly sealedInformation: SealedValue;
  readonly name: string;
  readonly documentMasked: string;
}

/** A gateway's answer about a recipient. */
export interface RecipientAnswer {
  readonly status: 'pending' | 'active' | 'refused';
  readonly recipientId: string | null;
  readonly message: string | null;
  /** Set if it waits for its owner's consent, which keeps it `pending`. */
  readonly consentUrl?: string | undefined;
}

export type SubAccountRef = Pick<SubAccountRow, 'id' | 'companyId' | 'gatewaySlug' | 'status' | 'consentUrl'>;

/** How long the sweeper waits for the process that inserted the row to start its workflow. */
const RECOVERY_DELAY_SECONDS = 5;
/** How long a row claimed by one sweeper is hidden from the others. */
const SWEEP_RETRY_SECONDS = 60;
const SUMMARY: Array<keyof SubAccountSummary> = [
  'id',
  'gatewaySlug',
  'status',
  'recipientId',
  'message',
  'consentUrl',
  'name',
  'documentMasked',
  'createdAt',
];
/** Not known to have reached the gateway, or pending there and no longer polled. */
const IDLE = `(s.status IN ('requested', 'unknown') OR (s.status = 'pending' AND s.recover_after IS NULL))`;
const REF = `id, company_id AS "companyId", gateway_slug AS "gatewaySlug", status, consent_url AS "consentUrl"`;

/** Owns `sub_accounts`. Every update is conditional on the status, so that a late process changes nothing. */
export class SubAccountRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the company's sub-account with this information; inserts one if there is none, or only a refused one.
   * Restarts one that is idle: not known to have reached the gateway, or no longer polled.
   */
  async insertOrRestart(subAccount: NewSubAccount, tx?: Tx): Promise<SubAccountRef> {
    const row = await this.database.queryOne<SubAccountRef>(
      `INSERT INTO sub_accounts AS s
              (id, company_id, gateway_slug, information_hash, sealed_information, name, document_masked, status, recover_after)
       VALUES ($1, $2, $3, COALESCE((SELECT o.information_hash FROM sub_accounts o
                 WHERE o.company_id = $2 AND o.gateway_slug = $3 AND o.information_hash = ANY($9) AND o.status <> 'refused' LIMIT 1), $4),
               $5, $6, $7, 'requested', now() + make_interval(secs => $8))
       ON CONFLICT (company_id, gateway_slug, information_hash) WHERE status <> 'refused' DO UPDATE
          SET poll_count = CASE WHEN ${IDLE} THEN 0 ELSE s.poll_count END,
              recover_after = CASE WHEN ${IDLE} THEN EXCLUDED.recover_after ELSE s.recover_after END
       RETURNING ${REF}`,
      [
        subAccount.id,
        subAccount.companyId,
        subAccount.gatewaySlug,
        subAccount.informationHash,
        JSON.stringify(subAccount.sealedInformation),
        subAccount.name,
        subAccount.documentMasked,
        RECOVERY_DELAY_SECONDS,
        subAccount.olderInformationHashes ?? [],
      ],
      tx,
    );
    if (row === null) throw new Error('an upsert returned no row');
    return row;
  }

  /** Restarts an idle one that was requested again with its idempotency key. A refused one stays refused. */
  async restart(id: SubAccountId): Promise<void> {
    await this.database.query(
      `UPDATE sub_accounts AS s SET poll_count = 0, recover_after = now() + make_interval(secs => $2)
        WHERE id = $1 AND ${IDLE}`,
      [id, RECOVERY_DELAY_SECONDS],
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

  /** Claims the creation request for sending. False if another process has claimed it or it is no longer `requested`. */
  async claim(id: SubAccountId, sentAt: Date): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET status = 'unknown', sent_at = $2, updated_at = now()
        WHERE id = $1 AND status = 'requested' RETURNING id`,
      [id, sentAt],
    );
  }

  /**
   * Allows sending again, after the claimed request certainly created no recipient. False if another request was claimed
   * since: its result is unknown.
   */
  async release(id: SubAccountId, sentAt: Date): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts SET status = 'requested', updated_at = now()
        WHERE id = $1 AND status = 'unknown' AND sent_at = $2 RETURNING id`,
      [id, sentAt],
    );
  }

  /** Records the gateway's answer. False if the status is final (`active` or `refused`). */
  async recordAnswer(id: SubAccountId, answer: RecipientAnswer): Promise<boolean> {
    return this.updateOne(
      `UPDATE sub_accounts
          SET poll_count = CASE WHEN status = $2 THEN poll_count ELSE 0 END,
              status = $2, recipient_id = COALESCE($3, recipient_id), message = $4, consent_url = $5, updated_at = now()
        WHERE id = $1 AND status NOT IN ('active', 'refused') RETURNING id`,
      [id, answer.status, answer.recipientId, answer.message, answer.consentUrl ?? null],
    );
  }

  /** Keeps what the gateway gave for it once. A newer one replaces it. */
  async saveSecret(id: SubAccountId, sealed: SealedValue): Promise<void> {
    await this.database.query(
      'UPDATE sub_accounts SET sealed_secret = $2, updated_at = now() WHERE id = $1',
      [id, JSON.stringify(sealed)],
    );
  }

  /** What the gateway gave for it once; null without it. */
  async findSecret(id: SubAccountId): Promise<SealedValue | null> {
    const [row] = await this.database.query<{ secret: SealedValue | null }>(
      'SELECT sealed_secret AS secret FROM sub_accounts WHERE id = $1',
      [id],
    );
    return row?.secret ?? null;
  }

  /** Counts a workflow step. `recoverAfter` null: the sweeper leaves it alone. */
  async recordStep(id: SubAccountId, recoverAfter: Date | null): Promise<void> {
    await this.database.query(
      'UPDATE sub_accounts SET poll_count = poll_count + 1, recover_after = $2 WHERE id = $1',
      [id, recoverAfter],
    );
  }

  /** Those of the given ids that are the company's recipients at any gateway. */
  async findRecipientIds(companyId: number, recipientIds: readonly string[], tx?: Tx): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(
      'SELECT recipient_id AS id FROM sub_accounts WHERE company_id = $1 AND recipient_id = ANY($2)',
      [companyId, recipientIds],
      tx,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns at most `limit` rows past `recover_after` and postpones it, so that no other sweeper claims them meanwhile. */
  async claimOverdue(limit: number): Promise<SubAccountRef[]> {
    return this.database.query<SubAccountRef>(
      `UPDATE sub_accounts SET recover_after = now() + make_interval(secs => $2)
        WHERE id IN (SELECT id FROM sub_accounts WHERE recover_after <= now()
                      ORDER BY recover_after LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING ${REF}`,
      [limit, SWEEP_RETRY_SECONDS],
    );
  }

  private async updateOne(sql: string, bind: readonly unknown[]): Promise<boolean> {
    return (await this.database.query(sql, bind)).length === 1;
  }
}
