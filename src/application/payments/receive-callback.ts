import { createHash } from 'node:crypto';
import { compareWithRecorded } from '../../domain/payments/reported-charge-state';
import type { DisputeToStart } from '../../domain/disputes/dispute-start';
import { ApiError, notFound, unauthenticated } from '../../domain/shared/errors';
import { isGatewaySlug } from '../../domain/shared/gateway-slug';
import { disputeIdOf } from '../../domain/shared/ids';
import type { Mode } from '../../domain/shared/mode';
import type { UnmatchedCallbackKind } from '../../domain/routing/unrecognized-answer';
import type { Failpoint } from '../../failpoints';
import type { CallbackHint, CallbackProof, RawCallback } from '../../gateways/callback';
import type { GatewayAttemptRepository } from '../../persistence/payments/gateway-attempt-repository';
import type {
  CallbackSubject,
  GatewayCallbackRepository,
  NewCallback,
  PaymentRef,
} from '../../persistence/payments/gateway-callback-repository';
import type { UnmatchedCallbackRepository } from '../../persistence/gateways/unmatched-callback-repository';
import type { ParkedCallbackRepository } from '../../persistence/payments/parked-callback-repository';
import type { PaymentRepository } from '../../persistence/payments/payment-repository';
import type { Database } from '../../persistence/sql/transaction';
import { encryptionContext } from '../../security/encryption-context';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import { CallbackVerifiers, type CallbackVerifiersDeps, type CallingGateway } from './callback-verifiers';

export interface ReceiveCallbackDeps extends CallbackVerifiersDeps {
  readonly registries: GatewayRegistries;
  readonly db: Database;
  readonly payments: PaymentRepository;
  readonly attempts: GatewayAttemptRepository;
  readonly callbacks: GatewayCallbackRepository;
  readonly parkedCallbacks: ParkedCallbackRepository;
  readonly unmatchedCallbacks: UnmatchedCallbackRepository;
  /** Keeps the shape of a verified callback that its driver cannot read. */
  readonly keepShape: (companyId: number, at: CallingGateway, callback: RawCallback) => void;
  /** The keys that the gateway publishes to sign its callbacks, as secrets of its driver; none if it publishes none. */
  readonly publishedKeys: (at: CallingGateway, raw: RawCallback) => Promise<readonly string[]>;
  readonly failpoint: Failpoint;
  /** Signals the payment's workflow to process stored callbacks; starts the workflow if necessary. */
  readonly wake: (payment: PaymentRef) => Promise<void>;
  /** The same for the workflow of a dispute. */
  readonly wakeDispute: (dispute: DisputeToStart) => Promise<void>;
  /** Reports a failed signal; the sweeper will retry. */
  readonly reportError: (transactionId: string, error: unknown) => void;
}

/** The address that a gateway calls. `mode` is null if the address names none. */
export interface CalledAddress {
  readonly slug: string;
  readonly mode: Mode | null;
}

/** Event ids and references: printable ASCII that fits the columns. */
const VALID_ID = /^[\x20-\x7e]{1,255}$/;

/** Hints of one callback: some gateways send several in one request. */
const MAX_HINTS = 100;

interface Received {
  readonly raw: RawCallback;
  readonly hint: CallbackHint;
  readonly receivedAt: Date;
}

/** A callback that belongs to no payment, with what verifying it needs. */
type Unmatched = Pick<Received, 'raw' | 'receivedAt'> & Partial<Pick<CallbackHint, 'eventId' | 'subject'>>;

const NO_HINT: CallbackHint = {
  eventId: '',
  kind: 'status',
  subject: { reference: null, gatewayTransactionId: '' },
  reportedState: null,
};

/**
 * Receives a gateway's callback. Callbacks never change state: they are stored and trigger a status inquiry by the
 * payment's workflow. A valid signature only allows more frequent inquiries (docs/decisions/callbacks.md).
 */
export class ReceiveCallback {
  private readonly verifiers: CallbackVerifiers;

  constructor(private readonly deps: ReceiveCallbackDeps) {
    this.verifiers = new CallbackVerifiers(deps);
  }

