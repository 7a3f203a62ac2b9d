import { LRUCache } from 'lru-cache';

/** `activity`: an attempt by a regular activity. `local`: an attempt by a local activity inside a workflow task. */
const LANES = ['activity', 'local'] as const;
type Lane = (typeof LANES)[number];

/** Limits of concurrent deliveries in one process. */
export interface DeliveryLimits {
  /** In both lanes together. */
  readonly perEndpoint: number;
  readonly perCompany: Readonly<Record<Lane, number>>;
  /** The longest wait for a permit, in ms. An endpoint whose attempts take longer than this is slow. */
  readonly waitMs: number;
}

/** The result of `acquire`. */
export type Permit =
  /** `release` must be called once, with the duration of the attempt if there was one. */
  | { readonly kind: 'granted'; readonly release: (attemptMs: number | null) => void }
  /** Retry after about `backoffMs`. */
  | { readonly kind: 'denied'; readonly backoffMs: number };

const MAX_AVERAGES = 20_000;
const AVERAGE_TTL_MS = 600_000;
/** The weight of the last attempt in the moving average of durations. */
const LAST_ATTEMPT_WEIGHT = 0.25;
/** Silence shorter than this may be a delay of this process and says nothing about the receiver. */
const SILENCE_MS = 250;
const SHORTEST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 60_000;

/**
 * Limits concurrent deliveries per endpoint and per company, so that slow receivers cannot occupy all slots of the worker.
 * Deliveries to a fast receiver wait here for a slot. Deliveries to a slow receiver are denied and get a backoff based on
 * the receiver's average duration.
 */
export class DeliveryLimiter {
  private readonly buckets = new Map<string, LimiterBucket>();
  private readonly averages = new LRUCache<string, number>({ max: MAX_AVERAGES, ttl: AVERAGE_TTL_MS });

  constructor(private readonly limits: DeliveryLimits) {}

  async acquire(companyId: number, endpointId: number, lane: Lane): Promise<Permit> {
    const company = this.bucket(companyKey(companyId, lane), this.limits.perCompany[lane]);
    const endpoint = this.bucket(endpointKey(endpointId), this.limits.perEndpoint);
    if (company.hasRoom && endpoint.hasRoom) acquireBoth(company, endpoint);
    else if (!this.mayWait(company, endpoint) || !(await this.waitForSlot(company, endpoint))) {
      const backoffMs = (endpoint.hasRoom ? company : endpoint).nextBackoffMs(this.limits.waitMs);
      this.deleteIdle(company, endpoint);
      return { kind: 'denied', backoffMs };
    }
    return {
      kind: 'granted',
      release: (attemptMs) => {
        this.release(company, endpoint, attemptMs);
        for (const each of LANES) this.admitNext(this.buckets.get(companyKey(companyId, each)));
        this.deleteIdle(company, endpoint);
      },
    };
  }

  /** Whether an attempt is expected to take longer than `waitMs`. */
  isSlow(endpointId: number): boolean {
    const key = endpointKey(endpointId);
    return (this.buckets.get(key)?.expectedMs ?? this.averages.get(key) ?? 0) > this.limits.waitMs;
  }

  private bucket(key: string, slots: number): LimiterBucket {
    const bucket = this.buckets.get(key) ?? new LimiterBucket(key, slots, this.averages.get(key) ?? null);
    this.buckets.set(key, bucket);
    return bucket;
  }

  /**
   * Whether a slot is expected within `waitMs`. Without a known duration, as many may wait as the company has slots left.
   */
  private mayWait(company: LimiterBucket, endpoint: LimiterBucket): boolean {
    return [company, endpoint]
      .filter(({ hasRoom }) => !hasRoom)
      .every(({ expectedMs, waiting, slots }) =>
        expectedMs === null
          ? company.inUse + company.waiting < company.slots
          : (expectedMs * (waiting + 1)) / slots <= this.limits.waitMs,
      );
  }

