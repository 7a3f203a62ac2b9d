import type { CallbackSubjectName } from '../../domain/payments/callback-subject-name';
import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import type { CompanySign } from '../../domain/shared/mode';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { DisputeId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { DisputeNews } from '../disputes/dispute-news';
import type { PaymentRecord } from './payment-repository';
import type { Database, Tx } from '../sql/transaction';

/** A payment as needed to start or signal its workflow. */
export type PaymentRef = Pick<
  PaymentRecord,
  'transactionId' | 'companyId' | 'amountCents' | 'currency' | 'paymentMethod' | 'merchantOrderId'
>;

/** The attempt and payment of a callback, with the secret to verify it. */
export interface CallbackSubject {
  readonly attemptId: string;
  /** The charge: the attempt itself, or the one that it is an operation on. */
  readonly chargeId: string;
  readonly paymentId: number;
  readonly payment: PaymentRef;
  /**
   * The company's own secrets for that gateway's callbacks (`encryptionContext.webhookSecret`): of the account that was
   * charged, and of the account that the company uses now.
   */
  readonly sealedWebhookSecrets: readonly SealedValue[];
}

export interface NewCallback {
  readonly gateway: GatewaySlug;
  readonly subject: CallbackSubject;
  readonly eventId: string;
  readonly kind: CallbackKind;
  readonly gatewayTransactionId: string | null;
  /** Null if it was not kept, of an unsigned callback. */
  readonly body: Buffer | null;
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly trusted: boolean;
  /** The charge state it reports; null if incomplete. */
  readonly reportedState: ReportedChargeState | null;
  /** Of a refund that it reports without the state of the whole charge. */
  readonly refundCents: number | null;
  /** Of a signed callback about a dispute: which one, and what it says. It is for the dispute's workflow. */
  readonly dispute: DisputeNews | null;
  readonly receivedAt: Date;
}

/** The payment of an overdue callback, and its dispute if it is about one. */
export type OverdueCallback = PaymentRef & { readonly disputeId: DisputeId | null };

type CallbackKind = 'status' | 'chargeback';

/** A callback that is not processed yet. */
export interface UnprocessedCallback {
  readonly id: number;
  readonly attemptId: string;
  readonly eventId: string;
  /** The gateway's id of the charge, as the callback states it; unverified unless `trusted`. */
  readonly gatewayTransactionId: string | null;
  readonly kind: CallbackKind;
  /** Whether it was signed with a secret that only the gateway and this service know. Otherwise it is only a hint. */
  readonly trusted: boolean;
  readonly reportedState: ReportedChargeState | null;
  readonly refundCents: number | null;
  readonly receivedAt: Date;
}

/** How long the sweeper waits for the receiver to signal the workflow, and for the workflow to process the callback. */
const RECOVERY_DELAY_MS = 5_000;
/** Limits per payment. Anyone can send unsigned callbacks, so the rest is not stored. */
const MAX_UNSIGNED_PER_HOUR = 100;
const MAX_UNSIGNED_EVER = 300;
/** Signed callbacks of a payment that are kept as received: a company could sign any number with a secret of its own. */
const MAX_BODIES_PER_PAYMENT = 100;

/** Begins the event id of a dispute's change that an inquiry showed, not a callback. */
export const INQUIRED_DISPUTE = 'dispute-inquiry-';

const PAYMENT_REF = `p.transaction_id AS "transactionId", p.company_id AS "companyId", p.amount_cents AS "amountCents",
  p.currency, p.payment_method AS "paymentMethod", p.merchant_order_id AS "merchantOrderId"`;

/** The charge itself, and not an operation on it, which has the same gateway id. */
const BY_GATEWAY_ID = `a.gateway_transaction_id = $2 AND a.operation IN ('charge', 'authorize')`;

interface SubjectRow extends PaymentRef, Omit<CallbackSubject, 'payment'> {}

/** The one owner of `gateway_callbacks`. */
export class GatewayCallbackRepository {
  constructor(private readonly db: Database) {}

  /** The attempt at this gateway that a callback names: by our reference, else by the gateway's id of the charge; of data of
   * companies with this sign. */
  async findSubject(
    gateway: GatewaySlug,
    { reference, gatewayTransactionId }: CallbackSubjectName,
    sign: CompanySign,
    tx?: Tx,
  ): Promise<CallbackSubject | null> {
    const row = await this.db.queryOne<SubjectRow>(
      `SELECT a.id AS "attemptId", COALESCE(a.target_attempt_id, a.id) AS "chargeId", p.id AS "paymentId", ${PAYMENT_REF},
         ARRAY(SELECT DISTINCT account.sealed_webhook_secret FROM gateway_accounts account
                WHERE account.id IN (s.account_id, c.account_id) AND account.sealed_webhook_secret IS NOT NULL)
           AS "sealedWebhookSecrets"
       FROM gateway_attempts a
       JOIN payments p ON p.id = a.payment_id
       LEFT JOIN gateway_secrets s ON s.id = a.secret_id
       LEFT JOIN gateway_credentials c ON c.company_id = a.company_id AND c.gateway_slug = a.gateway_slug
       WHERE a.gateway_slug = $1 AND ${reference === null ? BY_GATEWAY_ID : 'a.reference = $2'} AND a.operation <> 'inquiry'
         AND ($3::int IS NULL OR sign(a.company_id) = $3)
       ORDER BY a.attempt DESC LIMIT 1`,
      [gateway, reference ?? gatewayTransactionId, sign],
      tx,
    );
    if (row === null) return null;
    const { attemptId, chargeId, paymentId, sealedWebhookSecrets, ...payment } = row;
    return { attemptId, chargeId, paymentId, sealedWebhookSecrets, payment };
  }

  /** Whether what a gateway reported about the payment after a restore is not recorded yet (`restoredReport`). */
  async awaitsRestoredReport(paymentId: number, tx: Tx): Promise<boolean> {
    const row = await this.db.queryOne(
      `SELECT FROM gateway_callbacks WHERE payment_id = $1 AND processed_at IS NULL AND event_id LIKE 'restore-%' LIMIT 1`,
      [paymentId],
      tx,
    );
    return row !== null;
  }

  /**
   * `processedAt` is set for a callback that reports nothing new. False if the callback is stored already, or is unsigned
   * and over a limit. Of an unsigned one, of one about an erased customer, and of the later ones of a payment, only the
   * parsed fields and the body's hash are stored.
   */
  async insert(callback: NewCallback, processedAt: Date | null = null, tx?: Tx): Promise<boolean> {
    const {
      gateway,
      subject,
      eventId,
      kind,
      gatewayTransactionId,
      bodyHash,
      body,
      headers,
      trusted,
      reportedState,
      refundCents,
      dispute,
      receivedAt,
    } = callback;
    const row = await this.db.queryOne(
      `WITH counted AS (
         INSERT INTO unsigned_callback_counts (payment_id, stored)
         SELECT $3::bigint, 1
          WHERE NOT $10 AND NOT EXISTS (
            SELECT FROM gateway_callbacks WHERE gateway_slug = $1 AND company_id = $2 AND event_id = $5
               AND body_hash = $7 AND NOT trusted)
            AND (SELECT count(*) FROM gateway_callbacks WHERE payment_id = $3 AND NOT trusted
                    AND received_at > $11::timestamptz - interval '1 hour') < $13
         ON CONFLICT (payment_id) DO UPDATE SET stored = unsigned_callback_counts.stored + 1
          WHERE unsigned_callback_counts.stored < $17
         RETURNING 1),
       -- Locked, so that the customer is erased either before, or with this callback.
       customer AS (
         SELECT c.erased_at FROM customers c JOIN payments p ON p.customer_id = c.id
          WHERE $10 AND p.id = $3 FOR KEY SHARE OF c),
       received AS (
         SELECT $8::bytea AS raw_body, $9::jsonb AS headers
          WHERE $10 AND (SELECT erased_at FROM customer) IS NULL
            AND (SELECT count(*) FROM gateway_callbacks WHERE payment_id = $3 AND raw_body IS NOT NULL) < $18)
       INSERT INTO gateway_callbacks (gateway_slug, company_id, payment_id, attempt_id, event_id, kind, body_hash,
         raw_body, headers, trusted, received_at, recover_after, gateway_transaction_id, reported_state, processed_at, refund_cents,
         dispute_id, dispute_report)
       SELECT $1, $2, $3::bigint, $4, $5, $6, $7, received.raw_body, received.headers, $10::boolean, $11, $12, $14, $15, $16, $19,
              $20, $21
         FROM (VALUES (1)) AS once LEFT JOIN received ON true
        WHERE $10 OR EXISTS (SELECT FROM counted)
       ON CONFLICT DO NOTHING RETURNING id`,
      [
        gateway,
        subject.payment.companyId,
        subject.paymentId,
        subject.attemptId,
        eventId,
        kind,
        bodyHash,
        body,
        JSON.stringify(headers),
        trusted,
        receivedAt,
        processedAt === null ? new Date(receivedAt.getTime() + RECOVERY_DELAY_MS) : null,
        MAX_UNSIGNED_PER_HOUR,
        gatewayTransactionId,
        reportedState && JSON.stringify(reportedState),
        processedAt,
        MAX_UNSIGNED_EVER,
        MAX_BODIES_PER_PAYMENT,
        refundCents,
        dispute?.id ?? null,
        dispute === null ? null : JSON.stringify(dispute.report),
      ],
      tx,
    );
    return row !== null;
  }

  /** Whether a signed callback of this event was received, in whatever body. */
  async hasSigned({ gateway, subject, eventId }: NewCallback, tx: Tx): Promise<boolean> {
    const row = await this.db.queryOne(
      `SELECT FROM gateway_callbacks WHERE gateway_slug = $1 AND company_id = $2 AND event_id = $3 AND trusted LIMIT 1`,
      [gateway, subject.payment.companyId, eventId],
      tx,
    );
    return row !== null;
  }

  /** Whether a signed callback about any charge of the company at the gateway has come since: its webhooks are set up. */
  async hasSignedSince(
    { companyId, gateway, since }: { companyId: number; gateway: GatewaySlug; since: Date },
    tx: Tx,
  ): Promise<boolean> {
    const row = await this.db.queryOne(
      `SELECT FROM gateway_callbacks WHERE gateway_slug = $1 AND company_id = $2 AND received_at > $3 AND trusted AND NOT starts_with(event_id, '${INQUIRED_DISPUTE}') LIMIT 1`,
      [gateway, companyId, since],
      tx,
    );
    return row !== null;
  }

  /** Deletes at most `limit` unsigned callbacks that are processed and were received before `before`; returns how many. */
  async deleteOldUnsigned(limit: number, before: Date): Promise<number> {
    return this.db.execute(
      `DELETE FROM gateway_callbacks WHERE id IN (
         SELECT id FROM gateway_callbacks WHERE NOT trusted AND processed_at IS NOT NULL AND received_at < $1
          ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [before, limit],
    );
  }

  /** A payment's unprocessed callbacks, oldest first, without those about disputes. */
  async listUnprocessed(transactionId: string, tx?: Tx): Promise<UnprocessedCallback[]> {
    return this.db.query<UnprocessedCallback>(
      `SELECT id, attempt_id AS "attemptId", event_id AS "eventId", gateway_transaction_id AS "gatewayTransactionId", kind,
         trusted, reported_state AS "reportedState", refund_cents AS "refundCents", received_at AS "receivedAt"
       FROM gateway_callbacks
       WHERE payment_id = (SELECT id FROM payments WHERE transaction_id = $1) AND processed_at IS NULL
         AND dispute_id IS NULL
       ORDER BY received_at, id`,
      [transactionId],
      tx,
    );
  }

  async markProcessed(ids: readonly number[], now: Date, tx?: Tx): Promise<void> {
    if (ids.length === 0) return;
    await this.db.execute(
      `UPDATE gateway_callbacks SET processed_at = $2, recover_after = NULL
       WHERE id = ANY($1::bigint[]) AND processed_at IS NULL`,
      [ids, now],
      tx,
    );
  }

  /**
   * Returns the payments, and disputes, of at most `limit` callbacks past `recover_after`. Each callback is postponed by its own age
   * (15 s to an hour): no other sweeper claims it meanwhile, and while a gateway is down its payment is signalled less
   * and less often.
   */
  async claimOverdue(limit: number, now: Date): Promise<OverdueCallback[]> {
    return this.db.query<OverdueCallback>(
      `WITH claimed AS (
         UPDATE gateway_callbacks
            SET recover_after = $1::timestamptz + LEAST(GREATEST($1 - received_at, interval '15 seconds'), interval '1 hour')
          WHERE id IN (SELECT id FROM gateway_callbacks WHERE recover_after <= $1
                        ORDER BY recover_after LIMIT $2 FOR UPDATE SKIP LOCKED)
          RETURNING payment_id, dispute_id),
       overdue AS (SELECT DISTINCT payment_id, dispute_id FROM claimed)
       SELECT ${PAYMENT_REF}, overdue.dispute_id AS "disputeId" FROM overdue JOIN payments p ON p.id = overdue.payment_id`,
      [now, limit],
    );
  }
}
