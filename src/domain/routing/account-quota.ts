/** How many requests a gateway still answers for an account, as it said with an answer. */
export interface AccountQuota {
  /** Requests in each period. */
  readonly limit: number;
  readonly remaining: number;
  /** Epoch ms of the next period. */
  readonly resetsAt: number;
}

/** Above this share of the limit, inquiries are as frequent as their schedule says. */
const AMPLE_SHARE = 0.25;
/** Of what remains below that share, inquiries get this part; the rest is for payments. */
const INQUIRY_SHARE = 0.5;

/**
 * The least time in ms between two inquiries about charges of an account. It spreads their part of the remaining requests over
 * the rest of the period, so that a payment never finds the quota used up by inquiries. Infinity: none until the next period.
 */
export function pauseBetweenInquiriesMs({ limit, remaining, resetsAt }: AccountQuota, now: number): number {
  const restMs = resetsAt - now;
  if (restMs <= 0 || remaining > limit * AMPLE_SHARE) return 0;
  const inquiries = Math.floor(remaining * INQUIRY_SHARE);
  return inquiries === 0 ? Infinity : Math.ceil(restMs / inquiries);
}
