import type { SettlementItemKind } from '../../domain/settlement/settlement-item';
import type { SettlementSource, SettlementStatus } from '../../domain/settlement/settlement';
import type { StatementLineKind } from '../../domain/settlement/statement-line';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { Database } from '../sql/transaction';

/** The sums of the lines of one kind and currency, in minor units. */
export interface SettlementTotal {
  readonly kind: StatementLineKind;
  readonly currency: string;
  readonly lines: number;
  readonly amount: number;
  readonly fee: number;
  readonly net: number;
}

export interface ListedSettlement {
  readonly id: string;
  readonly gateway: GatewaySlug;
  readonly accountId: string | null;
  readonly day: string;
  readonly source: SettlementSource;
  readonly status: SettlementStatus;
  readonly lines: number;
  readonly problem: string | null;
  readonly openItems: number;
  readonly totals: readonly SettlementTotal[] | null;
  readonly completedAt: Date | null;
  readonly createdAt: Date;
}

export interface ListedItem {
  readonly id: string;
  readonly settlementId: string;
  readonly gateway: GatewaySlug;
  readonly day: string;
  readonly kind: SettlementItemKind;
  readonly status: 'open' | 'settled';
  readonly line: number | null;
  readonly lineId: string | null;
  readonly reference: string | null;
  readonly gatewayTransactionId: string | null;
  readonly transactionId: string | null;
  readonly currency: string;
  readonly expectedCents: number | null;
  readonly actualCents: number | null;
  readonly reason: string | null;
  readonly settledAt: Date | null;
  readonly createdAt: Date;
}

export interface SettlementFilter {
  readonly gateway?: GatewaySlug | undefined;
  readonly accountId?: string | undefined;
  readonly day?: string | undefined;
  readonly status?: SettlementStatus | undefined;
}

export interface ItemFilter {
  readonly status?: 'open' | 'settled' | undefined;
  readonly kind?: SettlementItemKind | undefined;
  readonly gateway?: GatewaySlug | undefined;
  readonly day?: string | undefined;
  readonly settlementId?: string | undefined;
  readonly transactionId?: string | undefined;
}

const SETTLEMENT = `s.id, s.gateway_slug AS gateway, s.gateway_account_id AS "accountId", s.day::text AS day, s.source, s.status,
  s.line_count AS lines, s.problem, s.totals, s.completed_at AS "completedAt", s.created_at AS "createdAt",
  (SELECT count(*) FROM settlement_items i WHERE i.settlement_id = s.id AND i.status = 'open') AS "openItems"`;

const SETTLEMENTS = `FROM settlements s WHERE s.company_id = $1
  AND ($2::text IS NULL OR s.gateway_slug = $2) AND ($3::date IS NULL OR s.day = $3) AND ($4::text IS NULL OR s.status = $4)
  AND ($5::uuid IS NULL OR s.gateway_account_id = $5)`;

const ITEM = `i.id, i.settlement_id AS "settlementId", s.gateway_slug AS gateway, s.day::text AS day, i.kind, i.status,
  i.line_number AS line, line.line_id AS "lineId", line.reference, line.gateway_transaction_id AS "gatewayTransactionId",
  i.transaction_id AS "transactionId", i.currency, i.expected_cents AS "expectedCents", i.actual_cents AS "actualCents",
  i.reason, i.settled_at AS "settledAt", i.created_at AS "createdAt"`;

const ITEMS = `FROM settlement_items i JOIN settlements s ON s.id = i.settlement_id
  LEFT JOIN settlement_lines line ON line.settlement_id = i.settlement_id AND line.number = i.line_number
  WHERE i.company_id = $1 AND ($2::text IS NULL OR i.status = $2) AND ($3::text IS NULL OR i.kind = $3)
    AND ($4::text IS NULL OR s.gateway_slug = $4) AND ($5::date IS NULL OR s.day = $5)
    AND ($6::uuid IS NULL OR i.settlement_id = $6) AND ($7::uuid IS NULL OR i.transaction_id = $7)`;

