import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newGatewaySecretId, type GatewayAccountId, type GatewaySecretId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { AccountChange, AccountProof, AccountSecret } from '../../domain/routing/gateway-secrets';
import type { Database, Tx } from '../sql/transaction';

/** A company's gateway. */
interface GatewayOfCompany {
  readonly companyId: number;
  readonly slug: GatewaySlug;
}

export interface GatewaySecretRow extends AccountSecret {
  readonly fingerprint: string;
  readonly clientId: string | null;
  /** Null once it was erased. */
  readonly sealedValues: SealedValue | null;
  /** When the gateway last accepted it. */
  readonly verifiedAt: Date | null;
}

export interface GatewaySecretValues extends GatewayOfCompany {
  readonly accountId: GatewayAccountId;
  readonly accountProof: AccountProof;
  readonly fingerprint: string;
  readonly clientId: string | null;
  readonly sealedValues: SealedValue;
  /** Null if the gateway has not accepted it yet. */
  readonly verifiedAt: Date | null;
}

export interface SavedSecret {
  readonly id: GatewaySecretId;
  /** Whether the gateway accepted it, and has not rejected it since. */
  readonly isVerified: boolean;
}

/** A current secret that its gateway rejects. */
export interface RejectedSecret extends GatewayOfCompany {
  readonly id: GatewaySecretId;
}

/** A charge that a secret's account certainly has. */
export interface AccountCharge {
  readonly reference: string;
  readonly gatewayTransactionId: string;
}

const MAX_SECRETS = 100;
/** Payments that are searched for a charge of an account. */
const MAX_PAYMENTS = 50;
/** A secret that nothing needs any more is erased after this time, in which the company may return to it. */
const ERASE_AFTER = `interval '24 hours'`;
const POSTPONE_BY = `interval '1 hour'`;
const NOTIFY_EVERY = `interval '24 hours'`;
/** If the mails could not be sent. */
const RETRY_NOTICE_AFTER = `interval '10 minutes'`;

/** The company's current secret `n` shows the same charges as `s`. */
const IS_SUPERSEDED = `n.account_id = s.account_id AND n.account_proof <> 'claimed' AND s.account_proof <> 'claimed'
  AND n.verified_at IS NOT NULL AND n.rejected_at IS NULL`;

/** The one owner of `gateway_accounts` and `gateway_secrets`. */
export class GatewaySecretRepository {
  constructor(private readonly db: Database) {}

  /**
   * The company's secrets at a gateway, erased ones included: at most 100, the current one and the wanted one among them, used
   * ones before others, then the newest first.
   */
  async list(
    { companyId, slug }: GatewayOfCompany,
    wanted: { readonly id?: GatewaySecretId; readonly fingerprints?: readonly string[] } = {},
    tx?: Tx,
  ): Promise<GatewaySecretRow[]> {
    return this.db.query<GatewaySecretRow>(
      `SELECT s.id, s.account_id AS "accountId", s.account_proof AS "accountProof", s.fingerprint,
              s.client_id AS "clientId", s.sealed_values AS "sealedValues", s.verified_at AS "verifiedAt",
              s.rejected_at AS "rejectedAt", s.created_at AS "createdAt", c.id IS NOT NULL AS "isCurrent"
         FROM gateway_secrets s
         LEFT JOIN gateway_credentials c
           ON c.company_id = s.company_id AND c.gateway_slug = s.gateway_slug AND c.secret_id = s.id
        WHERE s.company_id = $1 AND s.gateway_slug = $2
        ORDER BY c.id IS NULL, (s.id = $3 OR s.fingerprint = ANY($4)) IS NOT TRUE, s.used_at IS NULL,
                 s.created_at DESC, s.id DESC LIMIT ${MAX_SECRETS}`,
      [companyId, slug, wanted.id ?? null, wanted.fingerprints ?? null],
      tx,
    );
  }

  /** The newest charge of the account that the gateway gave an id. Null if none of its last payments has one. */
  async findCharge(
    { companyId, slug }: GatewayOfCompany,
    accountId: GatewayAccountId,
  ): Promise<AccountCharge | null> {
    return this.db.queryOne<AccountCharge>(
      `SELECT a.reference, a.gateway_transaction_id AS "gatewayTransactionId"
         FROM (SELECT id, created_at FROM payments WHERE company_id = $1 AND last_gateway = $2
                ORDER BY created_at DESC, id DESC LIMIT ${MAX_PAYMENTS}) p
         JOIN gateway_attempts a ON a.payment_id = p.id
         JOIN gateway_secrets s ON s.id = a.secret_id
        WHERE s.account_id = $3 AND s.account_proof <> 'claimed' AND a.gateway_slug = $2
          AND a.operation IN ('authorize', 'charge') AND a.gateway_transaction_id IS NOT NULL
        ORDER BY p.created_at DESC, a.created_at DESC LIMIT 1`,
      [companyId, slug, accountId],
    );
  }

