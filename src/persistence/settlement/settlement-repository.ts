import type {
  SettlementSource,
  SettlementStatus,
  SettlementToStart,
} from '../../domain/settlement/settlement';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newSettlementId, type GatewayAccountId, type SettlementId } from '../../domain/shared/ids';
import type { Database, Tx } from '../sql/transaction';

export interface SettlementRecord {
  readonly id: SettlementId;
  readonly companyId: number;
  readonly gatewaySlug: GatewaySlug;
  readonly accountId: GatewayAccountId | null;
  readonly day: string;
  readonly source: SettlementSource;
  readonly status: SettlementStatus;
  readonly digest: string | null;
  readonly cursor: string | null;
  readonly lineCount: number;
  /** The last line that the present stage has processed. */
  readonly processedTo: number;
  readonly tries: number;
}

/** What a step changes. */
export type SettlementProgress = Partial<
  Pick<SettlementRecord, 'status' | 'cursor' | 'lineCount' | 'processedTo' | 'tries'>
> & { readonly problem?: string };

/** An account whose statement of a day may be fetched. */
export type StatementAccount = Pick<SettlementToStart, 'companyId' | 'gateway' | 'accountId'>;

/** Gateways that have statements, for the companies with ids of a sign. */
export interface StatementGateways {
  readonly positive: readonly GatewaySlug[];
  readonly negative: readonly GatewaySlug[];
}

const COLUMNS = `id, company_id AS "companyId", gateway_slug AS "gatewaySlug", gateway_account_id AS "accountId",
  day::text AS day, source, status, digest, cursor, line_count AS "lineCount", processed_to AS "processedTo", tries`;
const TO_START = `id AS "settlementId", company_id AS "companyId", gateway_slug AS gateway, gateway_account_id AS "accountId",
  day::text AS day`;

/** How long a settlement claimed by one sweeper is hidden from the others. */
const SWEEP_RETRY_MS = 60_000;
/** Days of which missing statements are fetched. */
const DAYS_BACK = 7;

/** The one owner of `settlements`. */
export class SettlementRepository {
  constructor(private readonly db: Database) {}

  /** For the workflow, whose ids are trusted. */
  async find(id: SettlementId, tx?: Tx): Promise<SettlementRecord | null> {
    return this.db.queryOne<SettlementRecord>(`SELECT ${COLUMNS} FROM settlements WHERE id = $1`, [id], tx);
  }

  async findDay(
    { companyId, gateway, accountId }: StatementAccount,
    day: string,
    tx?: Tx,
  ): Promise<SettlementRecord | null> {
    return this.db.queryOne<SettlementRecord>(
      `SELECT ${COLUMNS} FROM settlements
        WHERE company_id = $1 AND gateway_slug = $2 AND gateway_account_id IS NOT DISTINCT FROM $3 AND day = $4`,
      [companyId, gateway, accountId, day],
      tx,
    );
  }

  /** The statement is to be fetched. Null if there is a settlement of this day already. */
  async insertToFetch(
    { companyId, gateway, accountId }: StatementAccount,
    day: string,
    now: Date,
  ): Promise<SettlementId | null> {
    const row = await this.db.queryOne<{ id: SettlementId }>(
      `INSERT INTO settlements (id, company_id, gateway_slug, gateway_account_id, day, source, status, recover_after,
         created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, 'gateway', 'fetching', $6, $6, $6) ON CONFLICT DO NOTHING RETURNING id`,
      [newSettlementId(), companyId, gateway, accountId, day, now],
    );
    return row?.id ?? null;
  }

