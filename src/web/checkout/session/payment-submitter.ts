import { RequestError, toRequestError } from '../../api/request-error';
import { newIdempotencyKey } from '../../api/idempotency-keys';
import { clearStoredSession, storeSession, readStoredSession, type StoredSession } from './stored-session';
import { getSession, postPayment, type PayRequest, type Session } from './session-api';

const MAX_REQUESTS = 4;
const FIRST_DELAY_MS = 700;

export interface SubmitResult {
  /** Null when the API cannot be reached. */
  readonly session: Session | null;
  /** The error, or null when the session shows the result. */
  readonly error: RequestError | null;
}

/**
 * Submits the payments of this tab's session. A payment keeps its idempotency key until its result is known: a second
 * click, a lost response and a reload send the same key, so nothing is charged twice.
 */
export class PaymentSubmitter {
  private stored: StoredSession | null = readStoredSession();
  private submitting: Promise<SubmitResult> | null = null;

  get token(): string | null {
    return this.stored?.token ?? null;
  }

  /** True while the result of a payment is unknown: the buyer cannot start over then. */
  get hasPending(): boolean {
    return this.stored !== null && this.stored.pending !== null;
  }

  get isSubmitting(): boolean {
    return this.submitting !== null;
  }

  start({ token }: Session): void {
    this.store({ token, pending: null });
  }

  clear(): void {
    this.stored = null;
    clearStoredSession();
  }

  /** Throws `RequestError`. */
  async refresh(): Promise<Session> {
    const session = await getSession(this.token ?? '');
    if (!this.isSubmitting) this.clearPending(session);
    return session;
  }

  /**
   * Runs one payment at a time: a concurrent call gets the same result. Throws `RequestError` when the session has ended.
   */
  submit(session: Session, request: PayRequest): Promise<SubmitResult> {
    this.submitting ??= this.send(session, request).finally(() => {
      this.submitting = null;
    });
    return this.submitting;
  }

  private async send({ token, tries_left: triesLeft }: Session, request: PayRequest): Promise<SubmitResult> {
    const pending = this.stored?.pending ?? { key: newIdempotencyKey(), triesLeft };
    this.store({ token, pending });
    try {
      await postPayment(token, pending.key, request);
    } catch (error) {
      return this.handleError(token, toRequestError(error));
    }
    const session = await getSessionWithRetry(token);
    if (session === null) return { session, error: new RequestError({ status: null }) };
    this.store({ token, pending: null });
    return { session, error: null };
  }

  private async handleError(token: string, error: RequestError): Promise<SubmitResult> {
    // The session has the result of another payment: one whose response was lost, or one from another tab.
    const isOtherPayment = error.code === 'idempotency_key_reused' || error.code === 'session_used';
    if (!error.isOutcomeUnknown) this.store({ token, pending: null });
    const isOfferChanged = error.code === 'offer_changed';
    if (!error.isOutcomeUnknown && !isOtherPayment && !isOfferChanged) return { session: null, error };
    const session = await getSessionWithRetry(token);
    // The session shows what a payment would cost now.
    if (isOfferChanged) return { session, error };
    if (session === null) return { session, error };
    return { session, error: isOtherPayment || this.clearPending(session) ? null : error };
  }

  /** Discards the key once the session has counted the payment. Returns whether it has. */
  private clearPending({ token, tries_left: triesLeft }: Session): boolean {
    const pending = this.stored?.pending ?? null;
    if (pending !== null && triesLeft >= pending.triesLeft) return false;
    this.store({ token, pending: null });
    return true;
  }

  private store(session: StoredSession): void {
    this.stored = session;
    storeSession(session);
  }
}

/** Returns null when the API cannot be reached. Throws `RequestError` when the session has ended. */
async function getSessionWithRetry(token: string): Promise<Session | null> {
  for (let request = 1; ; request += 1) {
    try {
      return await getSession(token);
    } catch (error) {
      if (error instanceof RequestError && !error.isOutcomeUnknown) throw error;
      if (request === MAX_REQUESTS) return null;
      await new Promise((resolve) => setTimeout(resolve, FIRST_DELAY_MS * 2 ** (request - 1)));
    }
  }
}
