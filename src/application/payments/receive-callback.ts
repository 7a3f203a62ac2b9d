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
  PaymentToWake,
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
  /** Has the payment's workflow look at what was stored, starting it if need be. */
  readonly wake: (payment: PaymentToWake) => Promise<void>;
  /** Told of a wake that failed. The sweeper makes up for it. */
  readonly reportError: (transactionId: string, error: unknown) => void;
}

/** What Postgres can keep and an operation can be called. */
const READABLE = /^[\x20-\x7e]{1,255}$/;

/**
 * A gateway's word that something changed (decisions, section 10). It is kept as it came and never believed: the
 * payment's workflow asks the gateway. What a signature decides is only how often that may be.
 */
export class ReceiveCallback {
  constructor(private readonly deps: ReceiveCallbackDeps) {}

  /**
   * Returns once the callback is stored, was stored before, or is about nothing of ours.
   *
   * @throws ApiError `not_found` for an unknown gateway, `malformed_request` for a body that its driver cannot read,
   *   `unauthenticated` for a signature that is not its gateway's word to this payment's company
   */
  async execute(slug: string, raw: RawCallback, receivedAt: Date): Promise<void> {
    const { registry, callbacks } = this.deps;
    if (!isGatewaySlug(slug) || !registry.knows(slug)) throw notFound();
    const hint = registry.driver(slug).readCallback(raw);
    if (hint === null || !isReadable(hint)) {
      throw new ApiError('malformed_request', 'The body is no callback of this gateway.');
    }
    const subject = await callbacks.findSubject(slug, hint.reference);
    if (subject === null) return;
    const signature = registry
      .driver(slug)
      .verifyCallback(raw, await this.secrets(slug, subject), receivedAt);
    if (signature === 'invalid') throw unauthenticated('The signature is not valid.');
    const hasNews = await this.keep({
      gateway: slug,
      subject,
      eventId: hint.eventId,
      kind: hint.kind,
      gatewayTransactionId: hint.gatewayTransactionId,
      body: raw.body,
      bodyHash: createHash('sha256').update(raw.body).digest('hex'),
      headers: tellingHeaders(raw),
      trusted: signature === 'valid',
      standing: hint.standing,
      receivedAt,
    });
    this.deps.failpoint('callback-stored', subject.payment.companyId);
    if (hasNews) this.wake(subject.payment);
  }

  /**
   * Stores a callback; true when its payment's workflow is to be woken for it. A signed one that tells how the charge
   * stands may tell nothing new: nobody is woken for what the books show already, nor for what an operation that is at
   * the gateway now will tell itself. Should it not, the callback still waits, and the sweeper wakes somebody.
   */
  private async keep(callback: NewCallback): Promise<boolean> {
    const { db, callbacks, payments, attempts } = this.deps;
    const { subject, trusted, standing, receivedAt } = callback;
    if (!trusted || standing === null) return callbacks.store(callback);
    const { transactionId } = subject.payment;
    return db.inTransaction(async (tx) => {
      // Whoever records an operation's result locks the payment too, and settles what waits for it.
      const [payment, tried] = await Promise.all([
        payments.lock(tx, transactionId),
        attempts.ofTransaction(transactionId, tx),
      ]);
      const worth = compareWithRecorded(standing, { payment, attempts: tried }, subject.attemptId);
      const stored = await callbacks.store(callback, worth === 'known' ? receivedAt : null, tx);
      return stored && worth === 'news';
    });
  }

  /** Never another company's: with its own it could speak in the gateway's name. */
  private async secrets(slug: GatewaySlug, subject: CallbackSubject): Promise<string[]> {
    const { registry, envelope } = this.deps;
    const { sealedWebhookSecret, payment } = subject;
    const ofDeployment = registry.webhookSecrets(slug);
    if (sealedWebhookSecret === null) return [...ofDeployment];
    const place = encryptionContext.webhookSecret(payment.companyId, slug);
    return [await envelope.open(sealedWebhookSecret, place), ...ofDeployment];
  }

  /** The gateway is not kept waiting for it, nor told to send again what is stored. */
  private wake(payment: PaymentToWake): void {
    this.deps.wake(payment).catch((error: unknown) => this.deps.reportError(payment.transactionId, error));
  }
}

function isReadable({ eventId, reference }: CallbackHint): boolean {
  return READABLE.test(eventId) && READABLE.test(reference);
}

/** Those that the body needs to be checked again; others may be secrets. */
function tellingHeaders({ headers }: RawCallback): Record<string, string> {
  const entries = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name.includes('signature'),
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
