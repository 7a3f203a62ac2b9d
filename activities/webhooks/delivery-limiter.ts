import { LRUCache } from 'lru-cache';

/** As an activity of its own, or at once within a workflow's task: of those there are fewer. */
const LANES = ['activity', 'at_once'] as const;
type Lane = (typeof LANES)[number];

/** How many deliveries one process makes at once. */
export interface SlotLimits {
  /** In both lanes together. */
  readonly perEndpoint: number;
  readonly perCompany: Readonly<Record<Lane, number>>;
  /** How long one waits its turn here, in ms. An endpoint whose attempts take longer than this is slow. */
  readonly waitMs: number;
}

/** `leave` is called once, when all is done; how long an attempt took is told where one was made. */
export type Permit =
  | { readonly kind: 'taken'; readonly leave: (attemptMs: number | null) => void }
  /** Come again in about so many ms. */
  | { readonly kind: 'turned_away'; readonly pauseMs: number };

/** Holders whose pace is remembered, and for how long. */
const KNOWN_PACES = 20_000;
const PACE_KNOWN_FOR_MS = 600_000;
/** What the last attempt counts in a pace. */
const WEIGHT_OF_LAST = 0.25;
/** A shorter silence may be this process's own. */
const SILENCE_MS = 250;
const SHORTEST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Keeps receivers that sleep from holding the slots of the worker, and the turned away from asking again and again: each
 * is told when, at the receivers' own pace, its turn will come. A burst to a quick receiver waits in line here.
 */
export class DeliveryLimiter {
  private readonly holders = new Map<string, LimiterBucket>();
  private readonly paces = new LRUCache<string, number>({ max: KNOWN_PACES, ttl: PACE_KNOWN_FOR_MS });

  constructor(private readonly limits: SlotLimits) {}

  async take(companyId: number, endpointId: number, lane: Lane): Promise<Permit> {
    const company = this.holder(companyKey(companyId, lane), this.limits.perCompany[lane]);
    const endpoint = this.holder(endpointKey(endpointId), this.limits.perEndpoint);
    if (company.hasRoom && endpoint.hasRoom) enter(company, endpoint);
    else if (!this.mayWait(company, endpoint) || !(await this.turn(company, endpoint))) {
      const pauseMs = (endpoint.hasRoom ? company : endpoint).backoff(this.limits.waitMs);
      this.forgetIdle(company, endpoint);
      return { kind: 'turned_away', pauseMs };
    }
    return {
      kind: 'taken',
      leave: (attemptMs) => {
        this.leave(company, endpoint, attemptMs);
        for (const each of LANES) this.callNext(this.holders.get(companyKey(companyId, each)));
        this.forgetIdle(company, endpoint);
      },
    };
  }

  /** Whether an attempt there is likely to take long. */
  isSlow(endpointId: number): boolean {
    const key = endpointKey(endpointId);
    return (this.holders.get(key)?.paceMs ?? this.paces.get(key) ?? 0) > this.limits.waitMs;
  }

  private holder(key: string, slots: number): LimiterBucket {
    const holder = this.holders.get(key) ?? new LimiterBucket(key, slots, this.paces.get(key) ?? null);
    this.holders.set(key, holder);
    return holder;
  }

  /** A line that moves is waited in, however long it is; one of whose pace nothing is known, up to the company's share. */
  private mayWait(company: LimiterBucket, endpoint: LimiterBucket): boolean {
    return [company, endpoint]
      .filter(({ hasRoom }) => !hasRoom)
      .every(({ paceMs, waiting, slots }) =>
        paceMs === null
          ? company.underWay + company.waiting < company.slots
          : (paceMs * (waiting + 1)) / slots <= this.limits.waitMs,
      );
  }

  /** Waits in the company's line. False when it took too long. */
  private turn(company: LimiterBucket, endpoint: LimiterBucket): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (taken: boolean): void => {
        clearTimeout(late);
        company.line.splice(company.line.indexOf(place), 1);
        company.waiting -= 1;
        endpoint.waiting -= 1;
        resolve(taken);
      };
      const place = { endpoint, go: () => end(true) };
      const late = setTimeout(() => end(false), this.limits.waitMs);
      company.line.push(place);
      company.waiting += 1;
      endpoint.waiting += 1;
    });
  }

  private leave(company: LimiterBucket, endpoint: LimiterBucket, attemptMs: number | null): void {
    for (const holder of [company, endpoint]) {
      holder.leave(attemptMs);
      if (attemptMs !== null) this.paces.set(holder.key, holder.usualMs ?? attemptMs);
    }
  }

  /** A free slot goes to the first in line whose endpoint has room. */
  private callNext(company: LimiterBucket | undefined): void {
    if (company?.hasRoom !== true) return;
    const next = company.line.find((place) => place.endpoint.hasRoom);
    if (next === undefined) return;
    enter(company, next.endpoint);
    next.go();
  }

  private forgetIdle(...holders: readonly LimiterBucket[]): void {
    for (const holder of holders) {
      const { key, underWay, waiting } = holder;
      if (underWay + waiting === 0 && this.holders.get(key) === holder) this.holders.delete(key);
    }
  }
}

/** An endpoint, or a company in one lane, and the slots it has. Instants are by `performance.now()`. */
class LimiterBucket {
  underWay = 0;
  waiting = 0;
  /** A company's, over all its endpoints: first come, first served. */
  readonly line: Array<{ readonly endpoint: LimiterBucket; readonly go: () => void }> = [];
  /** When something last came back. */
  private lastTransitionAt = performance.now();
  /** When the last of the turned away will be back. */
  private lastBackAt = 0;

  constructor(
    readonly key: string,
    readonly slots: number,
    /** How long its attempts take, in ms: the longer ago, the less one counts. */
    public usualMs: number | null,
  ) {}

  get hasRoom(): boolean {
    return this.underWay < this.slots;
  }

  /** As usual; or, where nothing has come back for longer than that, for how long nothing has. Null when nothing is known. */
  get paceMs(): number | null {
    const silentMs = this.underWay === 0 ? 0 : performance.now() - this.lastTransitionAt;
    return silentMs < SILENCE_MS ? this.usualMs : Math.max(this.usualMs ?? 0, silentMs);
  }

  enter(): void {
    if (this.underWay === 0) this.lastTransitionAt = performance.now();
    this.underWay += 1;
  }

  leave(attemptMs: number | null): void {
    this.underWay -= 1;
    this.lastTransitionAt = performance.now();
    if (attemptMs === null) return;
    this.usualMs ??= attemptMs;
    this.usualMs += WEIGHT_OF_LAST * (attemptMs - this.usualMs);
  }

  /** The turned away come back one after the other, as fast as slots get free. */
  backoff(unknownPaceMs: number): number {
    const now = performance.now();
    const apartMs = (this.paceMs ?? unknownPaceMs) / this.slots;
    this.lastBackAt = Math.min(Math.max(this.lastBackAt, now) + apartMs, now + LONGEST_PAUSE_MS);
    return Math.max(Math.round(this.lastBackAt - now), SHORTEST_PAUSE_MS);
  }
}

function enter(company: LimiterBucket, endpoint: LimiterBucket): void {
  company.enter();
  endpoint.enter();
}

function companyKey(id: number, lane: Lane): string {
  return `company/${id}/${lane}`;
}

function endpointKey(id: number): string {
  return `endpoint/${id}`;
}
