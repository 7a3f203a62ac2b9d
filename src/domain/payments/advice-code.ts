const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** "Do not try again" and "payment cancellation". */
const NEVER_AGAIN: ReadonlySet<string> = new Set(['03', '21']);

/** How long the codes from 24 to 30 ask to wait. */
const ADVISED_PAUSE_MS: Readonly<Record<string, number>> = {
  '24': HOUR_MS,
  '25': DAY_MS,
  '26': 2 * DAY_MS,
  '27': 4 * DAY_MS,
  '28': 6 * DAY_MS,
  '29': 8 * DAY_MS,
  '30': 10 * DAY_MS,
};

/** Whether the network forbids that the same card is ever tried again (Mastercard, Merchant Advice Codes). */
export function advisesNeverAgain(adviceCode: string | null): boolean {
  return adviceCode !== null && NEVER_AGAIN.has(adviceCode);
}

/** How long the network asks to wait before the same card is tried again, in ms; 0 where it does not say. */
export function advisedPauseMs(adviceCode: string | null): number {
  return ADVISED_PAUSE_MS[adviceCode ?? ''] ?? 0;
}
