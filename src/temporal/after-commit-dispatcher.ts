/** Limits the pending calls while Temporal does not answer. */
const MAX_CALLS_IN_FLIGHT = 100;

/**
 * Starts or signals workflows in the background after a commit. If a call fails or too many are in flight, the sweeper
 * finds the row and starts the workflow later.
 */
export class AfterCommitDispatcher<Item> {
  private readonly inFlight = new Set<Promise<void>>();

  constructor(
    private readonly call: (item: Item) => Promise<void>,
    private readonly reportError: (error: unknown) => void,
  ) {}

  dispatch(items: readonly Item[]): void {
    const room = MAX_CALLS_IN_FLIGHT - this.inFlight.size;
    for (const item of items.slice(0, Math.max(room, 0))) {
      const pending = this.call(item)
        .catch(this.reportError)
        .finally(() => this.inFlight.delete(pending));
      this.inFlight.add(pending);
    }
  }

  /** Resolves when all calls in flight have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.inFlight);
  }
}
