/** The circuit breaker of one company and gateway. While it is open, the gateway is tried last. */
export interface Circuit {
  /** Technical failures of the last `FAILURE_WINDOW_MS`. */
  readonly recentFailures: readonly Date[];
  readonly openUntil: Date | null;
  readonly reason: string | null;
}

export const CLOSED_CIRCUIT: Circuit = { recentFailures: [], openUntil: null, reason: null };

/** The reason of a circuit that is open because no call can succeed before the company changes its credentials. */
export const CREDENTIALS_REJECTED = 'the gateway rejected the credentials';

const FAILURES_TO_OPEN = 5;
const FAILURE_WINDOW_MS = 30_000;

export function isOpen(circuit: Circuit, now: Date): boolean {
  return circuit.openUntil !== null && circuit.openUntil > now;
}

/** Whether the circuit is open because the gateway fails, and not because it rejects the credentials. */
export function isOutage(circuit: Circuit, now: Date): boolean {
  return isOpen(circuit, now) && circuit.reason !== CREDENTIALS_REJECTED;
}

/** The number of technical failures that count towards opening the circuit. */
export function recentFailureCount(circuit: Circuit, now: Date): number {
  const since = now.getTime() - FAILURE_WINDOW_MS;
  return circuit.recentFailures.filter((at) => at.getTime() > since).length;
}

/**
 * The circuit after one more technical failure. Five failures within 30 s open it. Rejected credentials open it at once
 * (`opensAtOnce`), because no call can succeed until they are fixed.
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
