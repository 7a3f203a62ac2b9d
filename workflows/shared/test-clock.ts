import type { TestClockState } from '../messages';

/**
 * The clock of a payment or subscription. It equals the wall clock until a test clock request advances it. Then it jumps
 * from one due instant to the next, so that each is processed in order, and stops at its target.
 */
export class TestClock {
  private offset = 0;
  private targetAt: number | null = null;
  private arrivedAt = -Infinity;

  /** Epoch ms. `Date.now` is deterministic inside a workflow. */
  now(): number {
    return Date.now() + this.offset;
  }

  /** How far the clock is ahead of the wall clock. */
  get offsetMs(): number {
    return this.offset;
  }

  /** The target, until `recordArrival` has confirmed it. */
  get target(): number | null {
    return this.targetAt !== null && this.arrivedAt < this.targetAt ? this.targetAt : null;
  }

  /** Whether the clock was ever advanced. */
  get wasAdvanced(): boolean {
    return this.targetAt !== null;
  }

  get isAdvancing(): boolean {
    return this.target !== null && this.now() < this.target;
  }

  /** Whether the clock is at its target and the arrival is not recorded yet. */
  get hasArrived(): boolean {
    return this.target !== null && this.now() >= this.target;
  }

  /** Applies the state from Postgres. The offset never decreases. */
  update({ offsetMs, target }: TestClockState): void {
    this.offset = Math.max(this.offset, offsetMs);
    this.targetAt = target;
  }

  /** Jumps to `instant`, but never past the target. Returns false if the clock is not advancing. */
  advance(instant: number): boolean {
    if (this.target === null || !this.isAdvancing) return false;
    this.offset += Math.max(Math.min(instant, this.target) - this.now(), 0);
    return true;
  }

  /** Records that everything due until `at` is processed. */
  recordArrival(at: number): void {
    this.arrivedAt = at;
  }
}
