import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { Accounts } from './accounts';
import { SIGNATURE_HEADER, signCallback } from '../gateways/simulator/callback-signature';
import type { Charge } from './charge-store';
import { type CallbackBody, transactionOf } from '../gateways/simulator/wire';

export interface CallbackOptions {
  /** Callbacks go to `<baseUrl>/webhooks/<gateway>` unless the account has an address of its own; null: none are sent. */
  readonly baseUrl: string | null;
  /** Null: callbacks are not signed. */
  readonly webhookSecret: (gateway: GatewaySlug) => string | null;
}

export interface SentCallback {
  readonly sent_at: string;
  /** The charge's state that was told, or `chargeback`. */
  readonly kind: string;
  /** The HTTP answer, or null when there was none. */
  readonly status: number | null;
}

interface TellOptions {
  readonly kind?: 'chargeback' | undefined;
  /** How often the same event is sent at once. */
  readonly times?: number;
  readonly delayMs?: number;
  readonly forge?: boolean;
}

/** One event on its way: its bytes stay the same however often it is sent. */
interface Notice {
  readonly url: string;
  readonly charge: Charge;
  readonly kind: CallbackBody['kind'];
  readonly body: Buffer;
  readonly secret: string | null;
}

const ANSWER_TIMEOUT_MS = 5_000;
const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 60_000;
const MAX_TRIES = 15;
/** Beyond this many waiting callbacks new ones are dropped: a receiver that is gone must not fill the memory. */
const MAX_WAITING = 10_000;

/** Tells the engine what changed on its own, each callback again and again until it is answered 200. Never throws. */
export class Callbacks {
  private readonly sent = new Map<string, SentCallback[]>();
  private readonly stopping = new AbortController();
  private waiting = 0;

  constructor(
    private readonly options: CallbackOptions,
    private readonly accounts: Accounts,
  ) {}

  /** Whether anybody is told of this charge. */
  reach(charge: Charge): boolean {
    return this.addressFor(charge) !== null;
  }

  ofTransaction(transactionId: string): readonly SentCallback[] {
    return this.sent.get(transactionOf(transactionId)) ?? [];
  }

  /** Sends one event of the charge as it stands; the promise ends with its first tries. */
  async tell(charge: Charge, options: TellOptions = {}): Promise<void> {
    const url = this.addressFor(charge);
    if (url === null || this.waiting >= MAX_WAITING) return;
    const { times = 1, forge = false, kind = charge.status } = options;
    const secret = forge ? randomUUID() : this.secretFor(charge);
    const notice = { url, charge, kind, body: bodyOf(charge, kind), secret };
    this.waiting += 1;
    try {
      if (options.delayMs !== undefined) await this.pause(options.delayMs);
      const answers = await Promise.all(Array.from({ length: times }, () => this.post(notice)));
      if (answers.includes(false) && !forge) void this.retry(notice);
    } finally {
      this.waiting -= 1;
    }
  }

  stop(): void {
    this.stopping.abort();
  }

  private addressFor({ account }: Charge): string | null {
    const { callbackUrl } = this.accounts.of(account);
    return callbackUrl === undefined ? this.options.baseUrl : callbackUrl;
  }

  private secretFor({ account, gateway }: Charge): string | null {
    const { webhookSecret } = this.accounts.of(account);
    return webhookSecret === undefined ? this.options.webhookSecret(gateway) : webhookSecret;
  }

  private async retry(notice: Notice): Promise<void> {
    this.waiting += 1;
    let pauseMs = FIRST_RETRY_MS;
    for (let tries = 1; tries < MAX_TRIES && !this.stopping.signal.aborted; tries += 1) {
      await this.pause(pauseMs);
      if (await this.post(notice)) break;
      pauseMs = Math.min(pauseMs * 2, LONGEST_RETRY_MS);
    }
    this.waiting -= 1;
  }

  private async post({ url, charge, kind, body, secret }: Notice): Promise<boolean> {
    if (this.stopping.signal.aborted) return false;
    const now = new Date();
    let status: number | null = null;
    try {
      const response = await request(`${url}/webhooks/${charge.gateway}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret !== null && { [SIGNATURE_HEADER]: signCallback(body, secret, now) }),
        },
        body,
        signal: AbortSignal.any([this.stopping.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
      });
      status = response.statusCode;
      await response.body.dump();
    } catch {
      // No answer is an answer too: it is logged as null and tried again.
    }
    this.remember(charge, { sent_at: now.toISOString(), kind, status });
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

function bodyOf(charge: Charge, kind: CallbackBody['kind']): Buffer {
  const body: CallbackBody = {
    id: `evt_${randomUUID()}`,
    kind,
    charge_id: charge.id,
    reference: charge.reference,
    amount: charge.amount,
    paid_amount: charge.paid,
    captured_amount: charge.captured,
    refunded_amount: charge.refunded,
    created_at: new Date().toISOString(),
  };
  return Buffer.from(JSON.stringify(body));
}
