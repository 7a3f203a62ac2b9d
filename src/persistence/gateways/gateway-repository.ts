import type { Circuit } from '../../domain/routing/circuit';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { RoutingRule } from '../../domain/routing/routing-rules';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { Database, Tx } from '../sql/transaction';

/** An enabled gateway of a company, with all that routing and the gateway call need to know of it. */
export interface RoutableGatewayRow {
  readonly slug: GatewaySlug;
  readonly order: number;
  /** Null for the platform's own gateways. */
  readonly credentialId: number | null;
  /** The company's secret key (`encryptionContext.gatewaySecret`); null for a sub-account, which uses the platform's. */
  readonly sealedSecret: SealedValue | null;
  readonly clientId: string | null;
  /** The same for the same account at the gateway. */
  readonly accountFingerprint: string;
  /** Set when the credential is a sub-account: it receives the whole amount. */
  readonly subAccount: { readonly recipientId: string } | null;
  /** Active recipients the company holds there. */
  readonly recipientIds: readonly string[];
  readonly circuit: Circuit;
}

interface RoutingRow extends Row {
  readonly rules: readonly RoutingRule[] | null;
}

/** Where a company's payments can go, and where it wants them to. */
export interface CompanyRouting {
  readonly gateways: readonly RoutableGatewayRow[];
  readonly rules: readonly RoutingRule[];
}

interface Row extends Omit<RoutableGatewayRow, 'subAccount' | 'circuit'> {
  readonly subAccountRecipientId: string | null;
  readonly recentFailures: readonly Date[] | null;
  readonly openUntil: Date | null;
  readonly reason: string | null;
}

/** Platform gateways have no place of the company's choosing: they come after its own. */
const gatewaysWhere = (condition: string, further = ''): string => `
  WITH gateways AS (
    SELECT c.gateway_slug AS slug, c."order", c.id AS "credentialId", c.sealed_secret AS "sealedSecret",
           c.client_id AS "clientId", own.recipient_id AS "subAccountRecipientId",
           c.account_fingerprint AS "accountFingerprint"
      FROM gateway_credentials c
      LEFT JOIN sub_accounts own ON own.id = c.sub_account_id
     WHERE c.company_id = $1 AND ${condition}
    UNION ALL
    SELECT slug, 2147483647, NULL, NULL, NULL, NULL, 'platform' FROM unnest($2::text[]) AS slug
  )
  SELECT gateways.*, COALESCE(held.ids, '{}') AS "recipientIds",
         k.recent_failures AS "recentFailures", k.open_until AS "openUntil", k.reason${further}
    FROM gateways
    LEFT JOIN gateway_circuits k ON k.company_id = $1 AND k.gateway_slug = gateways.slug
    LEFT JOIN LATERAL (
      SELECT array_agg(s.recipient_id) AS ids FROM sub_accounts s
       WHERE s.company_id = $1 AND s.gateway_slug = gateways.slug AND s.status = 'active'
    ) held ON true
   ORDER BY "order", "credentialId", slug`;

const IS_ROUTABLE = `c.enabled AND (c.sub_account_id IS NULL OR own.status = 'active')`;
const ROUTABLE = gatewaysWhere(IS_ROUTABLE);
/** The rules come with the first row alone: there may be many of them. */
const ROUTING = gatewaysWhere(
  IS_ROUTABLE,
  `, CASE WHEN row_number() OVER (ORDER BY "order", "credentialId", gateways.slug) = 1
       THEN (SELECT routing_rules FROM company_configs WHERE company_id = $1) END AS rules`,
);
const ONE = gatewaysWhere('c.gateway_slug = $3');

/** What a company's payments may be routed to. */
export class GatewayRepository {
  constructor(private readonly database: Database) {}

  /**
   * The company's enabled credentials in their order (one whose sub-account is not active is left out), then the
   * platform's gateways it may use. One statement, because every payment runs it.
   */
  async loadRoutableGateways(
    companyId: number,
    platformSlugs: readonly GatewaySlug[],
    tx?: Tx,
  ): Promise<RoutableGatewayRow[]> {
    const rows = await this.database.query<Row>(ROUTABLE, [companyId, platformSlugs], tx);
    return rows.map(toRoutable);
  }

  /** The same with the company's routing rules, in one statement too. */
  async loadRouting(
    companyId: number,
    platformSlugs: readonly GatewaySlug[],
    tx?: Tx,
  ): Promise<CompanyRouting> {
    const rows = await this.database.query<RoutingRow>(ROUTING, [companyId, platformSlugs], tx);
    return {
      gateways: rows.map(({ rules: _rules, ...row }) => toRoutable(row)),
      rules: rows[0]?.rules ?? [],
    };
  }

  /** One gateway for what follows a charge made there: enabled or not. Null when the company has no access to it. */
  async loadGateway(
    companyId: number,
    slug: GatewaySlug,
    platformSlugs: readonly GatewaySlug[],
  ): Promise<RoutableGatewayRow | null> {
    const platform = platformSlugs.filter((platformSlug) => platformSlug === slug);
    const row = await this.database.queryOne<Row>(ONE, [companyId, platform, slug]);
    return row && toRoutable(row);
  }
}

function toRoutable({
  subAccountRecipientId,
  recentFailures,
  openUntil,
  reason,
  ...row
}: Row): RoutableGatewayRow {
  return {
    ...row,
    subAccount: subAccountRecipientId === null ? null : { recipientId: subAccountRecipientId },
    circuit: { recentFailures: recentFailures ?? [], openUntil, reason },
  };
}
