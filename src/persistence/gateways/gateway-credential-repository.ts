import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubAccountId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import { GatewayCredentialModel } from '../models/gateway-credential';
import type { Database, Tx } from '../sql/transaction';

/** A credential without its secret, as the API shows it. */
export interface GatewayCredentialRow {
  readonly id: number;
  readonly companyId: number;
  readonly gatewayId: number;
  readonly gatewaySlug: GatewaySlug;
  readonly clientId: string | null;
  readonly order: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface GatewayCredentialValues {
  readonly companyId: number;
  readonly slug: GatewaySlug;
  readonly clientId: string | null;
  readonly order: number;
  /** Exactly one of `sealedSecret` and `subAccountId` is set. */
  readonly sealedSecret: SealedValue | null;
  readonly subAccountId: SubAccountId | null;
  /** The same for the same account. An attempt is inquired only at the account it was sent to. */
  readonly accountFingerprint: string;
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

  /** All credentials of the company. Locks the company's row, so that none is added or changed until `tx` ends. */
  async lockAll(tx: Tx, companyId: number): Promise<GatewayCredentialRow[]> {
    await this.database.query('SELECT 1 FROM companies WHERE id = $1 FOR NO KEY UPDATE', [companyId], tx);
    const rows = await GatewayCredentialModel.findAll({ where: { companyId }, transaction: tx });
    return rows.map((row) => row.get({ plain: true }));
  }

  /** Locks one credential until `tx` ends. */
  async lock(tx: Tx, companyId: number, slug: GatewaySlug): Promise<CredentialSettings | null> {
    return this.database.queryOne<CredentialSettings>(
      `SELECT enabled, "order", sealed_webhook_secret AS "sealedWebhookSecret"
         FROM gateway_credentials WHERE company_id = $1 AND gateway_slug = $2 FOR UPDATE`,
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
      `UPDATE gateway_credentials SET enabled = $3, "order" = $4, sealed_webhook_secret = $5, updated_at = $6
        WHERE company_id = $1 AND gateway_slug = $2`,
      [companyId, slug, enabled, order, sealedWebhookSecret && JSON.stringify(sealedWebhookSecret), now],
      tx,
    );
  }

  /** Inserts or replaces the company's credential for a gateway, and closes its circuit. */
  async upsert(tx: Tx, values: GatewayCredentialValues): Promise<GatewayCredentialRow> {
    const { companyId, slug, clientId, order, sealedSecret, subAccountId, accountFingerprint } = values;
    const saved = await this.database.queryOne<GatewayCredentialRow>(
      `INSERT INTO gateway_credentials
              (company_id, gateway_id, gateway_slug, client_id, "order", sealed_secret, sub_account_id, account_fingerprint)
       SELECT $1, id, slug, $3, $4, $5, $6, $7 FROM gateways WHERE slug = $2
       ON CONFLICT (company_id, gateway_slug) DO UPDATE
          SET client_id = EXCLUDED.client_id, "order" = EXCLUDED."order", sealed_secret = EXCLUDED.sealed_secret,
              sub_account_id = EXCLUDED.sub_account_id, account_fingerprint = EXCLUDED.account_fingerprint,
              updated_at = now()
       RETURNING id, company_id AS "companyId", gateway_id AS "gatewayId", gateway_slug AS "gatewaySlug",
                 client_id AS "clientId", "order", created_at AS "createdAt", updated_at AS "updatedAt"`,
      [
        companyId,
        slug,
        clientId,
        order,
        sealedSecret && JSON.stringify(sealedSecret),
        subAccountId,
        accountFingerprint,
      ],
      tx,
    );
    if (saved === null) throw new Error(`no gateway ${slug}`);
    await this.database.query(
      'DELETE FROM gateway_circuits WHERE company_id = $1 AND gateway_slug = $2',
      [companyId, slug],
      tx,
    );
    return saved;
  }
}
