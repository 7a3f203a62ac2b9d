/** How far one request may advance a test clock. */
const MAX_YEARS_AHEAD = 2;

/** Now by the payment's clock: wall-clock time plus the offset of its test clock. */
export function paymentNow(payment: { readonly clockOffsetMs: number }, now: Date): Date {
  return new Date(now.getTime() + payment.clockOffsetMs);
}

/** The problem with a target of a test clock, or null. A test clock never goes back. */
export function clockTargetProblem(
  target: Date,
  clockNow: Date,
  maxYearsAhead: number = MAX_YEARS_AHEAD,
): string | null {
  if (target <= clockNow) return `must be after ${clockNow.toISOString()}, where the clock stands`;
  const latest = new Date(clockNow);
  latest.setUTCFullYear(latest.getUTCFullYear() + maxYearsAhead);
  return target > latest ? `must be at most ${maxYearsAhead} years ahead` : null;
}
