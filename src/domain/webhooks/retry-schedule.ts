/** Delays before the second attempt, the third and so on, in ms. The first attempt has no delay. */
export type RetrySchedule = readonly number[];

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** The delays that https://www.standardwebhooks.com recommends (docs/decisions/webhooks.md). */
export const DEFAULT_RETRY_SCHEDULE = '5s,5m,30m,2h,5h,10h,14h,20h,24h';

/** Maximum random addition to a delay, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/** The longest delay that a `Retry-After` header can request. */
const LONGEST_PAUSE_MS = 24 * 3_600_000;
/** A generous upper bound for one attempt, including the wait for a permit. */
const ATTEMPT_ALLOWANCE_MS = 3_600_000;
/** An endpoint is disabled when every attempt has failed for this long. */
const DISABLE_AFTER_FAILING_MS = 5 * 24 * 3_600_000;

/** Parses `5s,5m,30m,2h`; a number without a unit is in seconds. Null if the text is invalid. */
export function parseRetrySchedule(text: string): RetrySchedule | null {
  if (text.trim() === '') return [];
  const pauses = text.split(',').map((pause) => /^(\d+(?:\.\d+)?)([smh]?)$/.exec(pause.trim()));
  if (pauses.includes(null)) return null;
  return pauses.map((match) => Math.round(Number(match?.[1]) * (UNITS[match?.[2] ?? ''] ?? 1_000)));
}

export interface FailedAttempt {
  /** Number of attempts so far, including this one. */
  readonly attempts: number;
  /** The delay of the `Retry-After` header; null without one. */
  readonly retryAfterMs: number | null;
  /** In [0, 1). */
  readonly random: number;
}

/** The delay before the next attempt, in ms; null if no attempt is left. */
export function nextPauseMs(
  schedule: RetrySchedule,
  { attempts, retryAfterMs, random }: FailedAttempt,
): number | null {
  const pause = schedule[attempts - 1];
  if (pause === undefined) return null;
  const jittered = Math.round(pause * (1 + JITTER * random));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, LONGEST_PAUSE_MS));
}

/** Parses the `Retry-After` header (RFC 9110, section 10.2.3) into ms; null if it is absent or invalid. */
export function parseRetryAfter(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // `Date.parse` accepts many formats; only an HTTP-date is valid here.
  const at = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(at - now.getTime(), 0);
}

/** A failure streak ends if the endpoint had no attempt for this long, in ms: it then had no pending deliveries. */
export function resetsFailureStreakMs(schedule: RetrySchedule): number {
  return Math.max(LONGEST_PAUSE_MS, ...schedule) * (1 + JITTER) + ATTEMPT_ALLOWANCE_MS;
}

/** Whether a failing endpoint must be disabled. `failingSince` is null if its last attempt succeeded. */
export function hasFailedTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= DISABLE_AFTER_FAILING_MS;
}
