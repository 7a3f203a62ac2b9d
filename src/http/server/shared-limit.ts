/** Tells the requests of each key in the last second, and learns those at the other processes. */
export type ExchangeDemand = (own: ReadonlyMap<number, number>) => Promise<ReadonlyMap<number, number>>;

const WINDOW_MS = 1_000;
/** Keys with less than this part of the limit are not reported, so that the cost does not grow with their number. */
const REPORTED_SHARE = 1 / 20;

/**
 * A limit of requests a second that all processes have together. Each process counts its own requests, and once a second it
 * learns those of the others of the last second; it then admits its share of the limit, in proportion to its requests.
 *
 * The bound: in the first two seconds of a burst each process admits up to the limit, because it does not know of the others
 * yet. After that all together admit the limit, and at most a twentieth of it more for each further process, which are the
 * requests too few to be reported. If the exchange fails, each process admits up to the limit.
 */
export class SharedLimit {
  private demand = new Map<number, number>();
  private shares: ReadonlyMap<number, number> = new Map();
  private exchanging = false;

  constructor(
    private readonly limit: number,
    private readonly exchange: ExchangeDemand,
  ) {}

  /** Counts a request and returns how many of this second this process admits. */
  count(key: number): number {
    this.demand.set(key, (this.demand.get(key) ?? 0) + 1);
    this.exchangeLater();
    return this.shares.get(key) ?? this.limit;
  }

  private exchangeLater(): void {
    if (this.exchanging) return;
    this.exchanging = true;
    setTimeout(() => void this.exchangeNow(), WINDOW_MS).unref();
  }

  private async exchangeNow(): Promise<void> {
    const { demand } = this;
    this.demand = new Map();
    this.shares = await this.sharesOf(
      new Map([...demand].filter(([, count]) => count >= this.limit * REPORTED_SHARE)),
    );
    this.exchanging = false;
    // The requests of the meantime.
    if (this.demand.size > 0) this.exchangeLater();
  }

  private async sharesOf(own: ReadonlyMap<number, number>): Promise<ReadonlyMap<number, number>> {
    if (own.size === 0) return new Map();
    try {
      const others = await this.exchange(own);
      return new Map([...others].map(([key, count]) => [key, shareOf(this.limit, own.get(key) ?? 0, count)]));
    } catch {
      return new Map();
    }
  }
}

/** What a process admits of a limit, with its own requests and those of the others. The shares of all add up to the limit at most. */
export function shareOf(limit: number, own: number, others: number): number {
  return Math.max(limit - others, Math.floor((limit * own) / (own + others)), 1);
}
