import type { DeclineClass } from '../../../domain/payments/decline';
import type { StoredOperation } from '../../charge-store';

/** What Stripe says about a decline of the issuer. */
export interface StripeDecline {
  /** https://docs.stripe.com/error-codes */
  readonly code: string;
  /** https://docs.stripe.com/declines/codes */
  readonly declineCode: string;
  readonly message: string;
  /** https://docs.stripe.com/declines/card#retrying-issuer-declines; null without advice of the network. */
  readonly advice: 'try_again_later' | 'do_not_try_again' | 'confirm_card_data' | null;
}

const DECLINED = 'Your card was declined.';
const declined = (declineCode: string, message = DECLINED) => ({
  code: 'card_declined',
  declineCode,
  message,
});
/** Errors of the card's data have a code of their own in place of `card_declined`. */
const cardError = (code: string, message: string) => ({ code, declineCode: code, message });

const INSUFFICIENT_FUNDS = 'Your card has insufficient funds.';
const NOT_SUPPORTED = 'Your card does not support this type of purchase.';
const INCORRECT_CVC = "Your card's security code is incorrect.";

/** Stripe's codes of ISO 8583 response codes. A code that is not listed is a `generic_decline`. */
const BY_ISO: Readonly<Record<string, Omit<StripeDecline, 'advice'>>> = {
  '01': declined('call_issuer'),
  '02': declined('call_issuer'),
  '03': declined('service_not_allowed'),
  '04': declined('pickup_card'),
  '05': declined('do_not_honor'),
  '07': declined('pickup_card'),
  '12': declined('transaction_not_allowed', NOT_SUPPORTED),
  '13': declined('invalid_amount'),
  '14': cardError('incorrect_number', 'Your card number is incorrect.'),
  '15': declined('invalid_account'),
  '19': declined('reenter_transaction'),
  '1A': { code: 'authentication_required', declineCode: 'authentication_required', message: DECLINED },
  '41': declined('lost_card'),
  '43': declined('stolen_card'),
  '46': declined('invalid_account'),
  '51': declined('insufficient_funds', INSUFFICIENT_FUNDS),
  '54': cardError('expired_card', 'Your card has expired.'),
  '55': declined('incorrect_pin'),
  '57': declined('transaction_not_allowed', NOT_SUPPORTED),
  '58': declined('service_not_allowed'),
  '59': declined('fraudulent'),
  '61': declined('withdrawal_count_limit_exceeded'),
  '62': declined('restricted_card'),
  '63': declined('security_violation'),
  '65': declined('card_velocity_exceeded'),
  '75': declined('pin_try_exceeded'),
  '78': declined('invalid_account'),
  '82': cardError('incorrect_cvc', INCORRECT_CVC),
  '91': declined('issuer_not_available'),
  '96': cardError(
    'processing_error',
    'An error occurred while processing your card. Try again in a little bit.',
  ),
  N7: cardError('incorrect_cvc', INCORRECT_CVC),
  R0: declined('stop_payment_order'),
  R1: declined('revocation_of_authorization'),
  R3: declined('revocation_of_all_authorizations'),
};

/** Declines without a code of the network: https://docs.stripe.com/declines/card#blocked-payments for `fraud`. */
const BY_CLASS: Readonly<Record<DeclineClass, Omit<StripeDecline, 'advice'>>> = {
  soft: declined('generic_decline'),
  hard: declined('card_not_supported', NOT_SUPPORTED),
  fraud: declined('fraudulent'),
  auth_required: {
    code: 'authentication_required',
    declineCode: 'authentication_required',
    message: DECLINED,
  },
};

/** Why the core declined. `adviceCode` is the network's (Mastercard's Merchant Advice Code). */
export type IssuerDecline = Pick<StoredOperation, 'code' | 'adviceCode' | 'declineClass'>;

export function declineOf({ code, adviceCode, declineClass }: IssuerDecline): StripeDecline {
  const decline = code === null ? BY_CLASS[declineClass ?? 'soft'] : (BY_ISO[code] ?? BY_CLASS.soft);
  return { ...decline, advice: adviceCode === null ? null : adviceOf(adviceCode) };
}

function adviceOf(code: string): StripeDecline['advice'] {
  if (code === '01') return 'confirm_card_data';
  return code === '03' || code === '21' ? 'do_not_try_again' : 'try_again_later';
}