  /**
   * Begins an upload, which replaces one that has not ended and a settlement without a statement. `isNew` is false if the day has a
   * statement already: then the upload can only be compared with it.
   */
  async beginUpload(
    { companyId, gateway, accountId }: StatementAccount,
    day: string,
    uploadId: string,
    now: Date,
  ): Promise<{ readonly settlement: SettlementRecord; readonly isNew: boolean }> {
    return this.db.inTransaction(async (tx) => {
      const started = await this.db.queryOne<SettlementRecord>(
        `INSERT INTO settlements AS known (id, company_id, gateway_slug, gateway_account_id, day, source, status, upload_id,
           created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, 'upload', 'receiving', $6, $7, $7)
         ON CONFLICT (company_id, gateway_slug, gateway_account_id, day) DO UPDATE
           SET source = 'upload', status = 'receiving', upload_id = $6, line_count = 0, processed_to = 0, tries = 0, cursor = NULL,
               problem = NULL, completed_at = NULL, recover_after = NULL, updated_at = $7
         WHERE known.status IN ('receiving', 'failed') OR (known.status = 'fetching' AND known.line_count = 0)
         RETURNING ${COLUMNS}`,
        [newSettlementId(), companyId, gateway, accountId, day, uploadId, now],
        tx,
      );
      if (started !== null) {
        await this.db.execute('DELETE FROM settlement_lines WHERE settlement_id = $1', [started.id], tx);
        return { settlement: started, isNew: true };
      }
      const known = await this.findDay({ companyId, gateway, accountId }, day, tx);
      if (known === null) throw new Error('a settlement that conflicts exists');
      return { settlement: known, isNew: false };
    });
  }

  /** Counts lines of an upload. False if another upload has replaced it. */
  async countUploaded(
    tx: Tx,
    id: SettlementId,
    uploadId: string,
    lines: number,
    now: Date,
  ): Promise<boolean> {
    const changed = await this.db.execute(
      `UPDATE settlements SET line_count = line_count + $3, updated_at = $4
        WHERE id = $1 AND upload_id = $2 AND status = 'receiving'`,
      [id, uploadId, lines, now],
      tx,
    );
    return changed === 1;
  }

  /** Has the uploaded lines matched. False if another upload has replaced this one. */
  async completeUpload(
    tx: Tx,
    id: SettlementId,
    uploadId: string,
    digest: string,
    now: Date,
  ): Promise<boolean> {
    const changed = await this.db.execute(
      `UPDATE settlements SET status = 'matching', digest = $3, recover_after = $4, updated_at = $4
        WHERE id = $1 AND upload_id = $2 AND status = 'receiving'`,
      [id, uploadId, digest, now],
      tx,
    );
    return changed === 1;
  }

  /** Deletes an upload that has not ended, unless another one has replaced it. */
  async dropUpload(id: SettlementId, uploadId: string): Promise<void> {
    await this.db.inTransaction(async (tx) => {
      const receiving = await this.db.queryOne(
        `SELECT FROM settlements WHERE id = $1 AND upload_id = $2 AND status = 'receiving' FOR UPDATE`,
        [id, uploadId],
        tx,
      );
      if (receiving === null) return;
      await this.db.execute('DELETE FROM settlement_lines WHERE settlement_id = $1', [id], tx);
      await this.db.execute('DELETE FROM settlements WHERE id = $1', [id], tx);
    });
  }

  /**
   * Saves a step, if no other process has saved one since `before` was read. False if one has: then nothing must be saved with it.
   */
  async advance(
    before: SettlementRecord,
    progress: SettlementProgress,
    now: Date,
    tx?: Tx,
  ): Promise<boolean> {
    const after = { ...before, ...progress };
    const isEnded = after.status === 'done' || after.status === 'failed';
    const changed = await this.db.execute(
      `UPDATE settlements SET status = $5, cursor = $6, line_count = $7, processed_to = $8, tries = $9, problem = $10,
              updated_at = $11, completed_at = $12
        WHERE id = $1 AND status = $2 AND processed_to = $3 AND line_count = $4`,
      [
        ...[before.id, before.status, before.processedTo, before.lineCount],
        ...[after.status, after.cursor, after.lineCount, after.processedTo, after.tries],
        ...[progress.problem ?? null, now, isEnded ? now : null],
      ],
      tx,
    );
    return changed === 1;
  }

