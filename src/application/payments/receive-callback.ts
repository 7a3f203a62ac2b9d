import { createHash } from 'node:crypto';
import { compareWithRecorded } from '../../domain/payments/reported-charge-state';
import { ApiError, notFound, unauthenticated } from '../../domain/shared/errors';
import { isGatewaySlug, type GatewaySlug } from '../../domain/shared/gateway-slug';
import type { Failpoint } from '../../failpoints';
import type { CallbackHint, RawCallback } from '../../gateways/gateway';
import type { GatewayRegistry } from '../../gateways/registry';
import type { GatewayAttemptRepository } from '../../persistence/payments/gateway-attempt-repository';
import type {
  CallbackSubject,
  GatewayCallbackRepository,
  NewCallback,
  PaymentRef,
} from '../../persistence/payments/gateway-callback-repository';
import type { PaymentRepository } from '../../persistence/payments/payment-repository';
import type { Database } from '../../persistence/sql/transaction';
import type { EnvelopeCipher } from '../../security/envelope';
import { encryptionContext } from '../../security/encryption-context';

export interface ReceiveCallbackDeps {
  readonly registry: GatewayRegistry;
  readonly db: Database;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly callbacks: GatewayCallbackRepository;
  readonly envelope: EnvelopeCipher;
  readonly failpoint: Failpoint;
  /** Signals the payment's workflow to process stored callbacks; starts the workflow if necessary. */
  readonly wake: (payment: PaymentRef) => Promise<void>;
  /** Reports a failed signal; the sweeper will retry. */
  readonly reportError: (transactionId: string, error: unknown) => void;
}

/** Event ids and references: printable ASCII that fits the columns. */
const VALID_ID = /^[\x20-\x7e]{1,255}$/;

/**
 * Receives a gateway's callback. Callbacks never change state: they are stored and trigger a status inquiry by the
 * payment's workflow. A valid signature only allows more frequent inquiries (docs/decisions/callbacks.md).
 */
export class ReceiveCallback {
  constructor(private readonly deps: ReceiveCallbackDeps) {}

  /**
   * Returns once the callback is stored, was stored before, or refers to an unknown payment.
   *
   * @throws ApiError `not_found` for an unknown gateway, `malformed_request` for a body that its driver cannot read,
   *   `unauthenticated` for an invalid signature
   */
  async execute(slug: string, raw: RawCallback, receivedAt: Date): Promise<void> {
    const { registry, callbacks } = this.deps;
    if (!isGatewaySlug(slug) || !registry.isConfigured(slug)) throw notFound();
    const hint = registry.driver(slug).readCallback(raw);
    if (hint === null || !hasValidIds(hint)) {
      throw new ApiError('malformed_request', 'The body is not a callback of this gateway.');
    }
    const subject = await callbacks.findSubject(slug, hint.reference);
    if (subject === null) return;
    const signature = registry
      .driver(slug)
      .verifyCallback(raw, await this.secrets(slug, subject), receivedAt);
    if (signature === 'invalid') throw unauthenticated('The signature is not valid.');
    const needsInquiry = await this.store({
      gateway: slug,
      subject,
      eventId: hint.eventId,
      kind: hint.kind,
      gatewayTransactionId: hint.gatewayTransactionId,
      body: raw.body,
      bodyHash: createHash('sha256').update(raw.body).digest('hex'),
      headers: signatureHeaders(raw),
      trusted: signature === 'valid',
      // The content of an unsigned callback proves nothing, so it is never compared.
      reportedState: signature === 'valid' ? hint.reportedState : null,
      receivedAt,
    });
    this.deps.failpoint('callback-stored', subject.payment.companyId);
    if (needsInquiry) this.wake(subject.payment);
  }

  /**
   * Stores a callback; true if the payment's workflow must be signalled. The workflow is not signalled if a signed callback
   * reports the recorded state, or the state expected from an operation in flight. If that operation does not record the
   * expected state, the callback stays unprocessed and the sweeper signals the workflow.
   */
  private async store(callback: NewCallback): Promise<boolean> {
    const { db, callbacks, payments, attempts } = this.deps;
    const { subject, trusted, reportedState, receivedAt } = callback;
    if (!trusted || reportedState === null) return callbacks.insert(callback);
    const { transactionId } = subject.payment;
    return db.inTransaction(async (tx) => {
      // Recording an operation's result takes the same lock and then marks the callbacks that it explains as processed.
      const payment = await payments.lock(tx, transactionId);
      const recordedAttempts = await attempts.listByTransaction(transactionId, tx);
      const recorded = { payment, attempts: recordedAttempts };
      const comparison = compareWithRecorded(reportedState, recorded, subject.attemptId);
      const stored = await callbacks.insert(callback, comparison === 'recorded' ? receivedAt : null, tx);
      return stored && comparison === 'new';
    });
  }

  /** The company's own secrets and the deployment's. Another company's secret must not authenticate this callback. */
  private async secrets(slug: GatewaySlug, subject: CallbackSubject): Promise<string[]> {
    const { registry, envelope } = this.deps;
    const { sealedWebhookSecrets, payment } = subject;
    const context = encryptionContext.webhookSecret(payment.companyId, slug);
    const own = await Promise.all(sealedWebhookSecrets.map((sealed) => envelope.open(sealed, context)));
    return [...own, ...registry.webhookSecrets(slug)];
  }

  /** Not awaited: the callback is stored, so the gateway gets its 200 without waiting for Temporal. */
  private wake(payment: PaymentRef): void {
    this.deps.wake(payment).catch((error: unknown) => this.deps.reportError(payment.transactionId, error));
  }
}

function hasValidIds({ eventId, reference, gatewayTransactionId }: CallbackHint): boolean {
  const ids = [eventId, reference, ...(gatewayTransactionId === null ? [] : [gatewayTransactionId])];
  return ids.every((id) => VALID_ID.test(id));
}

/** Only the headers needed to verify the signature again; others may contain secrets. */
function signatureHeaders({ headers }: RawCallback): Record<string, string> {
  const entries = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name.includes('signature'),
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
