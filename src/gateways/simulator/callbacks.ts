import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { GatewaySlug } from '../../domain/gateway-slug';
import type { Charge } from './charge-store';
import { transactionOf } from './ledger';

/** Carries `t=<epoch seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>" under the gateway's webhook secret>`. */
const SIGNATURE_HEADER = 'gateway-signature';

export interface CallbackOptions {
  /** Callbacks go to `<baseUrl>/webhooks/<gateway>`; null: none are sent. */
  readonly baseUrl: string | null;
  readonly webhookSecret: (gateway: GatewaySlug) => string;
}

export interface SentCallback {
  readonly sent_at: string;
  /** The charge's state that was told. */
  readonly kind: string;
  /** The HTTP answer, or null when there was none. */
  readonly status: number | null;
}

const ANSWER_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;
const MAX_TRIES = 15;
/** Beyond this many waiting callbacks new ones are dropped: a receiver that is gone must not fill the memory. */
const MAX_WAITING = 10_000;

function signCallback(body: string, secret: string, now: Date): string {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}

/** Tells the engine what changed on its own, each callback again and again until it is answered 200. Never throws. */
export class Callbacks {
  private readonly sent = new Map<string, SentCallback[]>();
  private readonly stopping = new AbortController();
  private waiting = 0;

  constructor(private readonly options: CallbackOptions) {}

  get enabled(): boolean {
    return this.options.baseUrl !== null;
  }

  ofTransaction(transactionId: string): readonly SentCallback[] {
    return this.sent.get(transactionOf(transactionId)) ?? [];
  }

  /** Queues one callback; the promise ends with its first try. */
  async tell(charge: Charge, options: { delayMs?: number; forge?: boolean } = {}): Promise<void> {
    if (!this.enabled || this.waiting >= MAX_WAITING) return;
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      kind: charge.status,
      charge_id: charge.id,
      reference: charge.reference,
      amount: charge.amount,
      paid_amount: charge.paid,
      created_at: new Date().toISOString(),
    });
    this.waiting += 1;
    try {
      if (options.delayMs !== undefined) await this.pause(options.delayMs);
      const accepted = await this.post(charge, body, options.forge ?? false);
      if (!accepted && options.forge !== true) void this.retry(charge, body);
    } finally {
      this.waiting -= 1;
    }
  }

  stop(): void {
    this.stopping.abort();
  }

  private async retry(charge: Charge, body: string): Promise<void> {
    this.waiting += 1;
    let pauseMs = FIRST_RETRY_MS;
    for (let tries = 1; tries < MAX_TRIES && !this.stopping.signal.aborted; tries += 1) {
      await this.pause(pauseMs);
      if (await this.post(charge, body, false)) break;
      pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS);
    }
    this.waiting -= 1;
  }

  private async post(charge: Charge, body: string, forge: boolean): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    const now = new Date();
    const secret = forge ? randomUUID() : this.options.webhookSecret(charge.gateway);
    let status: number | null = null;
    try {
      const response = await request(`${this.options.baseUrl ?? ''}/webhooks/${charge.gateway}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signCallback(body, secret, now) },
        body,
        signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      });
      status = response.statusCode;
      await response.body.dump();
    } catch {
      // No answer is an answer too: it is logged as null and tried again.
    }
    this.remember(charge, { sent_at: now.toISOString(), kind: charge.status, status });
    return status === 200;
  }

  private remember(charge: Charge, callback: SentCallback): void {
    const transaction = transactionOf(charge.reference);
    this.sent.set(transaction, [...this.ofTransaction(transaction), callback]);
  }

  private async pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.stopping.signal, ref: false }).catch(() => undefined);
  }
}
