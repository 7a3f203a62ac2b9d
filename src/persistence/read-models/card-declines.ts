import type { Database, Tx } from '../sql/transaction';

export interface DeclinedCharge {
  readonly companyId: number;
  readonly cardFingerprint: string;
  readonly amountCents: number;
}

/** The longest period in which a card network counts declines. */
const LONGEST_PERIOD_MS = 30 * 24 * 3_600_000;
/** More than any network allows. */
const MAX_DECLINES = 50;

/** Declines of a card's subscription charges, across gateways and the company's subscriptions, including manual retries. */
export class CardDeclines {
  constructor(private readonly db: Database) {}

  /** When charges of this card and amount were declined in the 30 days before `until`, by the subscriptions' clocks. */
  async listUntil(
    until: Date,
    { companyId, cardFingerprint, amountCents }: DeclinedCharge,
    tx: Tx,
  ): Promise<Date[]> {
    const rows = await this.db.query<{ billedAt: Date }>(
      `SELECT p.billed_at AS "billedAt" FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
        WHERE p.company_id = $1 AND p.card_fingerprint = $2 AND p.amount_cents = $3 AND p.subscription_id IS NOT NULL
          AND p.billed_at BETWEEN $4 AND $5 AND a.status = 'declined' AND a.operation = 'charge'
        ORDER BY p.billed_at DESC LIMIT $6`,
      [companyId, cardFingerprint, amountCents, new Date(+until - LONGEST_PERIOD_MS), until, MAX_DECLINES],
      tx,
    );
    return rows.map(({ billedAt }) => billedAt);
  }
}
