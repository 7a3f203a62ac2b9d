/** How many charges of subscriptions a process makes at the same time inside workflow tasks. */
export interface ChargeSlotLimits {
  readonly atOnce: number;
  /** The same of one company while its gateway answers slowly. */
  readonly slowAtOnce: number;
  /** A charge in progress for longer than this shows a slow gateway. */
  readonly slowMs: number;
  /** The longest wait for a slot, in ms. */
  readonly waitMs: number;
}

/** Ends the use of a slot. Call it once. */
export type ReleaseSlot = () => void;

/**
 * A charge inside a workflow task occupies one of the process's slots for workflow tasks until the gateway answers. This
 * leaves some of them to other workflows, whatever the gateways do: a charge without a slot is made by its payment's
 * workflow, as an activity.
 */
export class ChargeSlots {
  /** When the charges in progress began, by company. */
  private readonly begun = new Map<number, Set<{ readonly at: number }>>();
  /** First in, first out. */
  private readonly waiting: Array<() => void> = [];
  private inUse = 0;

  constructor(private readonly limits: ChargeSlotLimits) {}

  /** Null if there is none in time, or the company's gateway is slow. */
  async acquire(companyId: number): Promise<ReleaseSlot | null> {
    if (this.isSlow(companyId)) return null;
    if (this.inUse < this.limits.atOnce) return this.take(companyId);
    return this.waitFor(companyId);
  }

  private isSlow(companyId: number): boolean {
    const begun = this.begun.get(companyId);
    if (begun === undefined || begun.size < this.limits.slowAtOnce) return false;
    const [oldest] = begun;
    return oldest !== undefined && performance.now() - oldest.at > this.limits.slowMs;
  }

  private take(companyId: number): ReleaseSlot {
    const slot = { at: performance.now() };
    const ofCompany = this.begun.get(companyId) ?? new Set();
    this.begun.set(companyId, ofCompany.add(slot));
    this.inUse += 1;
    return () => {
      ofCompany.delete(slot);
      if (ofCompany.size === 0) this.begun.delete(companyId);
      this.inUse -= 1;
      while (this.inUse < this.limits.atOnce && this.waiting[0] !== undefined) this.waiting.shift()?.();
    };
  }

  private waitFor(companyId: number): Promise<ReleaseSlot | null> {
    const { waitMs } = this.limits;
    // As many may wait as have a slot: the others would wait in vain.
    if (waitMs === 0 || this.waiting.length >= this.limits.atOnce) return Promise.resolve(null);
    return new Promise((resolve) => {
      const admit = (): void => {
        clearTimeout(timeout);
        resolve(this.isSlow(companyId) ? null : this.take(companyId));
      };
      const timeout = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(admit), 1);
        resolve(null);
      }, waitMs);
      this.waiting.push(admit);
    });
  }
}

/** For a process that makes no charges inside the steps of subscriptions. */
export const noChargeSlots: Pick<ChargeSlots, 'acquire'> = { acquire: () => Promise.resolve(null) };
