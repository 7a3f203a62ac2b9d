import {
  MAX_TRIES,
  type Buyer,
  type CheckoutSession,
  type CheckoutTerms,
  type ShownOffer,
} from '../../domain/checkout/checkout-session';
import type { Plan } from '../../domain/subscriptions/plan';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { Language } from '../../domain/users/language';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { LookupHash } from '../customers/customer-names';
import type { CouponRepository } from '../subscriptions/coupon-repository';
import type { PaymentLinkRepository } from './payment-link-repository';
import { SealedBuyers, type SessionKey, type TextCipher } from './sealed-buyers';
import type { PlanRepository } from '../subscriptions/plan-repository';
import { companyColumns } from '../companies/company-columns';
import type { Database, Tx } from '../sql/transaction';

export interface NewCheckoutSession extends CheckoutTerms {
  readonly tokenHash: string;
  readonly companyId: number;
  /** Internal ids, like `customerId` and `couponId`. */
  readonly paymentLinkId: number | null;
  readonly customerId: number | null;
  readonly couponId: number | null;
  readonly plan: Plan | null;
  readonly shown: ShownOffer | null;
  readonly expiresAt: Date;
}

/** The payment or subscription that claims a session. */
export type SessionHolder =
  | { readonly transactionId: string; readonly subscriptionId?: undefined }
  | { readonly subscriptionId: string; readonly transactionId?: undefined };

/** How a session is claimed. */
interface ClaimDetails {
  readonly isCounted: boolean;
  /** Of the buyer's browser. */
  readonly language: Language;
}

interface CheckoutSessionRow extends Omit<CheckoutSession, 'plan' | 'coupon' | 'link' | 'buyer' | 'shown'> {
  readonly sealedBuyer: SealedValue | null;
  readonly planId: number | null;
  readonly planTerms: Pick<
    Plan,
    'amountCents' | 'interval' | 'intervalCount' | 'trialPeriodDays' | 'billingDay'
  > | null;
  readonly shownOffer: ShownOffer | null;
  readonly couponId: number | null;
  readonly paymentLinkId: number | null;
}

const COLUMNS = `id, company_id AS "companyId", payment_link_id AS "paymentLinkId", type, amount_cents AS "amountCents",
  plan_id AS "planId", currency, merchant_order_id AS "merchantOrderId", payment_method AS "paymentMethod",
  payment_methods AS "paymentMethods", gateway_first_try AS "gatewayFirstTry", metadata, success_url AS "successUrl",
  cancel_url AS "cancelUrl", installment_options AS "installmentOptions", customer_id AS "customerId", sealed_buyer AS "sealedBuyer", coupon_id AS "couponId", status, tries,
  transaction_id AS "transactionId", subscription_id AS "subscriptionId", expires_at AS "expiresAt",
  CASE WHEN plan_id IS NOT NULL THEN json_build_object('amountCents', plan_amount_cents, 'interval', plan_interval,
    'intervalCount', plan_interval_count, 'trialPeriodDays', plan_trial_days, 'billingDay', plan_billing_day) END AS "planTerms",
  CASE WHEN plan_id IS NOT NULL THEN json_build_object('firstCents', offered_first_cents,
    'recurringCents', offered_recurring_cents, 'couponCycles', offered_coupon_cycles) END AS "shownOffer"`;

/**
 * Owns `checkout_sessions`, and `uses_count` of their payment link. A session is claimed before its payment or
 * subscription is inserted, so that a second browser tab waits for the row lock and finds the session used.
 */
export class CheckoutSessionRepository {
  private readonly buyers: SealedBuyers;

  constructor(
    private readonly db: Database,
    private readonly repositories: {
      readonly links: Pick<PaymentLinkRepository, 'listByIds'>;
      readonly plans: Pick<PlanRepository, 'listByIds'>;
      readonly coupons: Pick<CouponRepository, 'listByIds'>;
    },
    cipher: TextCipher,
    hash: LookupHash,
  ) {
    this.buyers = new SealedBuyers(cipher, hash);
  }

