const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Who may charge a declined card again: billing by itself, only a person who asks for it, or nobody. */
export const RETRY_RULES = ['automatic', 'by_request', 'never'] as const;
export type RetryRule = (typeof RETRY_RULES)[number];

export interface RetryAdvice {
  readonly retry: RetryRule;
  /** How long automatic retries wait, in ms. */
  readonly waitMs: number;
}

/** A decline that nothing forbids to retry at once. */
export const SOFT_DECLINE: RetryAdvice = { retry: 'automatic', waitMs: 0 };
const NEVER: RetryAdvice = { retry: 'never', waitMs: 0 };
const BY_REQUEST: RetryAdvice = { retry: 'by_request', waitMs: 0 };
const after = (waitMs: number): RetryAdvice => ({ retry: 'automatic', waitMs });

/**
 * Mastercard's Merchant Advice Codes (DE 48, subelement 84). Codes that only inform (05, 43) and unknown codes change
 * nothing. Sources: Cielo, "Programas de retentativa das bandeiras" (2024); Everon, Merchant Advice Code; Solidgate,
 * Merchant advice codes (02 waits 72 hours, 03 and 21 never); Forte (40, 41 never); payabl (22, 42).
 */
const ADVICE: Readonly<Record<string, RetryAdvice>> = {
  // New account data is available: the same data would be declined again.
  '01': BY_REQUEST,
  // Cannot approve now.
  '02': after(3 * DAY_MS),
  // Do not try again.
  '03': NEVER,
  // Token requirements not met: the same request would be declined again.
  '04': BY_REQUEST,
  // Payment cancellation.
  '21': NEVER,
  // The merchant does not qualify for the product. No source names a retry rule, so it is read as a prohibition.
  '22': NEVER,
  '24': after(HOUR_MS),
  '25': after(DAY_MS),
  '26': after(2 * DAY_MS),
  '27': after(4 * DAY_MS),
  '28': after(6 * DAY_MS),
  '29': after(8 * DAY_MS),
  '30': after(10 * DAY_MS),
  // A prepaid card that cannot be reloaded.
  '40': NEVER,
  // A virtual card for one use.
  '41': NEVER,
  // A sanctions score above the threshold. No source names a retry rule, so it is read as a prohibition.
  '42': NEVER,
};

/** What the network advises about retries with the same card. Without a code, or with an unknown one: nothing. */
export function retryAdvice(adviceCode: string | null): RetryAdvice {
  return ADVICE[twoDigits(adviceCode ?? '')] ?? SOFT_DECLINE;
}

/** Some gateways send the code without its zero ("3") or with text ("03 : Do not try again"). */
function twoDigits(text: string): string {
  const digits = /^\s*(\d{1,2})(?!\d)/.exec(text)?.[1] ?? '';
  return digits.padStart(2, '0');
}

/** The stricter of two rules about the same card. */
export function stricter(a: RetryAdvice, b: RetryAdvice): RetryAdvice {
  const rank = Math.max(RETRY_RULES.indexOf(a.retry), RETRY_RULES.indexOf(b.retry));
  return { retry: RETRY_RULES[rank] ?? 'never', waitMs: Math.max(a.waitMs, b.waitMs) };
}
