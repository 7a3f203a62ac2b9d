import { LRUCache } from 'lru-cache';
import { pauseBetweenInquiriesMs, type AccountQuota } from '../domain/routing/account-quota';

/** The part of an answer that may state a quota. Names of headers are in lower case. */
interface StatingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface StatedQuota extends AccountQuota {
  /** Epoch ms of the last inquiry since the quota is known. */
  readonly inquiredAt: number;
}

/** The least recently used ones are forgotten first. */
const MAX_ACCOUNTS = 10_000;
/** A gateway that names a later reset is believed only so far. */
const LONGEST_PERIOD_MS = 24 * 60 * 60 * 1000;
const TOO_MANY_REQUESTS = 429;

/**
 * What gateways said last about the quotas of their accounts, in this process. Every answer has the count of the whole account,
 * so processes that share an account agree without sharing anything else.
 */
export class AccountQuotas {
  private readonly quotas = new LRUCache<string, StatedQuota>({ max: MAX_ACCOUNTS });

  constructor(private readonly now: () => number = Date.now) {}

  /** Keeps what an answer says about the quota, if it says something. */
  record(account: string, answer: StatingAnswer): void {
    const quota = readQuota(answer, this.now());
    if (quota === null) return;
    this.quotas.set(account, { ...quota, inquiredAt: this.quotas.get(account)?.inquiredAt ?? -Infinity });
  }

  /** Whether the quota leaves room for an inquiry now; if so, the inquiry counts as made. */
  takeInquiry(account: string): boolean {
    const quota = this.quotas.get(account);
    if (quota === undefined) return true;
    const now = this.now();
    const pauseMs = pauseBetweenInquiriesMs(quota, now);
    if (pauseMs === Infinity || now < quota.inquiredAt + pauseMs) return false;
    this.quotas.set(account, { ...quota, inquiredAt: now });
    return true;
  }
}

/**
 * `RateLimit-Limit`, `-Remaining` and `-Reset` (seconds): draft-ietf-httpapi-ratelimit-headers-03. Without them, the
 * `Retry-After` of a 429 (RFC 9110 section 10.2.3) in seconds.
 */
function readQuota({ status, headers }: StatingAnswer, now: number): AccountQuota | null {
  const limit = countOf(headers['ratelimit-limit']);
  const remaining = countOf(headers['ratelimit-remaining']);
  const reset = countOf(headers['ratelimit-reset']);
  if (limit !== null && remaining !== null && reset !== null) {
    return { limit, remaining, resetsAt: instantIn(reset, now) };
  }
  const retryAfter = countOf(headers['retry-after']);
  if (status !== TOO_MANY_REQUESTS || retryAfter === null) return null;
  return { limit: 1, remaining: 0, resetsAt: instantIn(retryAfter, now) };
}

/** A number without sign; the first one, if quota policies follow it (`100, 100;w=60`). Null for anything else. */
function countOf(value: string | undefined): number | null {
  const digits = /^(\d{1,9})(?:\.\d+)?\s*(?:[,;].*)?$/.exec(value ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
}

function instantIn(seconds: number, now: number): number {
  return now + Math.min(seconds * 1000, LONGEST_PERIOD_MS);
}
