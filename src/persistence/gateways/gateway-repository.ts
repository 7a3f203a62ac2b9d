import type { Circuit } from '../../domain/routing/circuit';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { GatewayUnavailability } from '../../domain/routing/ignored-first-try';
import type { RoutingRule } from '../../domain/routing/routing-rules';
import type { AccountFeature } from '../../domain/routing/learned-limits';
import type { GatewayAccountId, GatewaySecretId, VaultCardId } from '../../domain/shared/ids';
import type { CardSnapshot } from '../../domain/shared/payment-snapshot';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { Database, Tx } from '../sql/transaction';
import { LIMIT_HOLDS } from './gateway-limit-repository';

/** A gateway of a company, with what routing and the gateway call need. */
export interface RoutableGatewayRow {
  readonly slug: GatewaySlug;
  readonly order: number;
  /** Null for the platform's own gateways. */
  readonly credentialId: number | null;
  /** The secret of new charges; null for a sub-account, which uses the platform's key. */
  readonly secret: CurrentSecretRow | null;
  readonly clientId: string | null;
  /** Set when the credential is a sub-account: it receives the whole amount. */
  readonly subAccount: { readonly recipientId: string } | null;
  /** Ids of the company's active recipients there. */
  readonly recipientIds: readonly string[];
  /** What the account lacks, by the gateway's answer to a recent charge (`LearnedLimit`). */
  readonly lackedFeatures: readonly AccountFeature[];
  readonly circuit: Circuit;
  /** What the account there gave for the card. Omitted without one. */
  readonly cardToken?: SealedValue;
}

/** A card for which a gateway may have given a token. */
export interface RoutedCard {
  readonly vaultCardId: VaultCardId;
  readonly expireMonth: number;
  readonly expireYear: number;
}

/** The card of a payment or subscription; null without one. */
export function routedCard(charged: {
  readonly card: Pick<CardSnapshot, 'expireMonth' | 'expireYear'> | null;
  readonly vaultCardId: string | null;
}): RoutedCard | null {
  const { card, vaultCardId } = charged;
  if (card === null || vaultCardId === null) return null;
  const { expireMonth, expireYear } = card;
  return { vaultCardId: vaultCardId as VaultCardId, expireMonth, expireYear };
}

export interface CurrentSecretRow {
  readonly id: GatewaySecretId;
  readonly fingerprint: string;
  readonly sealedValues: SealedValue;
  readonly clientId: string | null;
  /** Whether the gateway has accepted it, and has not rejected it since. */
  readonly isAccepted: boolean;
  /** Whether a charge was sent with it. */
  readonly isUsed: boolean;
}

interface GatewayRoutingRow extends GatewayRow {
  readonly rules: readonly RoutingRule[] | null;
  readonly hasCvv: boolean;
}

/** A company's routable gateways and its routing rules. */
export interface CompanyRouting {
  readonly gateways: readonly RoutableGatewayRow[];
  readonly rules: readonly RoutingRule[];
  /** Whether the vault has the card's security code. */
  readonly hasCvv: boolean;
}

interface GatewayRow extends Omit<RoutableGatewayRow, 'subAccount' | 'circuit' | 'secret' | 'cardToken'> {
  readonly accountId: GatewayAccountId | null;
  readonly secretId: GatewaySecretId | null;
  readonly fingerprint: string | null;
  readonly sealedValues: SealedValue | null;
  readonly isAccepted: boolean;
  readonly isUsed: boolean;
  readonly subAccountRecipientId: string | null;
  readonly recentFailures: readonly Date[] | null;
  readonly openUntil: Date | null;
  readonly reason: string | null;
  readonly sealedCardToken?: SealedValue | null;
}

/** The company's own gateways in its order, then the platform's gateways. */
const gatewaysWhere = (condition: string, extraColumns = ''): string => `
  WITH gateways AS (
    SELECT c.gateway_slug AS slug, c."order", c.id AS "credentialId", c.client_id AS "clientId", c.account_id AS "accountId",
           own.recipient_id AS "subAccountRecipientId", s.id AS "secretId", s.fingerprint,
           s.sealed_values AS "sealedValues", s.verified_at IS NOT NULL AND s.rejected_at IS NULL AS "isAccepted",
           s.used_at IS NOT NULL AS "isUsed"
      FROM gateway_credentials c
      LEFT JOIN gateway_secrets s ON s.id = c.secret_id
      LEFT JOIN sub_accounts own ON own.id = c.sub_account_id
     WHERE c.company_id = $1 AND ${condition}
    UNION ALL
    SELECT slug, 2147483647, NULL, NULL, NULL, NULL, NULL, NULL, NULL, true, true FROM unnest($2::text[]) AS slug
  )
  SELECT gateways.*, COALESCE(recipients.ids, '{}') AS "recipientIds", COALESCE(lacked.features, '{}') AS "lackedFeatures",
         k.recent_failures AS "recentFailures", k.open_until AS "openUntil", k.reason${extraColumns}
    FROM gateways
    LEFT JOIN gateway_circuits k ON k.company_id = $1 AND k.gateway_slug = gateways.slug
    LEFT JOIN LATERAL (
      SELECT array_agg(s.recipient_id) AS ids FROM sub_accounts s
       WHERE s.company_id = $1 AND s.gateway_slug = gateways.slug AND s.status = 'active'
    ) recipients ON true
    LEFT JOIN LATERAL (
      SELECT array_agg(l.feature) AS features FROM gateway_learned_limits l
       WHERE l.company_id = $1 AND l.gateway_slug = gateways.slug
         AND l.account_id IS NOT DISTINCT FROM gateways."accountId" AND ${LIMIT_HOLDS}
    ) lacked ON true
   ORDER BY "order", "credentialId", slug`;

