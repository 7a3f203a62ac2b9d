import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { Accounts } from './accounts';
import type { StoredCharge, StoredDispute } from './charge-store';
import { transactionOf } from '../gateways/simulator/wire';
import type { CallbackKind, CallbackMessage, WireAdapter } from './vendors/adapter';

export interface CallbackOptions {
  /** Callbacks are posted to `<baseUrl>/webhooks/<gateway>` unless the account has its own URL; null disables them. */
  readonly baseUrl: string | null;
  /** Null sends callbacks unsigned. */
  readonly webhookSecret: (gateway: GatewaySlug) => string | null;
}

export interface SentCallback {
  readonly sent_at: string;
  /** The reported charge status, or `chargeback`. */
  readonly kind: string;
  /** The HTTP status of the response; null without a response. */
  readonly status: number | null;
}

interface SendOptions {
  readonly kind?: 'chargeback' | undefined;
  /** What a chargeback is about. */
  readonly dispute?: StoredDispute;
  /** How many copies of the event are sent at once. */
  readonly times?: number;
  readonly delayMs?: number;
  /** Sign with a wrong secret. */
  readonly forge?: boolean;
}

interface OutgoingCallback {
  readonly url: string;
  readonly charge: StoredCharge;
  readonly kind: CallbackKind;
  readonly message: CallbackMessage;
  readonly secret: string | null;
  readonly forged: boolean;
}

const ANSWER_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;
const MAX_SENDS = 15;
/** New callbacks are dropped beyond this number, so that an unreachable receiver cannot exhaust memory. */
const MAX_PENDING = 10_000;

/** Sends callbacks and retries each until it is answered with 200. Never throws. */
export class Callbacks {
  private readonly sent = new Map<string, SentCallback[]>();
  private readonly stopping = new AbortController();
  private pendingCount = 0;

  constructor(
    private readonly options: CallbackOptions,
    private readonly accounts: Accounts,
    private readonly adapterOf: (gateway: GatewaySlug) => WireAdapter,
  ) {}

  /** Whether callbacks for this charge have a URL. */
  hasReceiver(charge: StoredCharge): boolean {
    return this.urlFor(charge) !== null;
  }

  sentFor(transactionId: string): readonly SentCallback[] {
    return this.sent.get(transactionOf(transactionId)) ?? [];
  }

  /** Reports the charge's current state. Resolves after the first sends; retries continue in the background. */
  async send(charge: StoredCharge, options: SendOptions = {}): Promise<void> {
    const url = this.urlFor(charge);
    if (url === null || this.pendingCount >= MAX_PENDING) return;
    const { times = 1, forge = false, kind = charge.status } = options;
    const secret = forge ? randomUUID() : this.secretFor(charge);
    const messages = this.adapterOf(charge.gateway).callbacksOf(charge, kind, options.dispute);
    this.pendingCount += 1;
    try {
      if (options.delayMs !== undefined) await this.pause(options.delayMs);
      for (const message of messages) {
        const callback = { url, charge, kind, message, secret, forged: forge };
        const delivered = await Promise.all(Array.from({ length: times }, () => this.post(callback)));
        if (delivered.includes(false) && !forge) void this.retry(callback);
      }
    } finally {
      this.pendingCount -= 1;
    }
  }

  stop(): void {
    this.stopping.abort();
  }

  private urlFor({ account }: StoredCharge): string | null {
    const { callbackUrl } = this.accounts.settingsFor(account);
    return callbackUrl === undefined ? this.options.baseUrl : callbackUrl;
  }

  private secretFor({ account, gateway }: StoredCharge): string | null {
    const { webhookSecret } = this.accounts.settingsFor(account);
    return webhookSecret === undefined ? this.options.webhookSecret(gateway) : webhookSecret;
  }

  private async retry(callback: OutgoingCallback): Promise<void> {
    this.pendingCount += 1;
    let pauseMs = FIRST_RETRY_MS;
    for (let sends = 1; sends < MAX_SENDS && !this.stopping.signal.aborted; sends += 1) {
      await this.pause(pauseMs);
      if (await this.post(callback)) break;
      pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS);
    }
    this.pendingCount -= 1;
  }

  /** Whether the receiver answered with 200. */
  private async post({ url, charge, kind, message, secret, forged }: OutgoingCallback): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    const now = new Date();
    let status: number | null = null;
    try {
      const response = await request(addressOf(url, charge, message.target?.(secret) ?? ''), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret !== null && message.sign(secret, now, forged)),
        },
        body: (secret !== null && message.signedBody?.(secret)) || message.body,
        signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      });
      status = response.statusCode;
      await response.body.dump();
    } catch {
      // A failed send is recorded with status null and retried.
    }
    this.recordSent(charge, { sent_at: now.toISOString(), kind, status });
    return status === 200;
  }

  private recordSent(charge: StoredCharge, callback: SentCallback): void {
    const transaction = transactionOf(charge.reference);
    this.sent.set(transaction, [...this.sentFor(transaction), callback]);
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
  }
}

/** The query of the receiver's URL is added to each callback's own. */
function addressOf(receiver: string, { gateway }: StoredCharge, target: string): string {
  const [base = '', query] = receiver.split('?');
  const address = `${base}/webhooks/${gateway}${target}`;
  if (query === undefined) return address;
  return `${address}${target.includes('?') ? '&' : '?'}${query}`;
}