  /** A new account takes over the webhook secret of the company's current one. */
  async insertAccount(tx: Tx, id: GatewayAccountId, { companyId, slug }: GatewayOfCompany): Promise<void> {
    await this.db.execute(
      `INSERT INTO gateway_accounts (id, company_id, gateway_slug, sealed_webhook_secret)
       VALUES ($1, $2, $3, (SELECT a.sealed_webhook_secret FROM gateway_credentials c
                              JOIN gateway_accounts a ON a.id = c.account_id
                             WHERE c.company_id = $2 AND c.gateway_slug = $3))`,
      [id, companyId, slug],
      tx,
    );
  }

  /** Inserts a secret, or renews the row of the same values. */
  async upsert(tx: Tx, values: GatewaySecretValues): Promise<SavedSecret> {
    const { companyId, slug, accountId, accountProof, fingerprint, clientId, sealedValues, verifiedAt } =
      values;
    const row = await this.db.queryOne<SavedSecret>(
      `INSERT INTO gateway_secrets AS s
              (id, company_id, gateway_slug, account_id, account_proof, fingerprint, client_id, sealed_values, verified_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (company_id, gateway_slug, fingerprint) DO UPDATE
          SET account_id = EXCLUDED.account_id, account_proof = EXCLUDED.account_proof,
              sealed_values = EXCLUDED.sealed_values, verified_at = EXCLUDED.verified_at,
              rejected_at = CASE WHEN EXCLUDED.verified_at IS NULL THEN s.rejected_at END,
              notify_after = CASE WHEN EXCLUDED.verified_at IS NULL THEN s.notify_after END, erase_after = NULL
       RETURNING id, verified_at IS NOT NULL AND rejected_at IS NULL AS "isVerified"`,
      [
        newGatewaySecretId(),
        companyId,
        slug,
        accountId,
        accountProof,
        fingerprint,
        clientId,
        JSON.stringify(sealedValues),
        verifiedAt,
      ],
      tx,
    );
    if (row === null) throw new Error('an upsert returned no row');
    return row;
  }

  /** Records that the first charge is sent with the secret. */
  async markUsed(tx: Tx, id: GatewaySecretId, now: Date): Promise<void> {
    await this.db.execute(
      'UPDATE gateway_secrets SET used_at = $2 WHERE id = $1 AND used_at IS NULL',
      [id, now],
      tx,
    );
  }

  async markAccepted(id: GatewaySecretId, now: Date): Promise<void> {
    await this.db.execute(
      'UPDATE gateway_secrets SET verified_at = $2, rejected_at = NULL, notify_after = NULL WHERE id = $1',
      [id, now],
    );
  }

  /** Has the company's users told, at most once a day. */
  async markRejected(id: GatewaySecretId, now: Date): Promise<void> {
    await this.db.execute(
      `UPDATE gateway_secrets SET rejected_at = COALESCE(rejected_at, $2),
              notify_after = CASE WHEN rejected_at IS NULL AND notified_at IS NULL OR notified_at < $2::timestamptz - ${NOTIFY_EVERY}
                                  THEN $2 ELSE notify_after END
        WHERE id = $1`,
      [id, now],
    );
  }

  /** At most `limit` current secrets whose rejection the company's users are not told yet. Claims them for ten minutes. */
  async claimRejected(limit: number, now: Date): Promise<RejectedSecret[]> {
    return this.db.query<RejectedSecret>(
      `UPDATE gateway_secrets SET notify_after = $1::timestamptz + ${RETRY_NOTICE_AFTER} WHERE id IN (
         SELECT s.id FROM gateway_secrets s JOIN gateway_credentials c ON c.secret_id = s.id
          WHERE s.notify_after <= $1 ORDER BY s.notify_after LIMIT $2 FOR UPDATE OF s SKIP LOCKED)
       RETURNING id, company_id AS "companyId", gateway_slug AS slug`,
      [now, limit],
    );
  }

  async markNotified(id: GatewaySecretId, now: Date): Promise<void> {
    await this.db.execute('UPDATE gateway_secrets SET notify_after = NULL, notified_at = $2 WHERE id = $1', [
      id,
      now,
    ]);
  }