const IS_ROUTABLE = `c.enabled AND (c.sub_account_id IS NULL OR own.status = 'active')`;
/** The newest token of the account for the card $3 that expires in $4/$5. A sub-account's charges are the platform's. */
const CARD_TOKEN = `,
         (SELECT t.sealed_token FROM gateway_card_tokens t LEFT JOIN gateway_secrets obtained ON obtained.id = t.secret_id
           WHERE t.company_id = $1 AND t.vault_card_id = $3::uuid AND t.gateway_slug = gateways.slug
             AND t.expire_month = $4::integer AND t.expire_year = $5::integer
             AND CASE WHEN gateways."secretId" IS NULL THEN t.secret_id IS NULL
                      ELSE obtained.account_id = gateways."accountId" END
           ORDER BY t.updated_at DESC LIMIT 1) AS "sealedCardToken"`;
const ROUTABLE = gatewaysWhere(IS_ROUTABLE, CARD_TOKEN);
/** The rules are only in the first row, because they may be large. */
const ROUTING = gatewaysWhere(
  IS_ROUTABLE,
  `${CARD_TOKEN},
         EXISTS (SELECT FROM vault_cards v WHERE v.company_id = $1 AND v.id = $3::uuid AND v.cvv_expires_at > now()) AS "hasCvv",
         CASE WHEN row_number() OVER (ORDER BY "order", "credentialId", gateways.slug) = 1
       THEN (SELECT routing_rules FROM company_configs WHERE company_id = $1) END AS rules`,
);
const ONE = gatewaysWhere('c.gateway_slug = $3');

/** Read access to a company's gateways for routing and gateway calls. */
export class GatewayRepository {
  constructor(private readonly database: Database) {}

  /**
   * The company's enabled credentials in their order, without those whose sub-account is not active, then the given
   * platform gateways. A single statement, because every payment runs it.
   */
  async listRoutableGateways(
    companyId: number,
    platformSlugs: readonly GatewaySlug[],
    tx?: Tx,
    card: RoutedCard | null = null,
  ): Promise<RoutableGatewayRow[]> {
    const parameters = [companyId, platformSlugs, ...cardParameters(card)];
    const rows = await this.database.query<GatewayRow>(ROUTABLE, parameters, tx);
    return rows.map(toRoutable);
  }

  /** The routable gateways with the company's routing rules, and what there is of the card besides its number, in a single statement. */
  async findRouting(
    companyId: number,
    platformSlugs: readonly GatewaySlug[],
    tx?: Tx,
    card: RoutedCard | null = null,
  ): Promise<CompanyRouting> {
    const parameters = [companyId, platformSlugs, ...cardParameters(card)];
    const rows = await this.database.query<GatewayRoutingRow>(ROUTING, parameters, tx);
    return {
      gateways: rows.map(({ rules: _rules, hasCvv: _hasCvv, ...row }) => toRoutable(row)),
      rules: rows[0]?.rules ?? [],
      hasCvv: rows[0]?.hasCvv ?? false,
    };
  }

  /** Why the company's own credentials for a gateway take no new payments; null if they do. */
  async findUnavailability(
    companyId: number,
    slug: GatewaySlug,
    tx?: Tx,
  ): Promise<Extract<
    GatewayUnavailability,
    'no_credentials' | 'disabled' | 'sub_account_not_active'
  > | null> {
    const row = await this.database.queryOne<{ enabled: boolean; isRoutable: boolean }>(
      `SELECT c.enabled, (${IS_ROUTABLE}) AS "isRoutable"
         FROM gateway_credentials c LEFT JOIN sub_accounts own ON own.id = c.sub_account_id
        WHERE c.company_id = $1 AND c.gateway_slug = $2`,
      [companyId, slug],
      tx,
    );
    if (row === null) return 'no_credentials';
    if (row.isRoutable) return null;
    return row.enabled ? 'sub_account_not_active' : 'disabled';
  }

  /** One gateway, enabled or not, for operations on a charge made there. Null if the company has no access to it. */
  async findGateway(
    companyId: number,
    slug: GatewaySlug,
    platformSlugs: readonly GatewaySlug[],
  ): Promise<RoutableGatewayRow | null> {
    const platform = platformSlugs.filter((platformSlug) => platformSlug === slug);
    const row = await this.database.queryOne<GatewayRow>(ONE, [companyId, platform, slug]);
    return row && toRoutable(row);
  }
}

function toRoutable({
  subAccountRecipientId,
  recentFailures,
  openUntil,
  reason,
  accountId: _accountId,
  sealedCardToken,
  ...row
}: GatewayRow): RoutableGatewayRow {
  const { secretId, fingerprint, sealedValues, isAccepted, isUsed, ...gateway } = row;
  return {
    ...gateway,
    secret: currentSecret(secretId, {
      fingerprint,
      sealedValues,
      clientId: row.clientId,
      isAccepted,
      isUsed,
    }),
    subAccount: subAccountRecipientId === null ? null : { recipientId: subAccountRecipientId },
    circuit: { recentFailures: recentFailures ?? [], openUntil, reason },
    ...(sealedCardToken && { cardToken: sealedCardToken }),
  };
}

function cardParameters(card: RoutedCard | null): unknown[] {
  return [card?.vaultCardId ?? null, card?.expireMonth ?? null, card?.expireYear ?? null];
}

/** Never null for a credential with a secret: without it, charges would use the platform's key. */
function currentSecret(
  id: GatewaySecretId | null,
  { fingerprint, sealedValues, ...state }: Pick<GatewayRow, keyof Omit<CurrentSecretRow, 'id'>>,
): CurrentSecretRow | null {
  if (id === null) return null;
  if (fingerprint === null || sealedValues === null) throw new Error('the current gateway secret was erased');
  return { id, fingerprint, sealedValues, ...state };
}
