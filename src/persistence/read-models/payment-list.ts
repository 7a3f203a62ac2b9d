import type { PaymentMethod, PaymentStatus } from '../../domain/payment';
import type { GatewaySlug } from '../../domain/gateway-slug';
import { pageBounds, type Page, type PageRequest } from '../../domain/page';
import { PaymentModel } from '../models/payment';
import type { AttemptRecord, GatewayAttemptRepository } from '../gateway-attempt-repository';
import type { PaymentRecord } from '../payment-repository';
import type { DeliverySummary, WebhookDeliveryRepository } from '../webhook-delivery-repository';
import type { Database } from '../transaction';

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
  /** The service makes no payouts, so `withdraw` matches nothing. */
  readonly transactionType?: 'payment' | 'withdraw' | undefined;
}

export interface ListedPayment {
  readonly payment: PaymentRecord;
  readonly attempts: readonly AttemptRecord[];
  readonly deliveries: readonly DeliverySummary[];
}

/** A company's payments, newest first, ties broken by id (decisions, section 5). */
export class PaymentList {
  constructor(
    private readonly db: Database,
    private readonly attempts: GatewayAttemptRepository,
    private readonly deliveries: WebhookDeliveryRepository,
  ) {}

  async load(
    company: { readonly id: number; readonly timezone: string },
    filter: PaymentListFilter,
    page: PageRequest,
  ): Promise<Page<ListedPayment>> {
    if (filter.transactionType === 'withdraw') return { rows: [], total: 0 };
    const bounds = pageBounds(page);
    const { where, values } = conditions(company, filter);
    const limit = values.length + 1;
    const [ids, [total]] = await Promise.all([
      this.db.queryComposed<{ id: number }>(
        `SELECT id FROM payments WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT $${limit} OFFSET $${limit + 1}`,
        [...values, bounds.limit, bounds.offset],
      ),
      this.db.queryComposed<{ count: number }>(`SELECT count(*) FROM payments WHERE ${where}`, values),
    ]);
    return { rows: await this.loadRows(ids.map(({ id }) => id)), total: total?.count ?? 0 };
  }

  private async loadRows(ids: number[]): Promise<ListedPayment[]> {
    if (ids.length === 0) return [];
    const [payments, attempts] = await Promise.all([
      PaymentModel.findAll({ where: { id: ids }, raw: true }),
      this.attempts.ofPayments(ids),
    ]);
    const deliveries = await this.deliveries.ofResources(payments.map(({ transactionId }) => transactionId));
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

/** A filter's SQL and its values; the text holds placeholders only. */
function conditions(
  company: { readonly id: number; readonly timezone: string },
  filter: PaymentListFilter,
): { where: string; values: unknown[] } {
  const values: unknown[] = [company.id];
  const clauses = ['company_id = $1'];
  const add = (value: unknown, clause: (placeholder: string) => string): void => {
    if (value === undefined) return;
    values.push(value);
    clauses.push(clause(`$${values.length}`));
  };
  const inZone = (day: string): string => {
    values.push(company.timezone);
    return `(${day})::timestamp AT TIME ZONE $${values.length}`;
  };
  add(filter.startDate, (day) => `created_at >= ${inZone(`${day}::date`)}`);
  add(filter.endDate, (day) => `created_at < ${inZone(`${day}::date + 1`)}`);
  add(filter.status, (status) => `status = ${status}`);
  add(filter.paymentMethod, (method) => `payment_method = ${method}`);
  add(filter.gateway, (gateway) => `last_gateway = ${gateway}`);
  add(filter.amountFrom, (amount) => `amount_cents >= ${amount}`);
  add(filter.amountTo, (amount) => `amount_cents <= ${amount}`);
  add(filter.merchantOrderId, (order) => `merchant_order_id = ${order}`);
  return { where: clauses.join(' AND '), values };
}
