import { matchesIdentifier } from '../read-models/payment-conditions';
import type { SearchText } from '../../domain/search/search-text';
import type { PaymentRecord, PaymentRepository } from '../payments/payment-repository';
import type { Database } from '../sql/transaction';

/** By what a payment was found, the surest first. */
export type PaymentMatch = 'id' | 'idempotency_key' | 'order' | 'gateway_id' | 'amount' | 'card' | 'customer';

export interface MatchedPayment {
  readonly payment: PaymentRecord;
  readonly match: PaymentMatch;
}

interface Match {
  readonly id: number;
  readonly match: PaymentMatch;
}

/** Finds payments by what is not sealed, each by an index of its own. */
export class PaymentSearch {
  constructor(
    private readonly db: Database,
    private readonly payments: Pick<PaymentRepository, 'listByIds'>,
  ) {}

  /**
   * At most `limit` of each match, the newest ones; those of an order's beginning in the order of its text. `customerIds`:
   * whose newest payments are found too.
   */
  async find(
    companyId: number,
    search: SearchText,
    customerIds: readonly number[],
    limit: number,
  ): Promise<MatchedPayment[]> {
    const matches = await this.match(companyId, search, customerIds, limit);
    const first = matches.filter(({ id }, index) => matches.findIndex((other) => other.id === id) === index);
    if (first.length === 0) return [];
    const stored = await this.payments.listByIds(first.map(({ id }) => id));
    const byId = new Map(stored.map((payment) => [payment.id, payment]));
    return first.flatMap(({ id, match }) => {
      const payment = byId.get(id);
      return payment === undefined ? [] : [{ payment, match: certainMatch(payment, match, search.text) }];
    });
  }

  private match(
    companyId: number,
    { text, uuid, lastFour, amounts }: SearchText,
    customerIds: readonly number[],
    limit: number,
  ): Promise<Match[]> {
    const values: unknown[] = [companyId, limit];
    const parameter = (value: unknown) => `$${values.push(value)}`;
    const of = (match: PaymentMatch, condition: string, order = NEWEST_FIRST) =>
      `(SELECT id, '${match}' AS match FROM payments WHERE company_id = $1 AND ${condition} ORDER BY ${order} LIMIT $2)`;
    const written = parameter(text);
    const parts = [
      of('idempotency_key', matchesIdentifier(written, parameter(uuid))),
      of('order', beginsWith(ORDER, written), `${ORDER}, id DESC`),
      `(SELECT payment_id AS id, 'gateway_id' AS match FROM gateway_attempts
         WHERE company_id = $1 AND gateway_transaction_id = ${written} AND operation IN ('authorize', 'charge') LIMIT $2)`,
      ...amounts.map((amount) => of('amount', `amount_cents = ${parameter(amount)}`)),
    ];
    if (lastFour !== null)
      parts.push(of('card', `card IS NOT NULL AND card ->> 'last4Digits' = ${parameter(lastFour)}`));
    if (customerIds.length > 0)
      parts.push(`(SELECT p.id, 'customer' AS match FROM unnest(${parameter(customerIds)}::bigint[]) WITH ORDINALITY AS c (id, place),
        LATERAL (SELECT id FROM payments WHERE customer_id = c.id AND company_id = $1 ORDER BY ${NEWEST_FIRST} LIMIT $2) p
        ORDER BY c.place)`);
    return this.db.queryComposed<Match>(parts.join(' UNION ALL '), values);
  }
}

const NEWEST_FIRST = 'created_at DESC, id DESC';
/** As in the index. */
const ORDER = `lower(merchant_order_id) COLLATE "C"`;

/** Condition: the lower-case expression, of collation "C", begins with the text. A range, so that any plan uses its index. */
export function beginsWith(expression: string, text: string): string {
  return `${expression} >= lower(${text}::text) COLLATE "C" AND ${expression} < (lower(${text}::text) || U&'\\+10FFFF') COLLATE "C"`;
}

/** What one query finds by any identifier was found by one of them. */
function certainMatch(
  { transactionId, merchantOrderId }: PaymentRecord,
  match: PaymentMatch,
  text: string,
): PaymentMatch {
  if (match !== 'idempotency_key') return match;
  if (transactionId === text.toLowerCase()) return 'id';
  return merchantOrderId === text ? 'order' : match;
}
