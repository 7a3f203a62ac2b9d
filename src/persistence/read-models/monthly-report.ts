import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { TimeRange } from '../../domain/time/counter-range';
import { firstEntryIdAt } from '../sql/first-entry-id';
import type { Database } from '../sql/transaction';

/** A month at one gateway in one currency, in minor units. */
export interface GatewayMonth {
  readonly gateway: GatewaySlug;
  readonly currency: string;
  readonly gross: number;
  readonly refunds: number;
  readonly disputes: number;
  readonly fees: number;
  readonly settled: number;
  readonly paidOut: number;
}

/** A recipient's share of a month in one currency, in minor units. */
export interface RecipientMonth {
  readonly recipientId: string;
  readonly currency: string;
  readonly gross: number;
  readonly refunds: number;
  readonly disputes: number;
}

/** The sum of postings of an account in entries of some kinds. */
const sum = (account: string, kinds: string, sign = ''): string =>
  `coalesce(${sign}sum(amount_cents) FILTER (WHERE account = '${account}' AND kind IN (${kinds})), 0)::bigint`;

const DISPUTE = `'dispute_held', 'dispute_returned', 'dispute_lost'`;

const POSTED = `FROM ledger_entries entry
  JOIN ledger_postings posting ON posting.company_id = entry.company_id AND posting.entry_id = entry.id
 WHERE entry.company_id = $1 AND entry.id >= $2::uuid AND entry.id < $3::uuid`;

/** A payout is in the account `bank`, which belongs to no gateway, and the opposite of what it takes from the balance. */
const GATEWAYS = `
  SELECT gateway_slug AS gateway, currency,
         ${sum('gateway_receivable', `'received'`)} AS gross,
         ${sum('gateway_receivable', `'refunded'`, '-')} AS refunds,
         ${sum('gateway_receivable', DISPUTE, '-')} AS disputes,
         coalesce(sum(amount_cents) FILTER (WHERE account = 'fees'), 0)::bigint AS fees,
         ${sum('gateway_receivable', `'settled'`, '-')} AS settled,
         ${sum('gateway_balance', `'paid_out'`, '-')} AS "paidOut"
    ${POSTED} AND gateway_slug IS NOT NULL
   GROUP BY gateway_slug, currency ORDER BY gateway_slug, currency`;

const RECIPIENTS = `
  SELECT recipient_id AS "recipientId", currency,
         ${sum('recipient_payable', `'received', 'accepted'`, '-')} AS gross,
         ${sum('recipient_payable', `'refunded'`)} AS refunds,
         ${sum('recipient_payable', DISPUTE)} AS disputes
    ${POSTED} AND recipient_id IS NOT NULL
   GROUP BY recipient_id, currency ORDER BY recipient_id, currency`;

/** What the ledger has of a period, by gateway and by recipient. */
export class MonthlyReport {
  constructor(private readonly db: Database) {}

  async load(
    companyId: number,
    { from, to }: TimeRange,
  ): Promise<{ readonly gateways: readonly GatewayMonth[]; readonly recipients: readonly RecipientMonth[] }> {
    const values = [companyId, firstEntryIdAt(from), firstEntryIdAt(to)];
    const [gateways, recipients] = await Promise.all([
      this.db.query<GatewayMonth>(GATEWAYS, values),
      this.db.query<RecipientMonth>(RECIPIENTS, values),
    ]);
    return { gateways, recipients };
  }
}
