/** Calls under way at once; a Temporal that has fallen silent piles up no more. */
const CALLS_AT_ONCE = 100;

/**
 * Calls for workflows whose work is committed, while whoever committed it goes on. What fails, or is too much at once,
 * is left to the sweeper, which finds it by its row.
 */
export class AfterCommitDispatcher<Item> {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly call: (item: Item) => Promise<void>,
    private readonly reportError: (error: unknown) => void,
  ) {}

  start(items: readonly Item[]): void {
    const room = CALLS_AT_ONCE - this.underWay.size;
    for (const item of items.slice(0, Math.max(room, 0))) {
      const starting = this.call(item)
        .catch(this.reportError)
        .finally(() => this.underWay.delete(starting));
      this.underWay.add(starting);
    }
  }

  /** Until all that has begun is over. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay);
  }
}