  /** Sums the lines by kind and currency. */
  async saveTotals(id: SettlementId): Promise<void> {
    await this.db.execute(
      `UPDATE settlements SET totals = (
         SELECT coalesce(json_agg(sums), '[]') FROM (
           SELECT kind, currency, count(*) AS lines, sum(amount_cents) AS amount, sum(fee_cents) AS fee, sum(net_cents) AS net
             FROM settlement_lines WHERE settlement_id = $1 GROUP BY kind, currency ORDER BY kind, currency) sums)
        WHERE id = $1`,
      [id],
    );
  }

  async scheduleRecovery(id: SettlementId, recoverAfter: Date | null): Promise<void> {
    await this.db.execute('UPDATE settlements SET recover_after = $2 WHERE id = $1', [id, recoverAfter]);
  }

  /** At most `limit` settlements past `recover_after`, which is postponed. */
  async claimOverdue(limit: number, now: Date): Promise<SettlementToStart[]> {
    return this.db.query<SettlementToStart>(
      `UPDATE settlements SET recover_after = $3
        WHERE id IN (SELECT id FROM settlements WHERE recover_after <= $1
                      ORDER BY recover_after LIMIT $2 FOR UPDATE SKIP LOCKED)
        RETURNING ${TO_START}`,
      [now, limit, new Date(now.getTime() + SWEEP_RETRY_MS)],
    );
  }

  /**
   * Adds the settlements of ended days, up to `lastDay`, that accounts in use lack; at most `limit`. Returns how many. The sweeper
   * starts their workflows.
   */
  async insertMissing(
    gateways: StatementGateways,
    lastDay: string,
    limit: number,
    now: Date,
  ): Promise<number> {
    return this.db.execute(
      `INSERT INTO settlements (id, company_id, gateway_slug, gateway_account_id, day, source, status, recover_after,
         created_at, updated_at)
       SELECT gen_random_uuid(), account.company_id, account.gateway_slug, account.id, days.day::date, 'gateway', 'fetching',
              $4, $4, $4
         FROM gateway_accounts account
         CROSS JOIN generate_series($3::date - ${DAYS_BACK - 1}, $3::date, interval '1 day') AS days (day)
        WHERE account.gateway_slug = ANY (CASE WHEN account.company_id > 0 THEN $1::text[] ELSE $2::text[] END)
          AND (account.created_at AT TIME ZONE 'America/Sao_Paulo')::date <= days.day
          AND EXISTS (SELECT FROM gateway_secrets secret WHERE secret.account_id = account.id AND secret.used_at IS NOT NULL
                        AND secret.sealed_values IS NOT NULL)
          AND NOT EXISTS (SELECT FROM settlements known WHERE known.company_id = account.company_id
                AND known.gateway_slug = account.gateway_slug AND known.gateway_account_id = account.id
                AND known.day = days.day)
        LIMIT $5
       ON CONFLICT DO NOTHING`,
      [gateways.positive, gateways.negative, lastDay, now, limit],
    );
  }

  /** The accounts that the company has at a gateway, the current one first; the platform's if it has none. */
  async listAccounts(companyId: number, gateway: GatewaySlug): Promise<Array<GatewayAccountId | null>> {
    const rows = await this.db.query<{ id: GatewayAccountId | null }>(
      `SELECT account.id FROM gateway_accounts account
         LEFT JOIN gateway_credentials credential
           ON credential.company_id = account.company_id AND credential.account_id = account.id
        WHERE account.company_id = $1 AND account.gateway_slug = $2
        ORDER BY credential.id IS NULL, account.created_at DESC LIMIT 100`,
      [companyId, gateway],
    );
    return rows.length === 0 ? [null] : rows.map(({ id }) => id);
  }
}
