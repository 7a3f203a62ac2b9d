import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type { FaultStack } from '../../faults/support/fault-stack';
import type { Merchant, Order } from '../../faults/support/merchant';
import { strikes } from '../../faults/support/fault-plan';
import { recover, strike, type Recovery } from '../../faults/support/recovery';

const PAUSES_MS = { min: 2_000, max: 12_000 };
/** More than a month has room for. */
const STRIKES = 500;

/** Kills and freezes parts of a stack at moments of a seed, each after the one before is overcome. */
export class Disturbance {
  readonly recoveries: Recovery[] = [];
  /** Payments begun to see when they flow again. */
  readonly probes: Order[] = [];
  private readonly paying: Promise<void>[] = [];
  private readonly ending = new AbortController();
  private readonly working: Promise<void>;

  constructor(
    private readonly stack: FaultStack,
    private readonly merchant: Merchant,
    seed: number,
  ) {
    const blows = fc.record({ pauseMs: fc.integer(PAUSES_MS), fault: strikes });
    this.working = this.work(fc.sample(blows, { seed, numRuns: STRIKES, unbiased: true }));
    // Whoever ends the disturbance learns of it.
    this.working.catch(() => undefined);
  }

  /** Strikes no more, and returns when the last blow is overcome. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.working;
    await Promise.all(this.paying);
  }

  private async work(
    blows: ReadonlyArray<{ readonly pauseMs: number; readonly fault: Parameters<typeof strike>[1] }>,
  ): Promise<void> {
    const { signal } = this.ending;
    for (const { pauseMs, fault } of blows) {
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      await strike(this.stack, fault);
      this.recoveries.push(await recover(fault, () => this.probe()));
    }
  }

  private probe(): Order {
    const probe = this.merchant.order();
    this.probes.push(probe);
    this.paying.push(this.merchant.pay(probe));
    return probe;
  }
}