/**
 * Of each account, the last day before the first one that is not reconciled, or that no statement follows. The company's is the
 * earliest of them.
 */
const RECONCILED_UNTIL = `
  WITH days AS (
    SELECT gateway_slug, gateway_account_id, day,
           status = 'done' AND NOT EXISTS (SELECT FROM settlement_items i WHERE i.settlement_id = s.id AND i.status = 'open') AS ok,
           lead(day) OVER (PARTITION BY gateway_slug, gateway_account_id ORDER BY day) AS next_day
      FROM settlements s WHERE company_id = $1),
  accounts AS (
    SELECT min(day) AS first_day,
           min(CASE WHEN NOT ok THEN day - 1 WHEN next_day IS DISTINCT FROM day + 1 THEN day END) AS until
      FROM days GROUP BY gateway_slug, gateway_account_id)
  SELECT CASE WHEN bool_and(until >= first_day) THEN min(until)::text END AS until FROM accounts`;

/** A company's settlements and their differences. */
export class SettlementList {
  constructor(private readonly db: Database) {}

  /** Newest day first. */
  async load(
    companyId: number,
    { gateway, accountId, day, status }: SettlementFilter,
    page: PageRequest,
  ): Promise<Page<ListedSettlement>> {
    const values = [companyId, gateway, day, status, accountId];
    const { limit, offset } = pageBounds(page);
    const [rows, [total]] = await Promise.all([
      this.db.queryComposed<ListedSettlement>(
        `SELECT ${SETTLEMENT} ${SETTLEMENTS} ORDER BY s.day DESC, s.id DESC LIMIT $6 OFFSET $7`,
        [...values, limit, offset],
      ),
      this.db.queryComposed<{ count: number }>(`SELECT count(*) ${SETTLEMENTS}`, values),
    ]);
    return { rows, total: total?.count ?? 0 };
  }

  async find(companyId: number, id: string): Promise<ListedSettlement | null> {
    return this.db.queryOne<ListedSettlement>(
      `SELECT ${SETTLEMENT} FROM settlements s WHERE s.company_id = $1 AND s.id = $2`,
      [companyId, id],
    );
  }

  /** The last day until which every cent is explained, `YYYY-MM-DD`; null if there is none. */
  async reconciledUntil(companyId: number): Promise<string | null> {
    const row = await this.db.queryOne<{ until: string | null }>(RECONCILED_UNTIL, [companyId]);
    return row?.until ?? null;
  }

  /** How many differences nobody has settled. */
  async countOpen(companyId: number): Promise<number> {
    const row = await this.db.queryOne<{ count: number }>(
      `SELECT count(*) FROM settlement_items WHERE company_id = $1 AND status = 'open'`,
      [companyId],
    );
    return row?.count ?? 0;
  }

  /** Newest first. */
  async loadItems(companyId: number, filter: ItemFilter, page: PageRequest): Promise<Page<ListedItem>> {
    const { status, kind, gateway, day, settlementId, transactionId } = filter;
    const values = [companyId, status, kind, gateway, day, settlementId, transactionId];
    const { limit, offset } = pageBounds(page);
    const [rows, [total]] = await Promise.all([
      this.db.queryComposed<ListedItem>(`SELECT ${ITEM} ${ITEMS} ORDER BY i.id DESC LIMIT $8 OFFSET $9`, [
        ...values,
        limit,
        offset,
      ]),
      this.db.queryComposed<{ count: number }>(`SELECT count(*) ${ITEMS}`, values),
    ]);
    return { rows, total: total?.count ?? 0 };
  }

  async findItem(companyId: number, id: string): Promise<ListedItem | null> {
    return this.db.queryOne<ListedItem>(
      `SELECT ${ITEM} FROM settlement_items i JOIN settlements s ON s.id = i.settlement_id
         LEFT JOIN settlement_lines line ON line.settlement_id = i.settlement_id AND line.number = i.line_number
        WHERE i.company_id = $1 AND i.id = $2`,
      [companyId, id],
    );
  }
}
