/** How far a payment's clock may be sent at once. */
const FARTHEST_YEARS = 2;

/** Now, by the payment's own clock: everybody's, unless the sandbox has moved it ahead. */
export function paymentNow(payment: { readonly clockOffsetMs: number }, now: Date): Date {
  return new Date(now.getTime() + payment.clockOffsetMs);
}

/** What is wrong with an instant to send a clock to, or null. A clock never goes back. */
export function clockTargetProblem(
  target: Date,
  clockNow: Date,
  farthestYears: number = FARTHEST_YEARS,
): string | null {
  if (target <= clockNow) return `must be after ${clockNow.toISOString()}, where the clock stands`;
  const farthest = new Date(clockNow);
  farthest.setUTCFullYear(farthest.getUTCFullYear() + farthestYears);
  return target > farthest ? `must be at most ${farthestYears} years ahead` : null;
}
