/** Pauses before the second attempt, the third and so on, in ms. The first is made at once. */
export type RetrySchedule = readonly number[];

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Decisions, section 9; the pauses that https://www.standardwebhooks.com recommends. */
export const DEFAULT_RETRY_SCHEDULE = '5s,5m,30m,2h,5h,10h,14h,20h,24h';

/** Added to a pause at random, so that what failed together does not come again together. */
const JITTER = 0.2;
/** A receiver may ask for more time than the schedule gives it, but not for so much that its event is forgotten. */
const LONGEST_PAUSE_MS = 24 * 3_600_000;
/** With its wait for a turn, generously. */
const ATTEMPT_TAKES_MS = 3_600_000;
/** An endpoint whose every attempt has failed for so long is disabled. */
const FAILING_FOR_MS = 5 * 24 * 3_600_000;

/** `5s,5m,30m,2h`; a number without a unit is seconds. Null when it is something else. */
export function parseRetrySchedule(text: string): RetrySchedule | null {
  if (text.trim() === '') return [];
  const pauses = text.split(',').map((pause) => /^(\d+(?:\.\d+)?)([smh]?)$/.exec(pause.trim()));
  if (pauses.includes(null)) return null;
  return pauses.map((match) => Math.round(Number(match?.[1]) * (UNITS[match?.[2] ?? ''] ?? 1_000)));
}

export interface FailedAttempt {
  /** Attempts made, this one included. */
  readonly attempts: number;
  /** What the receiver asked for by `Retry-After`; null where it asked for nothing. */
  readonly retryAfterMs: number | null;
  /** In [0, 1). */
  readonly random: number;
}

/** How long to wait before the next attempt, in ms; null when there is none left. */
export function nextPauseMs(
  schedule: RetrySchedule,
  { attempts, retryAfterMs, random }: FailedAttempt,
): number | null {
  const pause = schedule[attempts - 1];
  if (pause === undefined) return null;
  const jittered = Math.round(pause * (1 + JITTER * random));
  return Math.max(jittered, Math.min(retryAfterMs ?? 0, LONGEST_PAUSE_MS));
}

/** The `Retry-After` header (RFC 9110, section 10.2.3) as a pause in ms; null when it is absent or says nothing. */
export function parseRetryAfter(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // Of what `Date.parse` reads, only what looks like an HTTP-date.
  const at = /^[A-Z][a-z]+,? /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(at - now.getTime(), 0);
}

/** An endpoint at which nothing was tried for so long, in ms, had nothing left to be told: a row of failures ends with that. */
export function resetsFailureStreakMs(schedule: RetrySchedule): number {
  return Math.max(LONGEST_PAUSE_MS, ...schedule) * (1 + JITTER) + ATTEMPT_TAKES_MS;
}

/** Whether an endpoint that fails again has failed for too long. `failingSince` is null when it worked until now. */
export function hasFailedTooLong(failingSince: Date | null, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= FAILING_FOR_MS;
}
