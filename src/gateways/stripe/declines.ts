import type { DeclineClass } from '../../domain/payments/decline';
import type { Declined } from '../gateway';
import type { StripeCharge, StripeErrorFields } from './wire';

/** What Stripe says about a decline, in an error or in a charge. */
export interface DeclineWords {
  /** The network's code; null if the network did not answer. */
  readonly networkCode: string | null;
  readonly networkAdvice: string | null;
  readonly advice: string | null;
  /** Stripe's own words, the most exact one first. */
  readonly words: readonly (string | null | undefined)[];
}

/** What a word means: the issuer's ISO 8583 code, or a class where no code says the same. */
type Meaning = { readonly code: string } | { readonly code: null; readonly declineClass: DeclineClass };

const iso = (code: string): Meaning => ({ code });
const classed = (declineClass: DeclineClass): Meaning => ({ code: null, declineClass });
const SOFT = classed('soft');
const HARD = classed('hard');
const FRAUD = classed('fraud');
const AUTHENTICATION = classed('auth_required');

/**
 * Stripe's decline codes and error codes, for a decline without the network's own code. Sources:
 * https://docs.stripe.com/declines/codes, https://docs.stripe.com/error-codes (card errors),
 * https://docs.stripe.com/declines/card#blocked-payments (`outcome.reason`).
 */
export const DECLINE_WORDS: Readonly<Record<string, Meaning>> = {
  approve_with_id: SOFT,
  authentication_failure: AUTHENTICATION,
  authentication_not_handled: AUTHENTICATION,
  authentication_required: AUTHENTICATION,
  call_issuer: SOFT,
  card_decline_rate_limit_exceeded: HARD,
  card_not_supported: HARD,
  card_velocity_exceeded: iso('65'),
  charge_exceeds_transaction_limit: HARD,
  currency_not_supported: HARD,
  do_not_honor: iso('05'),
  do_not_try_again: HARD,
  duplicate_transaction: HARD,
  expired_card: iso('54'),
  fraudulent: FRAUD,
  generic_decline: SOFT,
  highest_risk_level: FRAUD,
  incorrect_address: HARD,
  incorrect_cvc: iso('N7'),
  incorrect_number: iso('14'),
  incorrect_pin: iso('55'),
  incorrect_postal_code: HARD,
  incorrect_zip: HARD,
  insufficient_funds: iso('51'),
  invalid_account: HARD,
  invalid_amount: iso('13'),
  invalid_card_type: HARD,
  invalid_cvc: iso('N7'),
  invalid_expiry_month: iso('54'),
  invalid_expiry_year: iso('54'),
  invalid_number: iso('14'),
  invalid_pin: iso('55'),
  issuer_not_available: iso('91'),
  live_mode_test_card: HARD,
  lost_card: iso('41'),
  low_probability_of_authorization: SOFT,
  merchant_blacklist: FRAUD,
  mobile_device_authentication_required: AUTHENTICATION,
  new_account_information_available: HARD,
  no_action_taken: SOFT,
  not_permitted: HARD,
  offline_pin_required: AUTHENTICATION,
  online_or_offline_pin_required: AUTHENTICATION,
  payment_intent_authentication_failure: AUTHENTICATION,
  payment_intent_payment_attempt_failed: SOFT,
  payment_method_customer_decline: SOFT,
  payment_method_provider_decline: SOFT,
  payment_method_restricted: HARD,
  pickup_card: HARD,
  pin_try_exceeded: iso('75'),
  previously_declined_by_network: HARD,
  processing_error: iso('96'),
  reenter_transaction: SOFT,
  request_blocked: FRAUD,
  requested_block_on_incorrect_cvc: FRAUD,
  requested_block_on_incorrect_zip: FRAUD,
  restricted_card: HARD,
  revocation_of_all_authorizations: iso('R3'),
  revocation_of_authorization: iso('R1'),
  rule: FRAUD,
  security_violation: iso('63'),
  service_not_allowed: SOFT,
  setup_attempt_failed: SOFT,
  setup_intent_authentication_failure: AUTHENTICATION,
  stolen_card: iso('43'),
  stop_payment_order: iso('R0'),
  test_mode_live_card: HARD,
  testmode_decline: HARD,
  transaction_not_allowed: HARD,
  try_again_later: SOFT,
  withdrawal_count_limit_exceeded: iso('61'),
};

/** Stripe's advice as the network's advice code that has the same rule. https://docs.stripe.com/declines/card#retrying-issuer-declines */
const ADVICE_CODES: Readonly<Record<string, string>> = { do_not_try_again: '03', confirm_card_data: '01' };
/** Decline codes that are advice: https://docs.stripe.com/declines/codes */
const ADVICE_WORDS: Readonly<Record<string, string>> = {
  do_not_try_again: '03',
  new_account_information_available: '01',
  previously_declined_by_network: '03',
};

/** ISO 8583 has two characters, American Express three digits. */
const NETWORK_CODE = /^(?:[0-9A-Z]{2}|\d{3})$/;
const WORD = /^[a-z0-9_]{1,100}$/;

/** A word that is not listed says nothing about the reason. */
export function declined(said: DeclineWords, gatewayTransactionId: string | null): Declined {
  const words = said.words.filter((word): word is string => typeof word === 'string' && WORD.test(word));
  const network = said.networkCode?.toUpperCase() ?? '';
  const [meaning = SOFT] = words.flatMap((word) => DECLINE_WORDS[word] ?? []);
  return {
    kind: 'declined',
    ...(NETWORK_CODE.test(network) ? { code: network } : meaning),
    message: words[0] ?? 'declined',
    adviceCode: adviceOf(said, words),
    gatewayTransactionId,
  };
}

/** A card that needs its holder: 3-D Secure is not used here. */
export function authenticationRequired(gatewayTransactionId: string | null): Declined {
  return declinedByWord('authentication_required', gatewayTransactionId);
}

export function declinedByWord(word: string, gatewayTransactionId: string | null): Declined {
  const said = { networkCode: null, networkAdvice: null, advice: null, words: [word] };
  return declined(said, gatewayTransactionId);
}

export function wordsOfError(error: StripeErrorFields): DeclineWords {
  return {
    networkCode: error.network_decline_code ?? null,
    networkAdvice: error.network_advice_code ?? null,
    advice: error.advice_code ?? null,
    words: [error.decline_code, error.code],
  };
}

export function wordsOfCharge({ outcome, failure_code }: StripeCharge): DeclineWords {
  return {
    networkCode: outcome?.network_decline_code ?? null,
    networkAdvice: outcome?.network_advice_code ?? null,
    advice: outcome?.advice_code ?? null,
    words: [outcome?.reason, failure_code],
  };
}

/** The network's own code, else what Stripe advises. */
function adviceOf({ networkAdvice, advice }: DeclineWords, words: readonly string[]): string | null {
  if (networkAdvice !== null && /^\d{1,2}$/.test(networkAdvice)) return networkAdvice.padStart(2, '0');
  const [word] = words.flatMap((each) => ADVICE_WORDS[each] ?? []);
  return ADVICE_CODES[advice ?? ''] ?? word ?? null;
}
