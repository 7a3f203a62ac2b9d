/** The class of a decline, which decides whether the card may be charged again. */
export type DeclineClass = 'soft' | 'hard' | 'fraud' | 'auth_required';

/** Whether another gateway may approve the same card. */
export type Failover = 'another_gateway' | 'another_gateway_once' | 'none';

interface DeclineRule {
  readonly class: DeclineClass;
  readonly failover: Failover;
  readonly message: string;
}

function rule(declineClass: DeclineClass, failover: Failover, message: string): DeclineRule {
  return { class: declineClass, failover, message };
}

/**
 * All known decline codes: ISO 8583 field 39 as ABECS normalizes it for Brazilian issuers.
 * Hard codes are irreversible: the same card is never charged again, at this gateway or another.
 */
const RULES: Readonly<Record<string, DeclineRule>> = {
  '05': rule('soft', 'another_gateway_once', 'not authorized'),
  '51': rule('soft', 'none', 'insufficient funds'),
  '61': rule('soft', 'none', 'amount exceeds the card limit'),
  '65': rule('soft', 'none', 'too many uses of the card'),
  '75': rule('soft', 'none', 'too many wrong PINs'),
  '19': rule('soft', 'another_gateway', 'acquirer error'),
  '91': rule('soft', 'another_gateway', 'issuer unavailable'),
  '92': rule('soft', 'another_gateway', 'issuer not reached'),
  '96': rule('soft', 'another_gateway', 'system malfunction'),
  '14': rule('hard', 'none', 'invalid card number'),
  '41': rule('hard', 'none', 'lost card'),
  '43': rule('hard', 'none', 'stolen card'),
  '46': rule('hard', 'none', 'closed account'),
  '54': rule('hard', 'none', 'expired card'),
  '57': rule('hard', 'none', 'transaction not allowed for this card'),
  '78': rule('hard', 'none', 'card not active'),
  '82': rule('hard', 'none', 'invalid card data'),
  '83': rule('hard', 'none', 'invalid card data'),
  R0: rule('hard', 'none', 'recurring payment stopped by the cardholder'),
  R1: rule('hard', 'none', 'authorization revoked by the cardholder'),
  R2: rule('hard', 'none', 'card not qualified for recurring payments'),
  R3: rule('hard', 'none', 'all authorizations revoked by the cardholder'),
  '59': rule('fraud', 'none', 'suspected fraud'),
  '63': rule('fraud', 'none', 'security violation'),
  '1A': rule('auth_required', 'none', 'cardholder authentication required'),
  '6P': rule('auth_required', 'none', 'cardholder verification required'),
};

const UNLISTED = rule('soft', 'none', 'declined');

/** The rule of a decline code. An unlisted code is soft and allows no failover. */
export function declineRule(code: string): DeclineRule {
  return RULES[code] ?? UNLISTED;
}
