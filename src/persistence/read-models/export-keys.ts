import type { SubscriptionFilter } from '../subscriptions/subscription-repository';
import type { TimeRange } from '../../domain/time/counter-range';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { Database } from '../sql/transaction';
import { passesFilter, type PaymentListFilter } from './payment-conditions';

/** The place of a row among those of its table, newest first. Neither value ever changes. */
export interface ExportPlace {
  /** Its `created_at` as Postgres writes it, because a `Date` lacks the microseconds. */
  readonly at: string;
  readonly id: number | string;
}

/** A few rows further in an export. */
export interface ExportKeys<Id extends number | string> {
  /** The rows that pass the filter, newest first. */
  readonly ids: readonly Id[];
  /** The last row that was read; null if there are none after it. */
  readonly last: ExportPlace | null;
}

export interface OperationFilter {
  /** `refunds`, or whatever divides money among recipients. */
  readonly kind: 'refunds' | 'splits';
  readonly gateway?: GatewaySlug | undefined;
}

/** Rows that one statement reads, whether they pass the filter or not, so that it is short whatever the filter. */
const ROWS_PER_STATEMENT = 2_000;

/** What a walk through a table needs to know about it. */
interface Walk {
  readonly table: 'payments' | 'gateway_attempts' | 'subscriptions';
  readonly idType: 'bigint' | 'uuid';
  /** Lower than every id. */
  readonly lowestId: number | string;
  /** The condition of a partial index. */
  readonly within?: string;
}

const PAYMENTS: Walk = { table: 'payments', idType: 'bigint', lowestId: 0 };
const SUBSCRIPTIONS: Walk = { table: 'subscriptions', idType: 'bigint', lowestId: 0 };
const OPERATIONS: Walk = {
  ...{ table: 'gateway_attempts', idType: 'uuid', lowestId: '00000000-0000-0000-0000-000000000000' },
  within: `(operation = 'refund' OR splits IS NOT NULL)`,
};

/** Splits of what certainly was not made divide nothing. */
const NOT_MADE = `('declined', 'error', 'abandoned')`;

/**
 * Walks through a company's rows, newest first, a bounded number at a time. Each statement is a transaction of its own, so
 * nothing is held between them; the walk goes by columns that never change, so every row that was committed before it began
 * is met exactly once.
 */
export class ExportKeyReader {
  constructor(private readonly db: Database) {}

  payments(companyId: number, range: TimeRange, filter: PaymentListFilter, after: ExportPlace | null) {
    return this.walk<number>(PAYMENTS, companyId, range, after, (values) => passesFilter(filter, values));
  }

  operations(companyId: number, range: TimeRange, filter: OperationFilter, after: ExportPlace | null) {
    return this.walk<string>(OPERATIONS, companyId, range, after, (values) => {
      const kind =
        filter.kind === 'refunds'
          ? `operation = 'refund'`
          : `splits IS NOT NULL AND operation <> 'authorize' AND status NOT IN ${NOT_MADE}`;
      return filter.gateway === undefined
        ? kind
        : `${kind} AND gateway_slug = $${values.push(filter.gateway)}`;
    });
  }

  subscriptions(companyId: number, range: TimeRange, filter: SubscriptionFilter, after: ExportPlace | null) {
    return this.walk<number>(SUBSCRIPTIONS, companyId, range, after, (values) => {
      const clauses = ['true'];
      const { status, planId, customerToken, isChargeOnHold } = filter;
      if (status !== undefined) clauses.push(`status = $${values.push(status)}`);
      if (planId !== undefined)
        clauses.push(
          `plan_id = (SELECT id FROM plans WHERE uuid = $${values.push(planId)} AND company_id = $1)`,
        );
      if (customerToken !== undefined)
        clauses.push(
          `customer_id = (SELECT id FROM customers WHERE token = $${values.push(customerToken)} AND company_id = $1)`,
        );
      if (isChargeOnHold !== undefined)
        clauses.push(`$${values.push(isChargeOnHold)}::boolean = (hold_checked_at IS NOT NULL)`);
      return clauses.join(' AND ');
    });
  }

  /** The place of the company's row with this public id; null if it has none. */
  async placeOf(
    companyId: number,
    kind: 'payments' | 'operations' | 'subscriptions',
    publicId: string,
  ): Promise<ExportPlace | null> {
    return this.db.queryOne<ExportPlace>(PLACES[kind], [companyId, publicId]);
  }

  private async walk<Id extends number | string>(
    { table, idType, lowestId, within = 'true' }: Walk,
    companyId: number,
    { from, to }: TimeRange,
    after: ExportPlace | null,
    filter: (values: unknown[]) => string,
  ): Promise<ExportKeys<Id>> {
    // The first place is the end of the range.
    const values: unknown[] = [companyId, from, after?.at ?? to, after?.id ?? lowestId, ROWS_PER_STATEMENT];
    const rows = await this.db.queryComposed<{ id: Id; at: string; passes: boolean | null }>(
      `SELECT id, created_at::text AS at, (${filter(values)}) AS passes FROM (
         SELECT * FROM ${table} WHERE company_id = $1 AND created_at >= $2
           AND (created_at, id) < ($3::timestamptz, $4::${idType}) AND ${within}
         ORDER BY created_at DESC, id DESC LIMIT $5) ${table}
       ORDER BY created_at DESC, id DESC`,
      values,
    );
    const last = rows.length < ROWS_PER_STATEMENT ? undefined : rows.at(-1);
    return {
      ids: rows.flatMap(({ id, passes }) => (passes === true ? [id] : [])),
      last: last === undefined ? null : { at: last.at, id: last.id },
    };
  }
}

const PLACES = {
  payments: `SELECT created_at::text AS at, id FROM payments WHERE company_id = $1 AND transaction_id = $2`,
  operations: `SELECT created_at::text AS at, id FROM gateway_attempts WHERE company_id = $1 AND id = $2`,
  subscriptions: `SELECT created_at::text AS at, id FROM subscriptions WHERE company_id = $1 AND uuid = $2`,
};