  /**
   * Returns once the callback is stored, was stored before, or refers to an unknown payment.
   *
   * @throws ApiError `not_found` for an unknown gateway, `malformed_request` for a body that its driver cannot read,
   *   `unauthenticated` for an invalid signature
   */
  async execute({ slug, mode }: CalledAddress, raw: RawCallback, receivedAt: Date): Promise<void> {
    const source = this.deps.registries.callbackSource(mode);
    if (source === null || !isGatewaySlug(slug) || !source.registry.isConfigured(slug)) throw notFound();
    const at = { slug, ...source };
    const reading = source.registry.driver(slug).readCallback(raw);
    if (reading.kind === 'foreign')
      return this.count(at, 'other', { raw, receivedAt, ...reading.verifiedBy });
    const hints = reading.kind === 'hints' ? reading.hints : [];
    if (hints.length === 0 || hints.length > MAX_HINTS || !hints.every(hasValidIds)) {
      await this.count(at, 'unreadable', { raw, receivedAt });
      throw new ApiError('malformed_request', 'The body is not a callback of this gateway.');
    }
    const results = [];
    for (const hint of hints) results.push(await this.receive(at, { raw, hint, receivedAt }));
    // The gateway sends all of them again, and those that are stored already are left out.
    if (results.includes('invalid')) throw unauthenticated('The signature is not valid.');
  }

  private async receive(at: CallingGateway, received: Received): Promise<'accepted' | 'invalid'> {
    const { raw, hint, receivedAt } = received;
    const { slug, registry, sign } = at;
    const subject = await this.deps.callbacks.findSubject(slug, hint.subject, sign);
    if (subject === null) {
      await this.park(at, received);
      return 'accepted';
    }
    const driver = registry.driver(slug);
    const secrets = await this.secrets(at, subject, raw);
    const proof = driver.verifyCallback(raw, hint, secrets, receivedAt);
    if (proof === 'invalid') return 'invalid';
    const { kind, coversBody } = driver.callbackProof;
    const trusted = proof === 'valid' && kind === 'signature';
    const proves = trusted && coversBody;
    const dispute = proves ? disputeNewsOf(hint, subject) : null;
    const isNews = await this.store({
      gateway: slug,
      subject,
      eventId: hint.eventId,
      kind: hint.kind,
      gatewayTransactionId: hint.subject.gatewayTransactionId,
      body: raw.body,
      bodyHash: hashOf(raw),
      headers: proofHeaders(raw, driver.callbackProof),
      trusted,
      // What no signature covers proves nothing, so it is never compared.
      reportedState: proves ? hint.reportedState : null,
      refundCents: proves ? (hint.refundCents ?? null) : null,
      dispute,
      receivedAt,
    });
    this.deps.failpoint('callback-stored', subject.payment.companyId);
    if (isNews) this.wake(subject.payment, dispute);
    return 'accepted';
  }

  /**
   * The callback may come before the answer to its charge, which brings the gateway's id. What is kept of it proves nothing,
   * so a gateway whose callbacks are facts must send it again.
   */
  private async park(at: CallingGateway, { raw, hint, receivedAt }: Received): Promise<void> {
    const { eventId, kind, subject } = hint;
    const { slug: gateway, registry, sign } = at;
    // A reference of ours is committed before the gateway learns it.
    if (subject.reference !== null) return this.count(at, kind, { raw, receivedAt, eventId, subject });
    if (registry.capabilities(gateway).truth === 'signed_callback') {
      throw new ApiError('unavailable', 'The charge is not known yet. Send the callback again.');
    }
    const { gatewayTransactionId } = subject;
    const parked = { gateway, sign, gatewayTransactionId, eventId, kind, bodyHash: hashOf(raw), receivedAt };
    const verifier = await this.verifiers.find(at, raw, hint, receivedAt);
    await this.deps.parkedCallbacks.park(parked, verifier);
  }

  /** Counts a callback that belongs to no payment, if it is verified: of any other nothing is kept. */
  private async count(
    at: CallingGateway,
    kind: UnmatchedCallbackKind,
    { raw, receivedAt, ...about }: Unmatched,
  ): Promise<void> {
    const hint = { ...NO_HINT, ...about };
    const verifier = await this.verifiers.find(at, raw, hint, receivedAt);
    if (verifier === null) return;
    const { companyId } = verifier;
    await this.deps.unmatchedCallbacks.count({ companyId, gateway: at.slug, kind }, receivedAt);
    if (kind === 'unreadable' && companyId !== null) this.deps.keepShape(companyId, at, raw);
  }

