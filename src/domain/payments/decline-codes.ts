import type { RetryRule } from './advice-code';
import type { CardNetwork } from './card-network';

/** A decline code and what each network that sends it says about retries. Hipercard has Mastercard's column. */
export interface DeclineCode {
  readonly message: string;
  readonly retry: Readonly<Partial<Record<Exclude<CardNetwork, 'hipercard' | 'other'>, RetryRule>>>;
  /** Another gateway may approve the same card: `once` if only one more is tried. */
  readonly failover?: 'always' | 'once';
  /** What the decline needs before a request may succeed. */
  readonly needs?: 'fraud_check' | 'authentication';
}

const RETRY = 'automatic';
const ASK = 'by_request';
const NEVER = 'never';

const code = (
  message: string,
  retry: DeclineCode['retry'],
  more: Pick<DeclineCode, 'failover' | 'needs'> = {},
): DeclineCode => ({ message, retry, ...more });

/**
 * The response codes of issuers: ISO 8583 field 39 as ABECS harmonizes it for Brazil, and American Express's own.
 *
 * Sources: Cielo, "Códigos ABECS" (Normativo 21, 18 June 2024), which calls each code reversible or irreversible by network;
 * Visa, Processing Integrity categories 1 to 4 (Cielo; Evolve; Payway), of which 1 is never approved and the others are
 * limited; Elo's list of irreversible codes (Cielo; Braspag). `automatic`: all sources allow a retry; `never`: all forbid it;
 * `by_request`: they contradict each other, or the cardholder must act first.
 */
