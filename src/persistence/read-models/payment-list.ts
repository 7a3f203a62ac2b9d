import type { PaymentMethod, PaymentStatus } from '../../domain/payments/payment';
import type { TimeRange } from '../../domain/time/counter-range';
import { daysIn } from '../../domain/time/day-range';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { USER_SCOPE } from '../../domain/shared/idempotency-scope';
import { parseTransactionId } from '../../domain/shared/ids';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { AttemptRecord, GatewayAttemptRepository } from '../payments/gateway-attempt-repository';
import type { PaymentRecord, PaymentRepository } from '../payments/payment-repository';
import type { DeliverySummary, WebhookDeliveryRepository } from '../webhooks/webhook-delivery-repository';
import type { Database } from '../sql/transaction';
import { loadCountedPage, type PaymentKeys } from './counted-payments';

export interface PaymentListFilter {
  /** `YYYY-MM-DD`, inclusive, in the company's time zone. */
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly status?: PaymentStatus | undefined;
  readonly paymentMethod?: PaymentMethod | undefined;
  /** The gateway of the last attempt. */
  readonly gateway?: GatewaySlug | undefined;
  /** Cents, inclusive. */
  readonly amountFrom?: number | undefined;
  readonly amountTo?: number | undefined;
  readonly merchantOrderId?: string | undefined;
  /** A transaction_id, a merchant_order_id, or the idempotency key of a payment or of an operation on one, by whomever. */
  readonly q?: string | undefined;
  /** Whether it waits for an operator. */
  readonly stuck?: boolean | undefined;
  /** There are no payouts, so `withdraw` matches nothing. */
  readonly transactionType?: 'payment' | 'withdraw' | undefined;
}

export interface ListedPayment {
  readonly payment: PaymentRecord;
  readonly attempts: readonly AttemptRecord[];
  readonly deliveries: readonly DeliverySummary[];
}

/** A company's payments, newest first, ties broken by id. */
export class PaymentList {
  constructor(
    private readonly db: Database,
    private readonly payments: Pick<PaymentRepository, 'listByIds'>,
    private readonly attempts: GatewayAttemptRepository,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  async load(
    company: { readonly id: number; readonly timezone: string },
    filter: PaymentListFilter,
    page: PageRequest,
  ): Promise<Page<ListedPayment>> {
    if (filter.transactionType === 'withdraw') return { rows: [], total: 0 };
    const range = daysIn(company.timezone, filter.startDate, filter.endDate);
    const { keys, total } = isCounted(filter)
      ? await loadCountedPage(this.db, company.id, range, filter, page)
      : await this.loadPlainPage(company.id, range, filter, page);
    return { rows: await this.loadRows(keys), total };
  }

  /** For filters that the counters lack: `OFFSET` and `count(*)`. */
  private async loadPlainPage(
    companyId: number,
    range: TimeRange,
    filter: PaymentListFilter,
    page: PageRequest,
  ): Promise<{ readonly keys: PaymentKeys[]; readonly total: number }> {
    const bounds = pageBounds(page);
    const { where, values } = conditions(companyId, range, filter);
    const limit = values.length + 1;
    const [keys, [counted]] = await Promise.all([
      this.db.queryComposed<PaymentKeys>(
        `SELECT id, transaction_id AS "transactionId" FROM payments
          WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT $${limit} OFFSET $${limit + 1}`,
        [...values, bounds.limit, bounds.offset],
      ),
      this.db.queryComposed<{ count: number }>(`SELECT count(*) FROM payments WHERE ${where}`, values),
    ]);
    return { keys, total: counted?.count ?? 0 };
  }

  private async loadRows(keys: readonly PaymentKeys[]): Promise<ListedPayment[]> {
    if (keys.length === 0) return [];
    const ids = keys.map(({ id }) => id);
    const [payments, attempts, deliveries] = await Promise.all([
      this.payments.listByIds(ids),
      this.attempts.listByPayments(ids),
      this.deliveries.listBySubjects(keys.map(({ transactionId }) => transactionId)),
    ]);
    const paymentById = new Map(payments.map((payment) => [payment.id, payment]));
    return ids.flatMap((id) => {
      const payment = paymentById.get(id);
      if (payment === undefined) return [];
      return [
        {
          payment,
          attempts: attempts.filter((attempt) => attempt.paymentId === id),
          deliveries: deliveries.get(payment.transactionId) ?? [],
        },
      ];
    });
  }
}

/** Filters that the counters support. */
const COUNTED_FILTERS: ReadonlySet<string> = new Set<keyof PaymentListFilter>([
  'startDate',
  'endDate',
  'status',
  'paymentMethod',
  'gateway',
  'transactionType',
]);

function isCounted(filter: PaymentListFilter): boolean {
  return Object.entries(filter).every(([name, value]) => value === undefined || COUNTED_FILTERS.has(name));
}

/**
 * Condition: the payment has this identifier. A UNION, so that each kind is found by its own index. `id` is the placeholder
 * of the text as a transaction id, or of null.
 */
function matchesIdentifier(text: string, id: string): string {
  const { before, after } = USER_SCOPE;
  const keys = `ARRAY(SELECT ${text}::text
                  UNION ALL SELECT '${before}' || u.id || '${after}' || ${text} FROM users u WHERE u.company_id = $1)`;
  return `id IN (
    SELECT id FROM payments WHERE transaction_id = ${id}::uuid
    UNION ALL SELECT id FROM payments WHERE company_id = $1 AND merchant_order_id = ${text}
    UNION ALL SELECT p.id FROM idempotency_keys k JOIN payments p ON p.transaction_id = k.transaction_id
               WHERE k.company_id = $1 AND k.key = ANY(${keys})
    UNION ALL SELECT a.payment_id FROM idempotency_keys k JOIN gateway_attempts a ON a.id = k.attempt_id
               WHERE k.company_id = $1 AND k.key = ANY(${keys}))`;
}

/** The WHERE clause, with placeholders only, and its values. */
function conditions(
  companyId: number,
  range: TimeRange,
  filter: PaymentListFilter,
): { where: string; values: unknown[] } {
  const values: unknown[] = [companyId, range.from, range.to];
  const clauses = ['company_id = $1', 'created_at >= $2', 'created_at < $3'];
  const add = (value: unknown, clause: (placeholder: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    clauses.push(clause(`$${values.length}`));
  };
  add(filter.status, (status) => `status = ${status}`);
  add(filter.paymentMethod, (method) => `payment_method = ${method}`);
  add(filter.gateway, (gateway) => `last_gateway = ${gateway}`);
  add(filter.amountFrom, (amount) => `amount_cents >= ${amount}`);
  add(filter.amountTo, (amount) => `amount_cents <= ${amount}`);
  add(filter.merchantOrderId, (order) => `merchant_order_id = ${order}`);
  const { q } = filter;
  if (q !== undefined) {
    const [text, id] = [values.push(q), values.push(parseTransactionId(q))];
    clauses.push(matchesIdentifier(`$${text}`, `$${id}`));
  }
  // Not a placeholder: the partial index is only used for a literal condition.
  if (filter.stuck !== undefined) clauses.push(`stuck_at IS ${filter.stuck ? 'NOT NULL' : 'NULL'}`);
  return { where: clauses.join(' AND '), values };
}
