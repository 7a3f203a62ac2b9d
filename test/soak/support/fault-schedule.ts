import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { processFaults } from '../../faults/support/fault-plan';
import type { FaultStack } from '../../faults/support/fault-stack';
import { injectProcessFault, measureRecovery, type Recovery } from '../../faults/support/recovery';
import type { Merchant, MerchantOrder } from '../../support/merchant/merchant';

const PAUSES_MS = { min: 2_000, max: 12_000 };
/** More than fit into a month. */
const MAX_FAULTS = 500;

interface ScheduledFault {
  readonly pauseMs: number;
  readonly fault: Parameters<typeof injectProcessFault>[1];
}

/** Kills and freezes processes of a stack at times that depend on the seed, each after recovery from the one before. */
export class FaultSchedule {
  readonly recoveries: Recovery[] = [];
  /** The payments that were created to measure recovery. */
  readonly probes: MerchantOrder[] = [];
  private readonly paying: Promise<void>[] = [];
  private readonly abort = new AbortController();
  private readonly running: Promise<void>;

  constructor(
    private readonly stack: FaultStack,
    private readonly merchant: Merchant,
    seed: number,
  ) {
    const schedule = fc.record({ pauseMs: fc.integer(PAUSES_MS), fault: processFaults });
    this.running = this.run(fc.sample(schedule, { seed, numRuns: MAX_FAULTS, unbiased: true }));
    // `stop` rethrows the error.
    this.running.catch(() => undefined);
  }

  /** Injects no more faults, and returns after recovery from the last one. */
  async stop(): Promise<void> {
    this.abort.abort();
    await this.running;
    await Promise.all(this.paying);
  }

  private async run(schedule: readonly ScheduledFault[]): Promise<void> {
    const { signal } = this.abort;
    for (const { pauseMs, fault } of schedule) {
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await injectProcessFault(this.stack, fault);
      this.recoveries.push(await measureRecovery(fault, () => this.createProbe()));
    }
  }

  private createProbe(): MerchantOrder {
    const probe = this.merchant.order();
    this.probes.push(probe);
    this.paying.push(this.merchant.pay(probe));
    return probe;
  }
}
