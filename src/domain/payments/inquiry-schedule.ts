const FIRST_PAUSE_MS = 500;
const GROWTH = 1.6;
const LONGEST_PAUSE_MS = 60_000;

/**
 * How long to wait before a gateway is asked again about a call that gave no outcome: soon at first, then ever more
 * slowly, but never past the moment from which absence can be proven.
 *
 * @param asked how often it was asked already, at least once
 * @param provableInMs how long until "not found" proves absence; 0 or less once it does
 */
export function inquiryPauseMs(asked: number, provableInMs: number): number {
  const pauseMs = Math.min(Math.round(FIRST_PAUSE_MS * GROWTH ** (asked - 1)), LONGEST_PAUSE_MS);
  return provableInMs > 0 ? Math.min(pauseMs, provableInMs) : pauseMs;
}

/** "Not found" proves absence only when it was heard this often, and this long after the request could last have left. */
const ABSENCE_POLLS = 3;

/**
 * Whether a gateway that says "not found" proves that it never will know the charge.
 * The settle time is longer than the send window and the gateway's timeout together, so nothing can still be under way.
 */
export function absenceProven(options: {
  readonly notFoundCount: number;
  readonly sinceSentMs: number;
  readonly absenceProvenAfterMs: number;
}): boolean {
  return options.notFoundCount >= ABSENCE_POLLS && options.sinceSentMs >= options.absenceProvenAfterMs;
}