  async insert(tx: Tx, session: NewCheckoutSession, now: Date): Promise<CheckoutSession> {
    const buyer = await this.buyers.seal(session, session.buyer);
    const row = await this.db.queryOne<CheckoutSessionRow>(
      `INSERT INTO checkout_sessions (token_hash, company_id, payment_link_id, type, amount_cents, plan_id, currency,
         merchant_order_id, payment_method, payment_methods, gateway_first_try, metadata, success_url, cancel_url,
         customer_id, sealed_buyer, coupon_id, status, expires_at, created_at, updated_at, buyer_document_hash,
         plan_amount_cents, plan_interval, plan_interval_count, plan_trial_days, plan_billing_day, offered_first_cents,
         offered_recurring_cents, offered_coupon_cycles, installment_options)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, 'open', $18, $19, $19, $20,
         $21, $22, $23, $24, $25, $26, $27, $28, $29)
       RETURNING ${COLUMNS}`,
      [
        session.tokenHash,
        session.companyId,
        session.paymentLinkId,
        session.type,
        session.amountCents,
        session.plan?.id ?? null,
        session.currency,
        session.merchantOrderId,
        session.paymentMethod,
        session.paymentMethods,
        session.gatewayFirstTry,
        json(session.metadata),
        session.successUrl,
        session.cancelUrl,
        session.customerId,
        buyer.sealed,
        session.couponId,
        session.expiresAt,
        now,
        buyer.documentHash,
        session.plan?.amountCents ?? null,
        session.plan?.interval ?? null,
        session.plan?.intervalCount ?? null,
        session.plan?.trialPeriodDays ?? null,
        session.plan?.billingDay ?? null,
        ...offerColumns(session.shown),
        JSON.stringify(session.installmentOptions),
      ],
      tx,
    );
    if (row === null) throw new Error('an insert returned no row');
    return this.withRelations(row, tx);
  }

  /** The session with this token, and its company. */
  async findByToken(
    tokenHash: string,
  ): Promise<{ readonly sessionId: number; readonly company: AuthenticatedCompany } | null> {
    const row = await this.db.queryOne<AuthenticatedCompany & { readonly sessionId: number }>(
      `SELECT s.id AS "sessionId", ${companyColumns('c')}
         FROM checkout_sessions s JOIN companies c ON c.id = s.company_id WHERE s.token_hash = $1`,
      [tokenHash],
    );
    if (row === null) return null;
    const { sessionId, ...company } = row;
    return { sessionId, company };
  }

  async get(companyId: number, id: number, tx?: Tx): Promise<CheckoutSession> {
    const row = await this.db.queryOne<CheckoutSessionRow>(
      `SELECT ${COLUMNS} FROM checkout_sessions WHERE id = $1 AND company_id = $2`,
      [id, companyId],
      tx,
    );
    if (row === null) throw new Error('the checkout session does not exist');
    return this.withRelations(row, tx);
  }

  /**
   * Claims an open session for a buyer and counts the try. False if it cannot be claimed: `sessionProblem` returns the
   * reason. A try that `countTry` has counted is not counted again, and may be the one that closed the session.
   */
  async claim(
    tx: Tx,
    session: SessionKey & Pick<CheckoutSession, 'id'>,
    { isCounted, language, ...holder }: SessionHolder & ClaimDetails,
    buyer: Buyer | null,
    now: Date,
  ): Promise<boolean> {
    const { sealed, documentHash } = await this.buyers.seal(session, buyer);
    const claimed = await this.db.execute(
      `UPDATE checkout_sessions SET status = 'claimed', tries = tries + CASE WHEN $8 THEN 0 ELSE 1 END,
         transaction_id = $2, subscription_id = $3, sealed_buyer = COALESCE($6::jsonb, sealed_buyer),
         buyer_document_hash = COALESCE($7, buyer_document_hash), language = $9, updated_at = $4
       WHERE id = $1 AND expires_at > $4 AND (status = 'open' AND tries < $5 OR $8 AND status <> 'claimed')`,
      [
        session.id,
        holder.transactionId ?? null,
        holder.subscriptionId ?? null,
        now,
        MAX_TRIES,
        sealed,
        documentHash,
        isCounted,
        language,
      ],
      tx,
    );
    return claimed === 1;
  }

  /** Counts another try of the subscription that has claimed the session. False if no try is left. */
  async recordRetry(tx: Tx, id: number, { subscriptionId }: SessionHolder, now: Date): Promise<boolean> {
    const updated = await this.db.execute(
      `UPDATE checkout_sessions SET tries = tries + 1, updated_at = $3
        WHERE id = $1 AND status = 'claimed' AND subscription_id = $2 AND tries < $4 AND expires_at > $3`,
      [id, subscriptionId ?? null, now, MAX_TRIES],
      tx,
    );
    return updated === 1;
  }

  /** Counts a try before its claim, and closes the session with the last one. False if the session has none left. */
  async countTry(id: number, now: Date): Promise<boolean> {
    const counted = await this.db.execute(
      `UPDATE checkout_sessions SET tries = tries + 1, updated_at = $2,
         status = CASE WHEN tries + 1 < $3 THEN status ELSE 'closed' END
        WHERE id = $1 AND status = 'open' AND tries < $3 AND expires_at > $2`,
      [id, now, MAX_TRIES],
    );
    return counted === 1;
  }

