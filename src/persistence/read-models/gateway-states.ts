import { CLOSED_CIRCUIT, type Circuit } from '../../domain/routing/circuit';
import { GATEWAY_SLUGS, type GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubAccountStatus } from '../../domain/routing/subaccount';
import type { LearnedLimit } from '../../domain/routing/learned-limits';
import { LIMIT_HOLDS } from '../gateways/gateway-limit-repository';
import type { Database } from '../sql/transaction';

/** A company's credential and circuit at a gateway, and the gateway's recent results. */
export interface StoredGatewayState {
  readonly slug: GatewaySlug;
  /** Null if the company has no credential. */
  readonly credential: StoredCredential | null;
  readonly circuit: Circuit;
  /** What the company's account lacks, by the gateway's answer to a recent charge (`LearnedLimit`). */
  readonly learnedLimits: readonly LearnedLimit[];
  readonly unrecognized: Unrecognized;
  readonly lastHour: LastHour;
}

/** How much the gateway sent that was not recognized. */
export interface Unrecognized {
  readonly answers: number;
  readonly callbacks: number;
  readonly lastSeenAt: Date | null;
}

export interface StoredCredential {
  readonly clientId: string | null;
  readonly order: number;
  readonly enabled: boolean;
  /** Null if a secret key is used. */
  readonly subAccountStatus: SubAccountStatus | null;
  readonly hasWebhookSecret: boolean;
  /** Whether the gateway accepted the credentials, and has not rejected them since. */
  readonly isVerified: boolean;
  /** Earlier secrets that are kept because charges were sent with them. */
  readonly earlierSecrets: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Charge attempts of the payments created in the last hour, by result. */
export interface LastHour {
  readonly charges: number;
  readonly approved: number;
  readonly pending: number;
  readonly declined: number;
  readonly errors: number;
  readonly unknown: number;
  /** Median response time in ms; null without answers. */
  readonly p50Ms: number | null;
}

const NO_CHARGES: LastHour = {
  charges: 0,
  approved: 0,
  pending: 0,
  declined: 0,
  errors: 0,
  unknown: 0,
  p50Ms: null,
};

const NOTHING_UNRECOGNIZED: Unrecognized = { answers: 0, callbacks: 0, lastSeenAt: null };

type AtGateway<Row> = Row & { readonly slug: GatewaySlug };

/** With more payments in the hour, only the newest are counted. */
const MAX_PAYMENTS = 10_000;
const HOUR_MS = 3_600_000;

export class GatewayStates {
  constructor(private readonly db: Database) {}

  /** Every gateway, ordered by slug. */
  async load(companyId: number, now: Date): Promise<StoredGatewayState[]> {
    const [credentials, circuits, limits, unrecognized, hours] = await Promise.all([
      this.listCredentials(companyId),
      this.listCircuits(companyId),
      this.listLimits(companyId),
      this.countUnrecognized(companyId),
      this.countLastHour(companyId, new Date(now.getTime() - HOUR_MS)),
    ]);
    const at = <Row>(rows: ReadonlyArray<AtGateway<Row>>, slug: GatewaySlug) =>
      rows.find((row) => row.slug === slug);
    return GATEWAY_SLUGS.map((slug) => ({
      slug,
      credential: at(credentials, slug) ?? null,
      circuit: at(circuits, slug) ?? CLOSED_CIRCUIT,
      learnedLimits: limits.filter((limit) => limit.slug === slug),
      unrecognized: at(unrecognized, slug) ?? NOTHING_UNRECOGNIZED,
      lastHour: at(hours, slug) ?? NO_CHARGES,
    }));
  }

  private listCredentials(companyId: number): Promise<Array<AtGateway<StoredCredential>>> {
    return this.db.query(
      `SELECT c.gateway_slug AS slug, c.client_id AS "clientId", c."order", c.enabled, s.status AS "subAccountStatus",
              a.sealed_webhook_secret IS NOT NULL AS "hasWebhookSecret",
              k.id IS NULL OR (k.verified_at IS NOT NULL AND k.rejected_at IS NULL) AS "isVerified",
              (SELECT count(*) FROM gateway_secrets e
                WHERE e.company_id = $1 AND e.gateway_slug = c.gateway_slug AND e.id IS DISTINCT FROM c.secret_id
                  AND e.sealed_values IS NOT NULL AND e.used_at IS NOT NULL) AS "earlierSecrets",
              c.created_at AS "createdAt", c.updated_at AS "updatedAt"
         FROM gateway_credentials c
         JOIN gateway_accounts a ON a.id = c.account_id
         LEFT JOIN gateway_secrets k ON k.id = c.secret_id
         LEFT JOIN sub_accounts s ON s.id = c.sub_account_id
        WHERE c.company_id = $1`,
      [companyId],
    );
  }

  private listCircuits(companyId: number): Promise<Array<AtGateway<Circuit>>> {
    return this.db.query(
      `SELECT gateway_slug AS slug, recent_failures AS "recentFailures", open_until AS "openUntil", reason
         FROM gateway_circuits WHERE company_id = $1`,
      [companyId],
    );
  }

  private listLimits(companyId: number): Promise<Array<AtGateway<LearnedLimit>>> {
    return this.db.query(
      `SELECT l.gateway_slug AS slug, l.feature, l.since, l.message
         FROM gateway_learned_limits l
         LEFT JOIN gateway_credentials c ON c.company_id = l.company_id AND c.gateway_slug = l.gateway_slug
        WHERE l.company_id = $1 AND l.account_id IS NOT DISTINCT FROM c.account_id AND ${LIMIT_HOLDS}
        ORDER BY l.feature`,
      [companyId],
    );
  }

  private countUnrecognized(companyId: number): Promise<Array<AtGateway<Unrecognized>>> {
    return this.db.query(
      `SELECT slug, sum(answers)::bigint AS answers, sum(callbacks)::bigint AS callbacks, max(last_seen_at) AS "lastSeenAt"
         FROM (SELECT gateway_slug AS slug, seen_count AS answers, 0 AS callbacks, last_seen_at
                 FROM unrecognized_answers WHERE company_id = $1
                UNION ALL
               SELECT gateway_slug, 0, seen_count, last_seen_at FROM unmatched_callbacks WHERE company_id = $1) AS seen
        GROUP BY slug`,
      [companyId],
    );
  }

  private countLastHour(companyId: number, since: Date): Promise<Array<AtGateway<LastHour>>> {
    return this.db.query(
      `WITH recent AS (
         SELECT id FROM payments WHERE company_id = $1 AND created_at >= $2
          ORDER BY created_at DESC, id DESC LIMIT ${MAX_PAYMENTS}
       )
       SELECT a.gateway_slug AS slug, count(*) AS charges,
              count(*) FILTER (WHERE a.status IN ('approved', 'authorized')) AS approved,
              count(*) FILTER (WHERE a.status = 'pending') AS pending,
              count(*) FILTER (WHERE a.status = 'declined') AS declined,
              count(*) FILTER (WHERE a.status IN ('error', 'abandoned', 'canceled', 'refunded')) AS errors,
              count(*) FILTER (WHERE a.status IN ('sent', 'unknown')) AS unknown,
              percentile_disc(0.5) WITHIN GROUP (ORDER BY a.request_ms) AS "p50Ms"
         FROM recent JOIN gateway_attempts a ON a.payment_id = recent.id AND a.operation IN ('authorize', 'charge')
        GROUP BY a.gateway_slug`,
      [companyId, since],
    );
  }
}
