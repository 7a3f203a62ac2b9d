import type { DeclineClass } from '../../domain/payments/decline';
import type { Declined } from '../gateway';

/** What a word means: the issuer's ISO 8583 code, or a class where no code says the same. */
type Meaning = { readonly code: string } | { readonly code: null; readonly declineClass: DeclineClass };

const iso = (code: string): Meaning => ({ code });
const classed = (declineClass: DeclineClass): Meaning => ({ code: null, declineClass });
const SOFT = classed('soft');
const HARD = classed('hard');
const FRAUD = classed('fraud');

/** The payment was rejected because an equal one was made shortly before. */
export const DUPLICATE = 'cc_rejected_duplicated_payment';
/** The card's issuer does not offer so many installments: the request is wrong, not the card. */
export const INVALID_INSTALLMENTS = 'cc_rejected_invalid_installments';
/** The issuer asks the cardholder to authenticate. Nobody can here: 3-D Secure is not used. */
export const CHALLENGE = 'pending_challenge';

/**
 * `status_detail` of a rejected payment. Mercado Pago passes no issuer's code on, so only a word that says the same as a code has
 * one, and what Mercado Pago decides by itself has a class. Sources:
 * https://www.mercadopago.com.br/developers/en/docs/checkout-api-payments/response-handling/collection-results and
 * https://github.com/mercadopago/cart-woocommerce (messages of refused payments).
 */
export const DECLINE_WORDS: Readonly<Record<string, Meaning>> = {
  bank_error: SOFT,
  cc_amount_rate_limit_exceeded: HARD,
  cc_rejected_3ds_challenge: iso('1A'),
  cc_rejected_3ds_mandatory: iso('1A'),
  cc_rejected_bad_filled_card_number: iso('14'),
  cc_rejected_bad_filled_date: iso('54'),
  cc_rejected_bad_filled_other: HARD,
  cc_rejected_bad_filled_security_code: iso('82'),
  cc_rejected_blacklist: FRAUD,
  // The holder must call the issuer, so another gateway gets the same answer.
  cc_rejected_call_for_authorize: SOFT,
  cc_rejected_card_disabled: iso('78'),
  cc_rejected_card_error: SOFT,
  cc_rejected_card_type_not_allowed: HARD,
  [DUPLICATE]: HARD,
  cc_rejected_fraud: FRAUD,
  cc_rejected_high_risk: FRAUD,
  cc_rejected_insufficient_amount: iso('51'),
  [INVALID_INSTALLMENTS]: HARD,
  cc_rejected_max_attempts: iso('65'),
  cc_rejected_other_reason: SOFT,
  cc_rejected_time_out: SOFT,
  insufficient_amount: iso('51'),
  [CHALLENGE]: classed('auth_required'),
  rejected_by_bank: SOFT,
  rejected_by_issuer: SOFT,
  rejected_by_regulations: HARD,
  rejected_high_risk: FRAUD,
  rejected_insufficient_data: HARD,
  rejected_other_reason: SOFT,
};

/**
 * Errors of `POST /v1/card_tokens` about what the cardholder typed, by their codes:
 * https://www.mercadopago.com.br/developers/en/docs/checkout-api-payments/error-messages/errors-in-card-data-form
 */
const TOKEN_ERRORS: Readonly<Record<string, string>> = {
  E301: 'cc_rejected_bad_filled_card_number',
  E302: 'cc_rejected_bad_filled_security_code',
  '325': 'cc_rejected_bad_filled_date',
  '326': 'cc_rejected_bad_filled_date',
};

const WORD = /^[a-z0-9_]{1,100}$/;

/** A word that is not listed says nothing about the reason. */
export function declined(word: string | null | undefined, gatewayTransactionId: string | null): Declined {
  const message = WORD.test(word ?? '') ? (word ?? '') : 'rejected';
  const meaning = DECLINE_WORDS[message] ?? SOFT;
  return { kind: 'declined', ...meaning, message, adviceCode: null, gatewayTransactionId };
}

/** The decline that the refusal of a card's data means; null if it is about anything else. */
export function declinedToken(codes: readonly string[]): Declined | null {
  const [word] = codes.flatMap((code) => TOKEN_ERRORS[code] ?? []);
  return word === undefined ? null : declined(word, null);
}

/** The word of a 402, which is a decline without a payment; `payment_error` if it says none. */
export function wordOf402(texts: readonly string[]): string {
  const [word] = texts.flatMap((text) => text.match(/\b(?:cc_)?(?:rejected|amount)_[a-z0-9_]{1,80}\b/) ?? []);
  return word ?? 'payment_error';
}
