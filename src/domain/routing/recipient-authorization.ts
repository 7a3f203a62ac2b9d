const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long a link to consent is valid. A new one replaces it only afterwards, because its owner may have it already. */
export const CONSENT_LIFETIME_MS = 7 * DAY_MS;
/** A gateway takes a code for this long at least: RFC 6749 section 4.1.2 recommends ten minutes at most. */
const CODE_LIFETIME_MS = 10 * MINUTE_MS;
/** The longest wait for a renewal, so that a workflow of an active recipient is not forgotten for months. */
const LONGEST_PAUSE_MS = 30 * DAY_MS;
/** A renewal that failed is repeated so often. */
const RENEWAL_RETRY_MS = 6 * 60 * MINUTE_MS;
/** A secret is renewed this long before its end, which leaves time for the failures of weeks. */
const RENEW_BEFORE_MS = 60 * DAY_MS;
/** How long after its end a secret is still tried to be renewed. */
const GIVE_UP_AFTER_MS = 30 * DAY_MS;

/** What a recipient's workflow does with the owner's answer. */
export type ConsentStep = 'open' | 'wait' | 'redeem';

export interface Consent {
  /** Null before the first link. */
  readonly expiresAt: Date | null;
  readonly receivedAt: Date | null;
  /** When the code was sent to the gateway. */
  readonly sentAt: Date | null;
}

/**
 * `open`: makes a new link, because there is none that can still be answered. A code whose request was not answered in
 * `inFlightMs` is lost, because a gateway takes it once.
 */
export function consentStep(consent: Consent, now: Date, inFlightMs: number): ConsentStep {
  const { expiresAt, receivedAt, sentAt } = consent;
  if (receivedAt === null) return expiresAt !== null && expiresAt > now ? 'wait' : 'open';
  if (sentAt !== null) return now.getTime() - sentAt.getTime() < inFlightMs ? 'wait' : 'open';
  return now.getTime() - receivedAt.getTime() < CODE_LIFETIME_MS ? 'redeem' : 'open';
}

/** Whether the secret is to be renewed now. */
export function isRenewalDue(expiresAt: Date, now: Date): boolean {
  return expiresAt.getTime() - now.getTime() <= RENEW_BEFORE_MS;
}

/** How long a workflow waits before it looks at an active recipient's secret again, in ms; null if it has ended for good. */
export function renewalPauseMs(expiresAt: Date, now: Date): number | null {
  const leftMs = expiresAt.getTime() - now.getTime();
  if (leftMs < -GIVE_UP_AFTER_MS) return null;
  if (isRenewalDue(expiresAt, now)) return RENEWAL_RETRY_MS;
  return Math.min(leftMs - RENEW_BEFORE_MS, LONGEST_PAUSE_MS);
}