export const DECLINE_CODES: Readonly<Record<string, DeclineCode>> = {
  '01': code('invalid card number', { mastercard: NEVER }),
  '03': code('invalid merchant', { visa: ASK, mastercard: NEVER }),
  '04': code('refused by the issuer', { visa: NEVER, mastercard: NEVER, elo: RETRY }),
  '05': code('not authorized', { visa: RETRY, mastercard: RETRY, elo: RETRY }, { failover: 'once' }),
  '06': code('card data error', { visa: ASK, elo: RETRY }),
  '07': code('refused by the issuer', { visa: NEVER }),
  '12': code('invalid transaction', { visa: NEVER, mastercard: NEVER, elo: NEVER }),
  '13': code('invalid amount', { visa: ASK, mastercard: NEVER, elo: NEVER }),
  '14': code('invalid card number', { visa: NEVER, mastercard: NEVER, elo: NEVER }),
  '15': code('no such issuer', { visa: NEVER, mastercard: NEVER }),
  '19': code('acquirer error', { visa: ASK, elo: NEVER }),
  '1A': code('cardholder authentication required', { visa: ASK }, { needs: 'authentication' }),
  '23': code('invalid installment amount', { elo: NEVER }),
  '30': code('message format error', { mastercard: NEVER, elo: NEVER }),
  '38': code('too many wrong PINs', { elo: RETRY }),
  '39': code('not a credit card', { visa: RETRY }),
  '41': code('lost card', { visa: NEVER, mastercard: NEVER, elo: NEVER }),
  '43': code('stolen card', { visa: NEVER, mastercard: NEVER, elo: NEVER }),
  '46': code('closed account', { visa: NEVER, elo: NEVER }),
  '51': code('insufficient funds', { visa: RETRY, mastercard: RETRY, elo: RETRY }),
  '52': code('not a debit card', { visa: RETRY }),
  '53': code('not a debit card', { visa: RETRY }),
  '54': code('expired card', { visa: ASK, mastercard: NEVER, elo: NEVER }),
  '55': code('wrong PIN', { visa: RETRY, mastercard: RETRY, elo: RETRY }),
  '56': code('invalid card number', { elo: NEVER }),
  '57': code('transaction not allowed for this card', { visa: NEVER, mastercard: RETRY, elo: NEVER }),
  '58': code('transaction not allowed for this merchant', { visa: ASK, mastercard: NEVER, elo: NEVER }),
  '59': code('suspected fraud', { visa: ASK, elo: ASK }, { needs: 'fraud_check' }),
  '61': code('amount exceeds the card limit', { visa: RETRY, mastercard: RETRY, elo: RETRY }),
  // Elo sends it for a card that is blocked for a time, and for a domestic card that is used abroad.
  '62': code('restricted card', { visa: RETRY, mastercard: NEVER, elo: ASK }),
  '63': code('security violation', { mastercard: ASK, elo: NEVER }, { needs: 'fraud_check' }),
  '64': code('amount refused by the issuer', { visa: ASK, elo: NEVER }),
  '65': code('too many uses of the card', { visa: RETRY, mastercard: RETRY, elo: RETRY }),
  '6P': code('cardholder verification required', { visa: ASK }, { needs: 'authentication' }),
  '70': code('PIN required', { visa: RETRY }),
  '74': code('PIN error', { visa: ASK }),
  '75': code('too many wrong PINs', { visa: RETRY, mastercard: RETRY, elo: RETRY }),
  '76': code('invalid account', { visa: ASK, elo: NEVER }),
  '77': code('invalid account', { elo: NEVER }),
  '78': code('card not active', { visa: RETRY, elo: RETRY }),
  // Mastercard's 79, 82 and 83 stand for other codes: see `ADVICE_DECIDES`.
  '79': code('refused by the issuer', { mastercard: ASK }),
  '81': code('PIN error', { visa: ASK }),
  '82': code('invalid card data', { visa: ASK, mastercard: ASK, elo: NEVER }),
  '83': code('invalid card data', { mastercard: ASK, elo: NEVER }),
  '86': code('wrong PIN', { visa: RETRY }),
  '88': code('invalid card data', { mastercard: NEVER }),
  '91': code('issuer unavailable', { visa: RETRY, mastercard: RETRY, elo: RETRY }, { failover: 'always' }),
  '92': code('issuer not reached', { visa: ASK, mastercard: NEVER }),
  '93': code('refused for breach of law', { visa: ASK }),
  '94': code('duplicate transmission', { visa: ASK, mastercard: NEVER }),
  '96': code('system malfunction', { visa: RETRY, mastercard: RETRY, elo: RETRY }, { failover: 'always' }),
  AB: code('not a debit card', { elo: ASK }),
  AC: code('not a credit card', { elo: ASK }),
  B1: code('surcharge not supported', { visa: RETRY }),
  B2: code('surcharge not supported', { visa: RETRY }),
  FM: code('chip required', { elo: NEVER }),
  N0: code('issuer unavailable', { visa: RETRY }),
  N3: code('cash service not available', { visa: ASK }),
  N4: code('amount exceeds the card limit', { visa: RETRY }),
  N7: code('wrong security code', { visa: ASK }),
  N8: code('amount differs from the authorization', { visa: ASK }),
  P5: code('PIN error', { elo: NEVER }),
  P6: code('PIN error', { elo: RETRY }),
  R0: code('recurring payment stopped by the cardholder', { visa: NEVER }),
  R1: code('authorization revoked by the cardholder', { visa: NEVER }),
  R2: code('card not qualified for recurring payments', { visa: ASK }),
  R3: code('all authorizations revoked by the cardholder', { visa: NEVER }),
  Z5: code('refused by the issuer', { visa: RETRY }),

  '100': code('not authorized', { amex: RETRY }),
  '101': code('expired card', { amex: NEVER }),
  '106': code('too many wrong PINs', { amex: RETRY }),
  '109': code('invalid merchant', { amex: NEVER }),
  '110': code('invalid amount', { amex: NEVER }),
  '115': code('invalid transaction', { amex: NEVER }),
  '116': code('insufficient funds', { amex: RETRY }),
  '117': code('wrong PIN', { amex: RETRY }),
  '121': code('amount exceeds the card limit', { amex: RETRY }),
  '122': code('invalid card data', { amex: NEVER }),
  '180': code('invalid card data', { amex: NEVER }),
  '181': code('message format error', { amex: NEVER }),
  '200': code('refused by the issuer', { amex: NEVER }),
  '911': code('system malfunction', { amex: RETRY }, { failover: 'always' }),
  '912': code('issuer unavailable', { amex: RETRY }, { failover: 'always' }),

  // What some acquirers send for American Express's codes.
  FA: code('not authorized', { amex: RETRY }),
  BV: code('expired card', { amex: NEVER }),
  A4: code('too many wrong PINs', { amex: RETRY }),
  DA: code('invalid merchant', { amex: NEVER }),
  JB: code('invalid amount', { amex: NEVER }),
  A2: code('invalid transaction', { amex: NEVER }),
  A5: code('insufficient funds', { amex: RETRY }),
  A6: code('wrong PIN', { amex: RETRY }),
  '8': code('invalid card data', { amex: NEVER }),
  A7: code('invalid card data', { amex: NEVER }),
  A3: code('message format error', { amex: NEVER }),
  // 200, but also one row that may be retried.
  FD: code('refused by the issuer', { amex: ASK }),
  AE: code('system malfunction', { amex: RETRY }, { failover: 'always' }),
  A1: code('issuer unavailable', { amex: RETRY }, { failover: 'always' }),
};

/**
 * Mastercard sends these in place of other codes (79 life cycle, 82 policy, 83 fraud), and only the advice code says what the
 * decline means. Source: Cielo, the same page (2022).
 */
export const ADVICE_DECIDES: ReadonlySet<string> = new Set(['79', '82', '83']);
