import { retryAdvice } from '../payments/advice-code';
import { declineRule, normalizedCode, type DeclineFacts } from '../payments/decline';

/**
 * What the decline of an authorization of zero says:
 * - `refused`: not this card now, for example for want of funds;
 * - `forbidden`: this card never, so the network forbids to verify it again;
 * - `not_verifiable`: nothing about the card, because its issuer declines the request, not the card.
 */
export type VerificationDecline = 'refused' | 'forbidden' | 'not_verifiable';

/** The number is invalid, or the card is lost, stolen, to be kept, closed or expired. */
const ABOUT_THE_CARD: ReadonlySet<string> = new Set([
  ...['01', '04', '07', '14', '41', '43', '46', '54', '56'],
  // American Express, and what some acquirers send for it.
  ...['101', '200', 'BV'],
]);

/**
 * The merchant, the kind of transaction, the amount or the message is not accepted, or was sent before. Some issuers decline every
 * authorization of zero so (12, 57); charges of the same cards are approved.
 */
const ABOUT_THE_REQUEST: ReadonlySet<string> = new Set([
  ...['03', '12', '13', '30', '57', '58', '64', '94'],
  // American Express, and what some acquirers send for it.
  ...['109', '110', '115', '181', 'DA', 'JB', 'A2', 'A3'],
]);

/** A network's advice that forbids the card decides; then the issuer's code. */
export function verificationDecline(
  decline: Pick<DeclineFacts, 'code' | 'brand' | 'adviceCode'>,
): VerificationDecline {
  if (retryAdvice(decline.adviceCode).retry === 'never') return 'forbidden';
  const code = normalizedCode(decline);
  if (ABOUT_THE_REQUEST.has(code)) return 'not_verifiable';
  return ABOUT_THE_CARD.has(code) && declineRule(decline).retry === 'never' ? 'forbidden' : 'refused';
}
