import type { TestClockState } from '../messages';

/**
 * The own time of a payment or subscription. It runs as everybody's does, until the sandbox moves it: then it leaps from
 * one due instant to the next, so that each is lived through in order, and stops at its target.
 */
export class TestClock {
  private ahead = 0;
  private goal: number | null = null;
  private lastArrival = -Infinity;

  /** Epoch ms. `Date.now` is the workflow's own clock, the same at every replay. */
  now(): number {
    return Date.now() + this.ahead;
  }

  get offsetMs(): number {
    return this.ahead;
  }

  /** Where the clock is to go, as long as it has not been told of having arrived there. */
  get target(): number | null {
    return this.goal !== null && this.lastArrival < this.goal ? this.goal : null;
  }

  /** Somebody has moved it, now or earlier. */
  get wasMoved(): boolean {
    return this.goal !== null;
  }

  get isMoving(): boolean {
    return this.target !== null && this.now() < this.target;
  }

  /** At its target, and nobody has taken note of it yet. */
  get hasArrived(): boolean {
    return this.target !== null && this.now() >= this.target;
  }

  /** What Postgres knows: where the clock was moved to, and how far ahead it is already. */
  read({ offsetMs, target }: TestClockState): void {
    this.ahead = Math.max(this.ahead, offsetMs);
    this.goal = target;
  }

  /** Leaps to `instant`, but never past the target. False when the clock is not being moved. */
  advance(instant: number): boolean {
    if (this.target === null || !this.isMoving) return false;
    this.ahead += Math.max(Math.min(instant, this.target) - this.now(), 0);
    return true;
  }

  /** Takes note that everything due until `at` was done. */
  arrived(at: number): void {
    this.lastArrival = at;
  }
}
