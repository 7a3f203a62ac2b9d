import type { ReportedChargeState } from '../../domain/payments/reported-charge-state';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { PaymentRecord } from './payment-repository';
import type { Database, Tx } from '../sql/transaction';

/** What the workflow of a payment is started with, should it not run. */
export type PaymentToWake = Pick<
  PaymentRecord,
  'transactionId' | 'companyId' | 'amountCents' | 'currency' | 'paymentMethod' | 'merchantOrderId'
>;

/** What a callback is about, and whose word its gateway signs with. */
export interface CallbackSubject {
  readonly attemptId: string;
  readonly paymentId: number;
  readonly payment: PaymentToWake;
  /** The company's own secret for that gateway's callbacks (`encryptionContext.webhookSecret`). */
  readonly sealedWebhookSecret: SealedValue | null;
}

export interface NewCallback {
  readonly gateway: GatewaySlug;
  readonly subject: CallbackSubject;
  readonly eventId: string;
  readonly kind: CallbackKind;
  readonly gatewayTransactionId: string | null;
  readonly body: Buffer;
  /** SHA-256 of the body, in hex. */
  readonly bodyHash: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly trusted: boolean;
  /** How it says the charge stands; null where it does not tell all of that. */
  readonly standing: ReportedChargeState | null;
  readonly receivedAt: Date;
}

type CallbackKind = 'status' | 'chargeback';

/** A callback that nobody has looked at yet. */
export interface WaitingCallback {
  readonly id: number;
  /** The operation it is about. */
  readonly attemptId: string;
  /** What it calls that at the gateway; nobody vouches for it. */
  readonly gatewayTransactionId: string | null;
  readonly kind: CallbackKind;
  /** Whether its signature was made with a secret that only the gateway and we know. Else it is only a hint. */
  readonly trusted: boolean;
  readonly standing: ReportedChargeState | null;
  readonly receivedAt: Date;
}

/** Long enough for whoever stored it to wake the workflow, and for the workflow to look. */
const WAKE_AFTER_RECEIPT_MS = 5_000;
/** Anybody can send unsigned ones: beyond so many of one payment in an hour they are not kept. */
const MAX_UNSIGNED_PER_HOUR = 100;

const PAYMENT_TO_WAKE = `p.transaction_id AS "transactionId", p.company_id AS "companyId", p.amount_cents AS "amountCents",
  p.currency, p.payment_method AS "paymentMethod", p.merchant_order_id AS "merchantOrderId"`;

interface SubjectRow extends PaymentToWake, Omit<CallbackSubject, 'payment'> {}

/** The one owner of `gateway_callbacks`. */
export class GatewayCallbackRepository {
  constructor(private readonly db: Database) {}

  /** The operation that a gateway calls by our reference; null when there is none at that gateway. */
  async findSubject(gateway: GatewaySlug, reference: string): Promise<CallbackSubject | null> {
    const row = await this.db.queryOne<SubjectRow>(
      `SELECT a.id AS "attemptId", p.id AS "paymentId", c.sealed_webhook_secret AS "sealedWebhookSecret",
         ${PAYMENT_TO_WAKE}
       FROM gateway_attempts a
       JOIN payments p ON p.id = a.payment_id
       LEFT JOIN gateway_credentials c ON c.company_id = a.company_id AND c.gateway_slug = a.gateway_slug
       WHERE a.reference = $2 AND a.operation <> 'inquiry' AND a.gateway_slug = $1`,
      [gateway, reference],
    );
    if (row === null) return null;
    const { attemptId, paymentId, sealedWebhookSecret, ...payment } = row;
    return { attemptId, paymentId, sealedWebhookSecret, payment };
  }

  /**
   * Keeps a callback, as looked at already where it tells nothing new (`processedAt`). False when it is there already,
   * or is one unsigned callback too many.
   */
  async store(callback: NewCallback, processedAt: Date | null = null, tx?: Tx): Promise<boolean> {
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
      standing,
      receivedAt,
    } = callback;
    const row = await this.db.queryOne(
      `INSERT INTO gateway_callbacks (gateway_slug, company_id, payment_id, attempt_id, event_id, kind, body_hash,
         raw_body, headers, trusted, received_at, recover_after, gateway_transaction_id, standing, processed_at)
       SELECT $1, $2, $3::bigint, $4, $5, $6, $7, $8, $9, $10::boolean, $11, $12, $14, $15, $16
        WHERE $10 OR (SELECT count(*) FROM gateway_callbacks WHERE payment_id = $3 AND NOT trusted
                        AND received_at > $11::timestamptz - interval '1 hour') < $13
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
        processedAt === null ? new Date(receivedAt.getTime() + WAKE_AFTER_RECEIPT_MS) : null,
        MAX_UNSIGNED_PER_HOUR,
        gatewayTransactionId,
        standing && JSON.stringify(standing),
        processedAt,
      ],
      tx,
    );
    return row !== null;
  }

  /** A payment's callbacks that still have to be looked at, oldest first. */
  async waiting(transactionId: string, tx?: Tx): Promise<WaitingCallback[]> {
    return this.db.query<WaitingCallback>(
      `SELECT id, attempt_id AS "attemptId", gateway_transaction_id AS "gatewayTransactionId", kind, trusted, standing,
         received_at AS "receivedAt"
       FROM gateway_callbacks
       WHERE payment_id = (SELECT id FROM payments WHERE transaction_id = $1) AND processed_at IS NULL
       ORDER BY received_at, id`,
      [transactionId],
      tx,
    );
  }

  /** They have been looked at: no sweeper wakes their payment for them any more. */
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
   * Payments with callbacks that should have been looked at by now, for at most `limit` callbacks. Each is put off by
   * its own age (15 s to an hour), so that no other sweeper takes it, and one that waits for a gateway that is down
   * wakes its payment ever more rarely.
   */
  async takeOverdue(limit: number, now: Date): Promise<PaymentToWake[]> {
    return this.db.query<PaymentToWake>(
      `WITH taken AS (
         UPDATE gateway_callbacks
            SET recover_after = $1::timestamptz + LEAST(GREATEST($1 - received_at, interval '15 seconds'), interval '1 hour')
          WHERE id IN (SELECT id FROM gateway_callbacks WHERE recover_after <= $1
                        ORDER BY recover_after LIMIT $2 FOR UPDATE SKIP LOCKED)
          RETURNING payment_id)
       SELECT ${PAYMENT_TO_WAKE} FROM payments p WHERE p.id IN (SELECT payment_id FROM taken)`,
      [now, limit],
    );
  }
}
