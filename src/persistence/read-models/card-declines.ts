import type { CardDecline } from '../../domain/subscriptions/charge-guard';
import { LONGEST_WINDOW_MS } from '../../domain/subscriptions/network-limits';
import { BLOCKS_CARD } from '../disputes/dispute-repository';
import type { Database, Tx } from '../sql/transaction';

export interface ChargedCard {
  readonly companyId: number;
  /** See `cardIdentity`. */
  readonly identity: string;
}

/** The charges of a card whose result is, or may be, a decline. */
export interface CardCharges {
  /** Declined, or of unknown outcome. */
  readonly declines: readonly CardDecline[];
  /** Sent, and not answered yet. */
  readonly open: readonly CardDecline[];
}

/** More than the networks allow in any window, for several amounts. */
const MAX_CHARGES = 500;

/**
 * Charges of a card by all subscriptions of a company, and verifications of it, at all gateways. The networks' rules are about
 * them. Nobody waits for a verification, so one without an answer counts as one of unknown outcome. The code of a declined one is
 * null unless the card itself was refused for good: what an issuer says about authorizations of zero forbids nothing. A dispute for
 * fraud is among the declines: it forbids the card until the company wins it, or releases the card.
 */
export class CardDeclines {
  constructor(private readonly db: Database) {}

  /** Those in the longest window before `until` (by the subscriptions' clocks), and older ones that may forbid the card. */
  async list({ companyId, identity }: ChargedCard, until: Date, tx: Tx): Promise<CardCharges> {
    const rows = await this.db.query<CardDecline & { status: 'declined' | 'unknown' | 'sent' }>(
      `WITH tries AS (
         SELECT a.status, p.billed_at AS at, a.amount_cents AS "amountCents",
                CASE WHEN a.status = 'declined' THEN a.response_code END AS code, a.advice_code AS "adviceCode", a.decline_type
           FROM gateway_attempts a JOIN payments p ON p.id = a.payment_id
          WHERE a.company_id = $1 AND a.charged_card = $2 AND a.status IN ('declined', 'unknown', 'sent')
         UNION ALL
         SELECT CASE status WHEN 'sent' THEN 'unknown' ELSE status END, sent_at, 0, CASE WHEN forbids_card THEN response_code END,
                advice_code, CASE WHEN forbids_card THEN 'hard' END
           FROM card_verifications
          WHERE company_id = $1 AND charged_card = $2 AND status IN ('declined', 'unknown', 'sent')),
       disputed AS (
         SELECT opened_at FROM disputes WHERE company_id = $1 AND fraud_card = $2 AND ${BLOCKS_CARD} LIMIT 1)
       SELECT 'declined' AS status, opened_at AS at, 0 AS "amountCents", NULL AS code, NULL AS "adviceCode", true AS "isFraud"
         FROM disputed
       UNION ALL (
       SELECT status, at, "amountCents", code, "adviceCode", false FROM tries WHERE at > $3 OR decline_type = 'hard'
        ORDER BY (decline_type = 'hard') DESC NULLS LAST, at DESC LIMIT $4)`,
      [companyId, identity, new Date(+until - LONGEST_WINDOW_MS), MAX_CHARGES],
      tx,
    );
    return {
      declines: rows.filter(({ status }) => status !== 'sent'),
      open: rows.filter(({ status }) => status === 'sent'),
    };
  }

  /** Until `tx` ends, no other transaction that calls this decides about a charge of the card. */
  async lock({ companyId, identity }: ChargedCard, tx: Tx): Promise<void> {
    await this.db.query(
      'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
      [`card ${companyId} ${identity}`],
      tx,
    );
  }
}
