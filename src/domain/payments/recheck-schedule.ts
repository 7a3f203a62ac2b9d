const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long after an attempt was abandoned its gateway is asked again. */
const RECHECKS_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS];

/**
 * When the gateway is asked again about an attempt that it did not know: a request that was delayed on the way, or an
 * operator's mistake, would otherwise be noticed only if the gateway sends a callback. Null after the last time.
 *
 * @param lastAskedAt when the payment's gateways were last asked; null if they were not
 */
export function nextRecheckAt(abandonedAt: Date, lastAskedAt: Date | null): Date | null {
  const asked = lastAskedAt?.getTime() ?? -Infinity;
  const next = RECHECKS_MS.find((ms) => abandonedAt.getTime() + ms > asked);
  return next === undefined ? null : new Date(abandonedAt.getTime() + next);
}
