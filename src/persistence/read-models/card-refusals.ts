import type { Database, Tx } from '../sql/transaction';

export interface RefusedCharge {
  readonly companyId: number;
  readonly cardFingerprint: string;
  readonly amountCents: number;
}

/** As far back as any network's cap on refusals looks. */
const LONGEST_CAP_MS = 30 * 24 * 3_600_000;
/** More than any cap lets happen. */
const MOST = 50;

/** How often a card was refused for subscriptions: across gateways, subscriptions of the company, and tries by hand. */
export class CardRefusals {
  constructor(private readonly db: Database) {}

  /** When charges of this card and amount were refused in the 30 days until `until`, in subscriptions' own time. */
  async until(
    until: Date,
    { companyId, cardFingerprint, amountCents }: RefusedCharge,
    tx: Tx,
  ): Promise<Date[]> {
    const rows = await this.db.query<{ billedAt: Date }>(
      `SELECT p.billed_at AS "billedAt" FROM payments p JOIN gateway_attempts a ON a.payment_id = p.id
        WHERE p.company_id = $1 AND p.card_fingerprint = $2 AND p.amount_cents = $3 AND p.subscription_id IS NOT NULL
          AND p.billed_at BETWEEN $4 AND $5 AND a.status = 'declined' AND a.operation = 'charge'
        ORDER BY p.billed_at DESC LIMIT $6`,
      [companyId, cardFingerprint, amountCents, new Date(+until - LONGEST_CAP_MS), until, MOST],
      tx,
    );
    return rows.map(({ billedAt }) => billedAt);
  }
}
