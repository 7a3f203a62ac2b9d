/** A payment, by a monotonic clock in ms. */
export interface ProbePayment {
  readonly requestedAt: number;
  /** When it was approved. */
  readonly approvedAt: number;
}

/** An undisturbed payment takes less. */
const DELAYED_MS = 1_000;

/** From the kill until the last payment that it delayed by more than a second is approved, in ms; 0 if it delayed none. */
export function recoveryMs(killedAt: number, payments: readonly ProbePayment[]): number {
  const delayed = payments.filter(
    ({ requestedAt, approvedAt }) => approvedAt > killedAt && approvedAt - requestedAt > DELAYED_MS,
  );
  return Math.max(0, ...delayed.map(({ approvedAt }) => approvedAt - killedAt));
}