  /**
   * Stores a callback; true if the workflow of the payment, or of the dispute that it is about, must be signalled. The payment's workflow is not signalled if a signed callback
   * reports the recorded state, or the state expected from an operation in flight. If that operation does not record the
   * expected state, the callback stays unprocessed and the sweeper signals the workflow.
   */
  private async store(callback: NewCallback): Promise<boolean> {
    const { db, callbacks, payments, attempts } = this.deps;
    const { subject, trusted, reportedState, refundCents, receivedAt, gatewayTransactionId } = callback;
    const { transactionId } = subject.payment;
    if (callback.dispute !== null || refundCents !== null) {
      return db.inTransaction(async (tx) => {
        await payments.lock(tx, transactionId);
        // The same event in another body must not count again: a signature may leave out when it happened.
        const isRepeated = await callbacks.hasSigned(callback, tx);
        return (await callbacks.insert(callback, isRepeated ? receivedAt : null, tx)) && !isRepeated;
      });
    }
    if (!trusted || reportedState === null) return callbacks.insert(callback);
    return db.inTransaction(async (tx) => {
      // Recording an operation's result takes the same lock and then marks the callbacks that it explains as processed.
      const payment = await payments.lock(tx, transactionId);
      const recordedAttempts = await attempts.listByTransaction(transactionId, tx);
      const recorded = { payment, attempts: recordedAttempts };
      const comparison = compareWithRecorded(
        reportedState,
        recorded,
        subject.attemptId,
        gatewayTransactionId,
      );
      const stored = await callbacks.insert(callback, comparison === 'recorded' ? receivedAt : null, tx);
      return stored && comparison === 'new';
    });
  }

  /**
   * The company's own secrets, the deployment's and the gateway's published keys. Another company's secret must not authenticate
   * this callback.
   */
  private async secrets(at: CallingGateway, subject: CallbackSubject, raw: RawCallback): Promise<string[]> {
    const { envelope, publishedKeys } = this.deps;
    const { slug, registry } = at;
    const { sealedWebhookSecrets, payment } = subject;
    const context = encryptionContext.webhookSecret(payment.companyId, slug);
    const own = await Promise.all(sealedWebhookSecrets.map((sealed) => envelope.openOften(sealed, context)));
    return [...own, ...registry.webhookSecrets(slug), ...(await publishedKeys(at, raw))];
  }

  /** Not awaited: the callback is stored, so the gateway gets its 200 without waiting for Temporal. */
  private wake(payment: PaymentRef, dispute: NewCallback['dispute']): void {
    const { companyId, transactionId } = payment;
    const signal =
      dispute === null
        ? this.deps.wake(payment)
        : this.deps.wakeDispute({ companyId, transactionId, disputeId: dispute.id });
    signal.catch((error: unknown) => this.deps.reportError(transactionId, error));
  }
}

/** Null unless it reports a dispute in the payment's currency. */
function disputeNewsOf(
  { dispute }: CallbackHint,
  { chargeId, payment }: CallbackSubject,
): NewCallback['dispute'] {
  if (dispute === undefined) return null;
  const { currency, ...report } = dispute;
  if (currency !== null && currency !== payment.currency) return null;
  return { id: disputeIdOf(chargeId, report.gatewayDisputeId), report };
}

function hashOf({ body }: RawCallback): string {
  return createHash('sha256').update(body).digest('hex');
}

function hasValidIds({ eventId, subject }: CallbackHint): boolean {
  const ids = [eventId, subject.reference, subject.gatewayTransactionId];
  return ids.every((id) => id === null || VALID_ID.test(id));
}

/** Only what verifying the callback again needs; other headers may contain secrets. */
function proofHeaders({ headers }: RawCallback, { headers: names }: CallbackProof): Record<string, string> {
  const entries = names.map((name) => [name, headers[name]]);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
