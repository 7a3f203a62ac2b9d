const MINUTE_MS = 60_000;
const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = 360 * MINUTE_MS;
/** Refunds of boletos and of pix take days; whatever takes longer is a question for an operator. */
const LIMIT_MS = 30 * 24 * 60 * MINUTE_MS;

/** A capture, cancel or refund that its gateway has accepted. Instants by the payment's clock. */
export interface AwaitedOperation {
  /** When it was accepted, or its inquiries were started again. */
  readonly awaitedSince: Date;
  /** When the payment's gateways were last asked; null if they were not. */
  readonly lastAskedAt: Date | null;
}

/**
 * When its gateway is asked next for the result: after 1, 2, 4 minutes and so on, at last every 6 hours, for 30 days. Null
 * after the last time: an operator is asked then.
 */
export function nextResultInquiryAt({ awaitedSince, lastAskedAt }: AwaitedOperation): Date | null {
  const askedMs = lastAskedAt === null ? 0 : Math.max(0, lastAskedAt.getTime() - awaitedSince.getTime());
  if (askedMs >= LIMIT_MS) return null;
  let pauseMs = FIRST_PAUSE_MS;
  let ageMs = pauseMs;
  while (ageMs <= askedMs) {
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    ageMs += pauseMs;
  }
  return new Date(awaitedSince.getTime() + Math.min(ageMs, LIMIT_MS));
}
