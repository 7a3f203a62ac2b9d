import { ownCompanyId } from '../../domain/shared/mode';
import type { CompanyConfig, Logo, LogoType } from '../../domain/companies/company-config';
import { DEFAULT_INSTALLMENT_TERMS, type InstallmentTerms } from '../../domain/companies/installment-terms';
import type { PauseSubscription } from '../../domain/shared/pause-subscription';
import { DEFAULT_DUNNING_DAYS } from '../../domain/subscriptions/dunning';
import type { RoutingRule } from '../../domain/routing/routing-rules';
import { lockCompany } from './lock-company';
import type { Database, Tx } from '../sql/transaction';

export interface StoredLogo extends Logo {
  readonly bytes: Buffer;
}

interface ConfigRow {
  readonly timezone: string;
  readonly pixExpiresInSeconds: number;
  readonly billetDueDays: number;
  /** The fields from here on are null if the company has no row in `company_configs` or no logo. */
  readonly dunningDays: number[] | null;
  readonly routingRules: RoutingRule[] | null;
  readonly brandName: string | null;
  readonly brandColor: string | null;
  readonly checkoutFrameOrigins: string[] | null;
  readonly installments: InstallmentTerms | null;
  readonly pauseSubscription: PauseSubscription | null;
  readonly sendsReceipts: boolean | null;
  readonly hash: string | null;
  readonly contentType: LogoType;
  readonly sourceUrl: string;
}

/**
 * Owns `company_configs` and `company_logos`. A company has the same settings in both modes: every change is saved for both.
 * Settings that every payment needs are columns of `companies`.
 */
export class CompanyConfigRepository {
  constructor(private readonly db: Database) {}

  async get(companyId: number, tx?: Tx): Promise<CompanyConfig> {
    const row = await this.db.queryOne<ConfigRow>(
      `SELECT c.timezone, c.pix_expires_in AS "pixExpiresInSeconds", c.billet_due_days AS "billetDueDays",
              g.dunning_days AS "dunningDays", g.routing_rules AS "routingRules", g.brand_name AS "brandName",
              g.brand_color AS "brandColor", g.checkout_frame_origins AS "checkoutFrameOrigins",
              g.installments, g.pause_subscription AS "pauseSubscription",
              g.send_receipts AS "sendsReceipts", l.hash, l.content_type AS "contentType", l.source_url AS "sourceUrl"
         FROM companies c
         LEFT JOIN company_configs g ON g.company_id = c.id
         LEFT JOIN company_logos l ON l.company_id = c.id
        WHERE c.id = $1`,
      [companyId],
      tx,
    );
    if (row === null) throw new Error('the company does not exist');
    return toConfig(row);
  }

  /** Like `get`, and locks the configuration of both modes until `tx` ends. */
  async lock(tx: Tx, companyId: number): Promise<CompanyConfig> {
    await lockCompany(this.db, tx, ownCompanyId(companyId));
    return this.get(companyId, tx);
  }

  /** Saves everything except the logo, in both modes. */
  async save(tx: Tx, companyId: number, config: CompanyConfig, now: Date): Promise<void> {
    const { timezone, pixExpiresInSeconds, billetDueDays, dunningDays, routingRules, brand } = config;
    await this.db.execute(
      'UPDATE companies SET timezone = $2, pix_expires_in = $3, billet_due_days = $4, updated_at = $5 WHERE id IN ($1, -$1::bigint)',
      [companyId, timezone, pixExpiresInSeconds, billetDueDays, now],
      tx,
    );
    await this.db.execute(
      `INSERT INTO company_configs
              (company_id, dunning_days, routing_rules, brand_name, brand_color, checkout_frame_origins, installments,
               updated_at, pause_subscription, send_receipts)
       SELECT id, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM companies WHERE id IN ($1, -$1::bigint)
       ON CONFLICT (company_id) DO UPDATE
          SET dunning_days = EXCLUDED.dunning_days, routing_rules = EXCLUDED.routing_rules,
              brand_name = EXCLUDED.brand_name, brand_color = EXCLUDED.brand_color,
              checkout_frame_origins = EXCLUDED.checkout_frame_origins, installments = EXCLUDED.installments,
              updated_at = EXCLUDED.updated_at, pause_subscription = EXCLUDED.pause_subscription,
              send_receipts = EXCLUDED.send_receipts`,
      [
        companyId,
        dunningDays,
        JSON.stringify(routingRules),
        brand.name,
        brand.color,
        config.checkoutFrameOrigins,
        JSON.stringify(config.installments),
        now,
        config.pauseSubscription,
        config.sendsReceipts,
      ],
      tx,
    );
  }

  /** Replaces the logo in both modes; null deletes it. */
  async saveLogo(tx: Tx, companyId: number, logo: StoredLogo | null, now: Date): Promise<void> {
    if (logo === null) {
      await this.db.execute(
        'DELETE FROM company_logos WHERE company_id IN ($1, -$1::bigint)',
        [companyId],
        tx,
      );
      return;
    }
    const { hash, contentType, bytes, sourceUrl } = logo;
    await this.db.execute(
      `INSERT INTO company_logos (company_id, hash, content_type, bytes, source_url, created_at)
       SELECT id, $2, $3, $4, $5, $6 FROM companies WHERE id IN ($1, -$1::bigint)
       ON CONFLICT (company_id) DO UPDATE
          SET hash = EXCLUDED.hash, content_type = EXCLUDED.content_type, bytes = EXCLUDED.bytes,
              source_url = EXCLUDED.source_url, created_at = EXCLUDED.created_at`,
      [companyId, hash, contentType, bytes, sourceUrl, now],
      tx,
    );
  }

  /** Logos are public, so the company is not checked. */
  async findLogo(hash: string): Promise<Pick<StoredLogo, 'contentType' | 'bytes'> | null> {
    return this.db.queryOne<Pick<StoredLogo, 'contentType' | 'bytes'>>(
      'SELECT content_type AS "contentType", bytes FROM company_logos WHERE hash = $1 LIMIT 1',
      [hash],
    );
  }

  /** Whether Postgres knows the zone by exactly this name. Lists are filtered by its days in SQL. */
  async isKnownTimezone(name: string): Promise<boolean> {
    const row = await this.db.queryOne('SELECT 1 AS known FROM pg_timezone_names WHERE name = $1', [name]);
    return row !== null;
  }
}

function toConfig(row: ConfigRow): CompanyConfig {
  const { timezone, pixExpiresInSeconds, billetDueDays, hash, contentType, sourceUrl } = row;
  return {
    timezone,
    dunningDays: row.dunningDays ?? DEFAULT_DUNNING_DAYS,
    routingRules: row.routingRules ?? [],
    pixExpiresInSeconds,
    billetDueDays,
    brand: {
      name: row.brandName,
      logo: hash === null ? null : { hash, contentType, sourceUrl },
      color: row.brandColor,
    },
    checkoutFrameOrigins: row.checkoutFrameOrigins ?? [],
    installments: row.installments ?? DEFAULT_INSTALLMENT_TERMS,
    pauseSubscription: row.pauseSubscription ?? 'lost',
    sendsReceipts: row.sendsReceipts ?? true,
  };
}
