import type { PaymentAttention } from '../../domain/dashboard/payment-attention';
import type { PaymentMethod, PaymentStatus } from '../../domain/payments/payment';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { USER_SCOPE } from '../../domain/shared/idempotency-scope';
import { parseTransactionId } from '../../domain/shared/ids';
import type { TimeRange } from '../../domain/time/counter-range';
import { needsAttention } from './payment-attention';

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
  readonly metadata?: { readonly key: string; readonly value: string } | undefined;
  /** A transaction_id, a merchant_order_id, or the idempotency key of a payment or of an operation on one, by whomever. */
  readonly q?: string | undefined;
  /** The customer's token. */
  readonly customer?: string | undefined;
  /** The last four digits of the card. */
  readonly lastFour?: string | undefined;
  readonly attention?: PaymentAttention | undefined;
  /** Whether it waits for an operator. */
  readonly stuck?: boolean | undefined;
  /** There are no payouts, so `withdraw` matches nothing. */
  readonly transactionType?: 'payment' | 'withdraw' | undefined;
}

/**
 * Condition: the payment has this identifier. A UNION, so that each kind is found by its own index. `id` is the placeholder
 * of the text as a transaction id, or of null.
 */
export function matchesIdentifier(text: string, id: string): string {
  const { before, after } = USER_SCOPE;
  const keys = `ARRAY(SELECT ${text}::text
                  UNION ALL SELECT '${before}' || u.id || '${after}' || ${text} FROM users u WHERE u.company_id = abs($1::bigint))`;
  return `id IN (
    SELECT id FROM payments WHERE transaction_id = ${id}::uuid
    UNION ALL SELECT id FROM payments WHERE company_id = $1 AND merchant_order_id = ${text}
    UNION ALL SELECT p.id FROM idempotency_keys k JOIN payments p ON p.transaction_id = k.transaction_id
               WHERE k.company_id = $1 AND k.key = ANY(${keys})
    UNION ALL SELECT a.payment_id FROM idempotency_keys k JOIN gateway_attempts a ON a.id = k.attempt_id
               WHERE k.company_id = $1 AND k.key = ANY(${keys}))`;
}

/** The FROM and WHERE clauses, with placeholders only, and their values. */
export function paymentConditions(
  companyId: number,
  range: TimeRange,
  filter: PaymentListFilter,
): { from: string; where: string; values: unknown[] } {
  const values: unknown[] = [companyId, range.from, range.to];
  const bounds = ['company_id = $1', 'created_at >= $2', 'created_at < $3'];
  const where = [...bounds, ...filterClauses(filter, values)].join(' AND ');
  return { from: sourceOf(companyId, filter, values), where, values };
}

/** What is rare among a company's payments is read by an index of its own; the other filters apply to what that finds. */
function sourceOf(companyId: number, filter: PaymentListFilter, values: unknown[]): string {
  const { metadata, customer, lastFour, attention } = filter;
  if (metadata !== undefined) return withMetadata(companyId, metadata, values);
  if (customer === undefined && lastFour === undefined && attention === undefined) return 'payments';
  const condition = rareCondition({ customer, lastFour, attention }, values);
  // OFFSET 0, so that Postgres does not walk through the company's payments instead. Sorted as the index is.
  return `(SELECT * FROM payments WHERE company_id = $1 AND ${condition} ORDER BY created_at DESC, id DESC OFFSET 0) payments`;
}

function rareCondition(
  { customer, lastFour, attention }: Pick<PaymentListFilter, 'customer' | 'lastFour' | 'attention'>,
  values: unknown[],
): string {
  if (customer !== undefined) return ofCustomer(`$${values.push(customer)}`);
  if (attention !== undefined) return needsAttention(attention);
  return ofCard(`$${values.push(lastFour)}`);
}

const ofCustomer = (token: string) =>
  `customer_id = (SELECT id FROM customers WHERE company_id = $1 AND token = ${token})`;
const ofCard = (digits: string) => `card IS NOT NULL AND card ->> 'last4Digits' = ${digits}`;

/** Condition: a payment that is read anyway, whose company is `$1`, passes the filter. Adds its parameters to `values`. */
export function passesFilter(filter: PaymentListFilter, values: unknown[]): string {
  const clauses = filterClauses(filter, values);
  if (filter.transactionType === 'withdraw') clauses.push('false');
  const { metadata } = filter;
  if (metadata !== undefined) {
    const document = values.push(JSON.stringify({ [metadata.key]: metadata.value }));
    clauses.push(`metadata @> $${document}::jsonb`);
  }
  return clauses.length === 0 ? 'true' : clauses.join(' AND ');
}

/** Without those of the time range and the metadata. */
function filterClauses(filter: PaymentListFilter, values: unknown[]): string[] {
  const clauses: string[] = [];
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
  add(filter.customer, ofCustomer);
  add(filter.lastFour, ofCard);
  add(filter.merchantOrderId, (order) => `merchant_order_id = ${order}`);
  const { q } = filter;
  if (q !== undefined) {
    const [text, id] = [values.push(q), values.push(parseTransactionId(q))];
    clauses.push(matchesIdentifier(`$${text}`, `$${id}`));
  }
  if (filter.attention !== undefined) clauses.push(needsAttention(filter.attention));
  // Not a placeholder: the partial index is only used for a literal condition.
  if (filter.stuck !== undefined) clauses.push(`stuck_at IS ${filter.stuck ? 'NOT NULL' : 'NULL'}`);
  return clauses;
}

/**
 * The payments of a company that have this metadata. OFFSET 0, so that Postgres reads their index first; it would
 * underestimate how rare a value is and walk through the company's payments in the order of the list instead.
 */
function withMetadata(
  companyId: number,
  { key, value }: NonNullable<PaymentListFilter['metadata']>,
  values: unknown[],
): string {
  const document = values.push(JSON.stringify({ [companyId]: { [key]: value } }));
  return `(SELECT * FROM payments WHERE metadata IS NOT NULL
    AND company_metadata(company_id, metadata) @> $${document}::jsonb OFFSET 0) payments`;
}
