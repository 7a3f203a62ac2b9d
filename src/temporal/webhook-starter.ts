import type { DeliveryToRun, DeliveryWorkflows } from './webhook-deliveries';

/** Starts under way at once; a Temporal that has fallen silent piles up no more. */
const STARTS_AT_ONCE = 100;

/**
 * Starts deliveries whose events are committed, while whoever committed them goes on. What fails, or is too much at
 * once, is left to the sweeper, which finds it by its row.
 */
export class DeliveryStarter {
  private readonly underWay = new Set<Promise<void>>();

  constructor(
    private readonly workflows: Pick<DeliveryWorkflows, 'ensureStarted'>,
    private readonly reportError: (error: unknown) => void,
  ) {}

  start(deliveries: readonly DeliveryToRun[]): void {
    const room = STARTS_AT_ONCE - this.underWay.size;
    for (const delivery of deliveries.slice(0, Math.max(room, 0))) {
      const starting = this.workflows
        .ensureStarted(delivery)
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