  /** Shows the buyer another offer, because the first period would cost something else now. Only while it is not bought. */
  async changeOffer(companyId: number, id: number, shown: ShownOffer, now: Date): Promise<void> {
    await this.db.execute(
      `UPDATE checkout_sessions SET offered_first_cents = $3, offered_recurring_cents = $4, offered_coupon_cycles = $5,
         updated_at = $6
       WHERE id = $1 AND company_id = $2 AND status = 'open'`,
      [id, companyId, ...offerColumns(shown), now],
    );
  }

  /** The holder has failed for certain: reopens the session if a try is left, and releases the link's use. */
  async release(tx: Tx, id: number, holder: SessionHolder, now: Date): Promise<void> {
    await this.db.execute(
      `WITH released AS (
         UPDATE checkout_sessions SET status = CASE WHEN tries < $5 THEN 'open' ELSE 'closed' END, updated_at = $4
          WHERE id = $1 AND status = 'claimed' AND (transaction_id = $2::uuid OR subscription_id = $3::uuid)
          RETURNING payment_link_id)
       UPDATE payment_links SET uses_count = uses_count - 1
        WHERE id = (SELECT payment_link_id FROM released) AND uses_count > 0`,
      [id, holder.transactionId ?? null, holder.subscriptionId ?? null, now, MAX_TRIES],
      tx,
    );
  }

  /**
   * A payment of the session holds money now: makes it the holder, unless the holder is another payment that holds money.
   * False in that case. A payment that had lost its claim counts its use of the link again.
   */
  async holdMoney(tx: Tx, id: number, transactionId: string, now: Date): Promise<boolean> {
    // Two statements: the second one sees what the previous holder of the session's lock has committed.
    const session = await this.db.queryOne<{ readonly isHolder: boolean }>(
      `SELECT status = 'claimed' AND transaction_id = $2 AS "isHolder" FROM checkout_sessions WHERE id = $1 FOR UPDATE`,
      [id, transactionId],
      tx,
    );
    if (session?.isHolder === true) return true;
    const row = await this.db.queryOne<{ readonly held: boolean }>(
      `WITH before AS (SELECT status, payment_link_id FROM checkout_sessions WHERE id = $1),
       held AS (
         UPDATE checkout_sessions s SET status = 'claimed', transaction_id = $2, updated_at = $3
          WHERE id = $1 AND (status <> 'claimed' OR NOT EXISTS (
            SELECT 1 FROM payments p WHERE p.transaction_id = s.transaction_id AND p.status IN ('authorized', 'approved')))
          RETURNING id),
       used AS (
         UPDATE payment_links SET uses_count = uses_count + 1
          WHERE id = (SELECT payment_link_id FROM before WHERE status <> 'claimed'))
       SELECT EXISTS (SELECT 1 FROM held) AS held`,
      [id, transactionId, now],
      tx,
    );
    return row?.held === true;
  }

  /** Deletes at most `limit` sessions without a try, to erase the buyer's data. Returns how many. */
  async deleteUnused(limit: number, expiredBefore: Date): Promise<number> {
    return this.db.execute(
      `DELETE FROM checkout_sessions WHERE id IN (
         SELECT id FROM checkout_sessions WHERE tries = 0 AND expires_at < $1
          ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [expiredBefore, limit],
    );
  }

  private async withRelations(
    { planId, couponId, paymentLinkId, planTerms, shownOffer, sealedBuyer, ...row }: CheckoutSessionRow,
    tx?: Tx,
  ): Promise<CheckoutSession> {
    const { links, plans, coupons } = this.repositories;
    const [link] = paymentLinkId === null ? [] : await links.listByIds([paymentLinkId], tx);
    const [plan] = planId === null ? [] : await plans.listByIds([planId], tx);
    const [coupon] = couponId === null ? [] : await coupons.listByIds([couponId], tx);
    return {
      ...row,
      buyer: sealedBuyer && (await this.buyers.open(row, sealedBuyer)),
      link: link ?? null,
      plan: plan ? { ...plan, ...planTerms, currency: row.currency } : null,
      coupon: coupon ?? null,
      shown: shownOffer,
    };
  }
}

function offerColumns(shown: ShownOffer | null): (number | null)[] {
  return [shown?.firstCents ?? null, shown?.recurringCents ?? null, shown?.couponCycles ?? null];
}

function json(value: object | null): string | null {
  return value && JSON.stringify(value);
}