  /** Records what a charge proved about accounts, and moves the company's current account along. */
  async changeAccounts(tx: Tx, gateway: GatewayOfCompany, change: AccountChange): Promise<void> {
    switch (change.kind) {
      case 'join':
        await this.db.execute(
          `UPDATE gateway_secrets SET account_id = $2, account_proof = 'seen' WHERE id = $1`,
          [change.secretId, change.accountId],
          tx,
        );
        break;
      case 'merge':
        await this.takeOverWebhookSecret(tx, gateway, change);
        await this.db.execute(
          `UPDATE gateway_secrets SET account_id = $2,
                  account_proof = CASE account_proof WHEN 'origin' THEN 'seen' ELSE account_proof END
            WHERE account_id = $1`,
          [change.from, change.into],
          tx,
        );
    }
    await this.db.execute(
      `UPDATE gateway_credentials c SET account_id = s.account_id FROM gateway_secrets s
        WHERE c.company_id = $1 AND c.gateway_slug = $2 AND s.id = c.secret_id AND s.account_id <> c.account_id`,
      [gateway.companyId, gateway.slug],
      tx,
    );
    await this.scheduleErasure(tx, gateway);
  }

  /** Schedules the erasure of earlier secrets that were never used, or whose charges the current one shows. */
  async scheduleErasure(tx: Tx, { companyId, slug }: GatewayOfCompany): Promise<void> {
    await this.db.execute(
      `UPDATE gateway_secrets s SET erase_after = now() + ${ERASE_AFTER}
         FROM gateway_credentials c LEFT JOIN gateway_secrets n ON n.id = c.secret_id
        WHERE c.company_id = $1 AND c.gateway_slug = $2 AND s.company_id = $1 AND s.gateway_slug = $2
          AND s.id IS DISTINCT FROM c.secret_id AND s.sealed_values IS NOT NULL AND s.erase_after IS NULL
          AND (s.used_at IS NULL OR (${IS_SUPERSEDED}))`,
      [companyId, slug],
      tx,
    );
  }

  /**
   * Erases at most `limit` secrets whose time has come, unless they are needed again: the secret is current, or the current
   * one no longer replaces it. A secret with attempts without a result is postponed. One that no charge was made with is
   * deleted. Returns how many were erased or deleted.
   */
  async eraseUnneeded(limit: number, now: Date): Promise<number> {
    const rows = await this.db.query<{ gone: boolean }>(
      `WITH due AS (
         SELECT s.id, s.company_id, s.account_id, s.account_proof, s.used_at, c.secret_id
           FROM gateway_secrets s
           JOIN gateway_credentials c ON c.company_id = s.company_id AND c.gateway_slug = s.gateway_slug
          WHERE s.erase_after <= $1 ORDER BY s.erase_after LIMIT $2 FOR UPDATE OF s SKIP LOCKED
       ), state AS (
         SELECT s.id, s.used_at IS NULL AS unused,
                s.id IS DISTINCT FROM s.secret_id AND (s.used_at IS NULL OR EXISTS (
                  SELECT 1 FROM gateway_secrets n WHERE n.id = s.secret_id AND ${IS_SUPERSEDED})) AS unneeded,
                EXISTS (SELECT 1 FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
                         WHERE p.company_id = s.company_id AND p.recover_after IS NOT NULL AND a.secret_id = s.id
                           AND a.status IN ('requested', 'sent', 'unknown', 'accepted')) AS open
           FROM due s
       ), deleted AS (
         DELETE FROM gateway_secrets USING state
          WHERE gateway_secrets.id = state.id AND unneeded AND unused RETURNING true AS gone
       ), updated AS (
         UPDATE gateway_secrets s
            SET sealed_values = CASE WHEN unneeded AND NOT open THEN NULL ELSE sealed_values END,
                erase_after = CASE WHEN unneeded AND open THEN $1::timestamptz + ${POSTPONE_BY} END
           FROM state WHERE s.id = state.id AND NOT (unneeded AND unused)
         RETURNING unneeded AND NOT open AS gone
       )
       SELECT gone FROM deleted UNION ALL SELECT gone FROM updated`,
      [now, limit],
    );
    return rows.filter(({ gone }) => gone).length;
  }

  /** The current account of the company decides about new webhook secrets, so its secret is the one that stays. */
  private async takeOverWebhookSecret(
    tx: Tx,
    { companyId, slug }: GatewayOfCompany,
    { from, into }: Extract<AccountChange, { kind: 'merge' }>,
  ): Promise<void> {
    await this.db.execute(
      `UPDATE gateway_accounts SET sealed_webhook_secret = old.sealed_webhook_secret
         FROM gateway_accounts old JOIN gateway_credentials c ON c.account_id = old.id
        WHERE gateway_accounts.id = $4 AND old.id = $3 AND c.company_id = $1 AND c.gateway_slug = $2`,
      [companyId, slug, from, into],
      tx,
    );
  }
}