  /** Waits in the company's queue. False if no slot became free within `waitMs`. */
  private waitForSlot(company: LimiterBucket, endpoint: LimiterBucket): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (admitted: boolean): void => {
        clearTimeout(timeout);
        company.queue.splice(company.queue.indexOf(entry), 1);
        company.waiting -= 1;
        endpoint.waiting -= 1;
        resolve(admitted);
      };
      const entry = { endpoint, admit: () => end(true) };
      const timeout = setTimeout(() => end(false), this.limits.waitMs);
      company.queue.push(entry);
      company.waiting += 1;
      endpoint.waiting += 1;
    });
  }

  private release(company: LimiterBucket, endpoint: LimiterBucket, attemptMs: number | null): void {
    for (const bucket of [company, endpoint]) {
      bucket.release(attemptMs);
      if (attemptMs !== null) this.averages.set(bucket.key, bucket.averageMs ?? attemptMs);
    }
  }

  /** Gives a free slot to the first waiting delivery whose endpoint has room. */
  private admitNext(company: LimiterBucket | undefined): void {
    if (company?.hasRoom !== true) return;
    const next = company.queue.find(({ endpoint }) => endpoint.hasRoom);
    if (next === undefined) return;
    acquireBoth(company, next.endpoint);
    next.admit();
  }

  private deleteIdle(...buckets: readonly LimiterBucket[]): void {
    for (const bucket of buckets) {
      const { key, inUse, waiting } = bucket;
      if (inUse + waiting === 0 && this.buckets.get(key) === bucket) this.buckets.delete(key);
    }
  }
}

/** The slots of an endpoint, or of a company in one lane. Times are from `performance.now()`. */
class LimiterBucket {
  inUse = 0;
  waiting = 0;
  /** First in, first out. Only company buckets have entries. */
  readonly queue: Array<{ readonly endpoint: LimiterBucket; readonly admit: () => void }> = [];
  private lastReleaseAt = performance.now();
  /** When the last denied delivery is expected to retry. */
  private lastBackoffEndsAt = 0;

  constructor(
    readonly key: string,
    readonly slots: number,
    /** Moving average of attempt durations, in ms; null if unknown. */
    public averageMs: number | null,
  ) {}

  get hasRoom(): boolean {
    return this.inUse < this.slots;
  }

  /** The expected duration of an attempt: the average, or the time since the last release if that is longer. Null if unknown. */
  get expectedMs(): number | null {
    const silentMs = this.inUse === 0 ? 0 : performance.now() - this.lastReleaseAt;
    return silentMs < SILENCE_MS ? this.averageMs : Math.max(this.averageMs ?? 0, silentMs);
  }

  acquire(): void {
    if (this.inUse === 0) this.lastReleaseAt = performance.now();
    this.inUse += 1;
  }

  release(attemptMs: number | null): void {
    this.inUse -= 1;
    this.lastReleaseAt = performance.now();
    if (attemptMs === null) return;
    this.averageMs ??= attemptMs;
    this.averageMs += LAST_ATTEMPT_WEIGHT * (attemptMs - this.averageMs);
  }

  /** Spaces the retries of denied deliveries at the rate at which slots become free. */
  nextBackoffMs(defaultDurationMs: number): number {
    const now = performance.now();
    const intervalMs = (this.expectedMs ?? defaultDurationMs) / this.slots;
    this.lastBackoffEndsAt = Math.min(
      Math.max(this.lastBackoffEndsAt, now) + intervalMs,
      now + LONGEST_BACKOFF_MS,
    );
    return Math.max(Math.round(this.lastBackoffEndsAt - now), SHORTEST_BACKOFF_MS);
  }
}

function acquireBoth(company: LimiterBucket, endpoint: LimiterBucket): void {
  company.acquire();
  endpoint.acquire();
}

function companyKey(id: number, lane: Lane): string {
  return `company/${id}/${lane}`;
}

function endpointKey(id: number): string {
  return `endpoint/${id}`;
}
