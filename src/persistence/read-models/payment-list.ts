import type { TimeRange } from '../../domain/time/counter-range';
import { daysIn } from '../../domain/time/day-range';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import type { AttemptRecord, GatewayAttemptRepository } from '../payments/gateway-attempt-repository';
import type { PaymentRecord, PaymentRepository } from '../payments/payment-repository';
import type { DeliverySummary, WebhookDeliveryRepository } from '../webhooks/webhook-delivery-repository';
import type { Database } from '../sql/transaction';
import { loadCountedPage, type PaymentKeys } from './counted-payments';
import { paymentConditions, type PaymentListFilter } from './payment-conditions';

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
    const { from, where, values } = paymentConditions(companyId, range, filter);
    const limit = values.length + 1;
    const [keys, [counted]] = await Promise.all([
      this.db.queryComposed<PaymentKeys>(
        `SELECT id, transaction_id AS "transactionId" FROM ${from}
          WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT $${limit} OFFSET $${limit + 1}`,
        [...values, bounds.limit, bounds.offset],
      ),
      this.db.queryComposed<{ count: number }>(`SELECT count(*) FROM ${from} WHERE ${where}`, values),
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
