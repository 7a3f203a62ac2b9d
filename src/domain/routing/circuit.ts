/** A gateway that keeps failing goes to the end of the line for a while. One circuit per company and gateway. */
export interface Circuit {
  /** Technical failures of the last `FAILURE_WINDOW_MS`. */
  readonly recentFailures: readonly Date[];
  readonly openUntil: Date | null;
  readonly reason: string | null;
}

export const CLOSED_CIRCUIT: Circuit = { recentFailures: [], openUntil: null, reason: null };

const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;

export function isOpen(circuit: Circuit, now: Date): boolean {
  return circuit.openUntil !== null && circuit.openUntil > now;
}

/** Technical failures that count towards opening it, by now. */
export function failuresLately(circuit: Circuit, now: Date): number {
  const since = now.getTime() - FAILURE_WINDOW_MS;
  return circuit.recentFailures.filter((at) => at.getTime() > since).length;
}

/**
 * The circuit after one more technical failure: five within 30 s open it.
 * Refused credentials open it at once (`opensAtOnce`), for no later call can succeed until somebody mends them.
 */
export function withFailure(
  circuit: Circuit,
  failure: {
    readonly at: Date;
    readonly reason: string;
    readonly opensAtOnce: boolean;
    readonly openForMs: number;
  },
): Circuit {
  const since = failure.at.getTime() - FAILURE_WINDOW_MS;
  const recentFailures = [...circuit.recentFailures.filter((at) => at.getTime() > since), failure.at];
  const opens = failure.opensAtOnce || recentFailures.length >= FAILURES_TO_OPEN;
  return {
    recentFailures: recentFailures.slice(-FAILURES_TO_OPEN),
    openUntil: opens ? new Date(failure.at.getTime() + failure.openForMs) : circuit.openUntil,
    reason: opens ? failure.reason : circuit.reason,
  };
}
