const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** "Do not try again" and "payment cancellation". */
const DO_NOT_RETRY: ReadonlySet<string> = new Set(['03', '21']);

/** Retry delays of the advice codes 24 to 30, in ms. */
const ADVISED_DELAY_MS: Readonly<Record<string, number>> = {
  '24': HOUR_MS,
  '25': DAY_MS,
  '26': 2 * DAY_MS,
  '27': 4 * DAY_MS,
  '28': 6 * DAY_MS,
  '29': 8 * DAY_MS,
  '30': 10 * DAY_MS,
};

/** Whether the network forbids any further attempt with the same card (Mastercard, Merchant Advice Codes). */
export function forbidsRetry(adviceCode: string | null): boolean {
  return adviceCode !== null && DO_NOT_RETRY.has(adviceCode);
}

/** How long the network asks to wait before the next attempt with the same card, in ms; 0 without such advice. */
export function advisedRetryDelayMs(adviceCode: string | null): number {
  return ADVISED_DELAY_MS[adviceCode ?? ''] ?? 0;
}
