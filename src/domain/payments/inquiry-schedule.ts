// This file runs inside the workflow: it must stay deterministic, and changes must keep histories replayable.

const FIRST_PAUSE_MS = 500;
const GROWTH = 1.6;
const LONGEST_PAUSE_MS = 60_000;

/**
 * The delay in ms before the next inquiry about an attempt of unknown outcome: exponential backoff that never passes the
 * instant from which "not found" proves absence.
 *
 * @param inquiryCount inquiries so far, at least 1
 * @param absenceProvenInMs how long until "not found" proves absence; 0 or less once it does
 */
export function inquiryPauseMs(inquiryCount: number, absenceProvenInMs: number): number {
  const pauseMs = Math.min(Math.round(FIRST_PAUSE_MS * GROWTH ** (inquiryCount - 1)), LONGEST_PAUSE_MS);
  return absenceProvenInMs > 0 ? Math.min(pauseMs, absenceProvenInMs) : pauseMs;
}

/** Consecutive "not found" answers that absence requires. */
const NOT_FOUND_ANSWERS = 3;

/**
 * Whether "not found" answers prove that the gateway never received the request.
 * `absenceProvenAfterMs` is longer than the send window plus the gateway timeout, so no request can still be in flight.
 */
export function isAbsenceProven(options: {
  readonly notFoundCount: number;
  readonly sinceSentMs: number;
  readonly absenceProvenAfterMs: number;
}): boolean {
  return options.notFoundCount >= NOT_FOUND_ANSWERS && options.sinceSentMs >= options.absenceProvenAfterMs;
}
