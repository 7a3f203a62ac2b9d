import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { GatewayAccountId, GatewaySecretId, SubAccountId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import { GatewayCredentialModel } from '../models/gateway-credential';
import { lockCompany } from '../companies/lock-company';
import type { Database, Tx } from '../sql/transaction';

/** A credential without its secret, as the API shows it. */
export interface GatewayCredentialRow {
  readonly id: number;
  readonly companyId: number;
  readonly gatewayId: number;
  readonly gatewaySlug: GatewaySlug;
  readonly clientId: string | null;
  readonly accountId: GatewayAccountId;
  /** Null for a sub-account. */
  readonly secretId: GatewaySecretId | null;
  /** Null if the company uses its own account. */
  readonly subAccountId: SubAccountId | null;
  readonly order: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface GatewayCredentialValues {
  readonly companyId: number;
  readonly slug: GatewaySlug;
  readonly clientId: string | null;
  readonly order: number;
  readonly accountId: GatewayAccountId;
  /** Exactly one of `secretId` and `subAccountId` is set. */
  readonly secretId: GatewaySecretId | null;
  readonly subAccountId: SubAccountId | null;
}

/** What users may change of a credential. */
export interface CredentialSettings {
  readonly enabled: boolean;
  readonly order: number;
  readonly sealedWebhookSecret: SealedValue | null;
}

/** Owns `gateway_credentials`; `gateway-repository.ts` reads them for routing. */
export class GatewayCredentialRepository {
  constructor(private readonly database: Database) {}

  /** All credentials of the company. */
  async list(companyId: number): Promise<GatewayCredentialRow[]> {
    const rows = await GatewayCredentialModel.findAll({ where: { companyId } });
    return rows.map((row) => row.get({ plain: true }));
  }

  /** All credentials of the company. Locks the company's row, so that none is added or changed until `tx` ends. */
  async lockAll(tx: Tx, companyId: number): Promise<GatewayCredentialRow[]> {
    await lockCompany(this.database, tx, companyId);
    const rows = await GatewayCredentialModel.findAll({ where: { companyId }, transaction: tx });
    return rows.map((row) => row.get({ plain: true }));
  }

  /** Locks one credential until `tx` ends. */
  async lock(tx: Tx, companyId: number, slug: GatewaySlug): Promise<CredentialSettings | null> {
    return this.database.queryOne<CredentialSettings>(
      `SELECT c.enabled, c."order", a.sealed_webhook_secret AS "sealedWebhookSecret"
         FROM gateway_credentials c JOIN gateway_accounts a ON a.id = c.account_id
        WHERE c.company_id = $1 AND c.gateway_slug = $2 FOR UPDATE`,
      [companyId, slug],
      tx,
    );
  }

  async update(
    tx: Tx,
    { companyId, slug }: { readonly companyId: number; readonly slug: GatewaySlug },
    { enabled, order, sealedWebhookSecret }: CredentialSettings,
    now: Date,
  ): Promise<void> {
    await this.database.execute(
      `WITH changed AS (
         UPDATE gateway_credentials SET enabled = $3, "order" = $4, updated_at = $6
          WHERE company_id = $1 AND gateway_slug = $2 RETURNING account_id)
       UPDATE gateway_accounts SET sealed_webhook_secret = $5 FROM changed WHERE id = changed.account_id`,
      [companyId, slug, enabled, order, sealedWebhookSecret && JSON.stringify(sealedWebhookSecret), now],
      tx,
    );
  }

  /**
   * Closes all credentials of the company to new charges and returns the gateways of those that were open. Locks the others
   * too, so that none is enabled before `tx` ends.
   */
  async disableAll(tx: Tx, companyId: number, now: Date): Promise<GatewaySlug[]> {
    await this.database.query(
      'SELECT 1 FROM gateway_credentials WHERE company_id = $1 ORDER BY id FOR UPDATE',
      [companyId],
      tx,
    );
    const disabled = await this.database.query<{ slug: GatewaySlug }>(
      `UPDATE gateway_credentials SET enabled = false, updated_at = $2 WHERE company_id = $1 AND enabled
       RETURNING gateway_slug AS slug`,
      [companyId, now],
      tx,
    );
    return disabled.map(({ slug }) => slug).sort();
  }

  /** Inserts or replaces the company's credential for a gateway, closes its circuit and forgets what its accounts lack. */
  async upsert(tx: Tx, values: GatewayCredentialValues): Promise<GatewayCredentialRow> {
    const { companyId, slug, clientId, order, accountId, secretId, subAccountId } = values;
    const saved = await this.database.queryOne<GatewayCredentialRow>(
      `INSERT INTO gateway_credentials
              (company_id, gateway_id, gateway_slug, client_id, "order", account_id, secret_id, sub_account_id)
       SELECT $1, id, slug, $3, $4, $5, $6, $7 FROM gateways WHERE slug = $2
       ON CONFLICT (company_id, gateway_slug) DO UPDATE
          SET client_id = EXCLUDED.client_id, "order" = EXCLUDED."order", account_id = EXCLUDED.account_id,
              secret_id = EXCLUDED.secret_id, sub_account_id = EXCLUDED.sub_account_id, updated_at = now()
       RETURNING id, company_id AS "companyId", gateway_id AS "gatewayId", gateway_slug AS "gatewaySlug",
                 client_id AS "clientId", account_id AS "accountId", secret_id AS "secretId",
                 sub_account_id AS "subAccountId", "order", created_at AS "createdAt", updated_at AS "updatedAt"`,
      [companyId, slug, clientId, order, accountId, secretId, subAccountId],
      tx,
    );
    if (saved === null) throw new Error(`no gateway ${slug}`);
    await this.database.query(
      `WITH closed AS (DELETE FROM gateway_circuits WHERE company_id = $1 AND gateway_slug = $2)
       DELETE FROM gateway_learned_limits WHERE company_id = $1 AND gateway_slug = $2`,
      [companyId, slug],
      tx,
    );
    return saved;
  }
}
