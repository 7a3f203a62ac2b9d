import type { DeclineClass } from '../../domain/payments/decline';
import type { Declined } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { vendorWords } from '../vendor-words';
import { ownErrors } from './errors';

/**
 * Asaas sends no code of the issuer, and by default one sentence for every refusal (https://docs.asaas.com/docs/cobrancas-via-cartao-de-credito).
 * An account can have the real reasons enabled, whose list is not published: they are told apart by their words.
 */
export const DECLINE_WORDS: readonly { readonly words: RegExp; readonly declineClass: DeclineClass }[] = [
  { words: /fraude|suspeit|antifraud/i, declineClass: 'fraud' },
  { words: /autentica|3ds/i, declineClass: 'auth_required' },
  { words: /inv[áa]lid|vencid|expirad|bloquead|cancelad|roubad|perdid|restri/i, declineClass: 'hard' },
];

/** A card's data is refused with this code, a transaction too. */
const CARD_CODE = 'invalid_creditCard';
/** The code of many refusals; only the words tell the one of a transaction (recorded 2026-07-14). */
const ACTION_CODE = 'invalid_action';
const REFUSED_TRANSACTION =
  /transa[çc][ãa]o.*(?:n[ãa]o\s+autorizad|recusad|negad)|cart[ãa]o.*(?:recusad|negad|n[ãa]o\s+autorizad)/i;

/**
 * The decline in an answer to a card's charge; null if it is none. A refused charge is not kept, so a decline has no id and
 * no inquiry finds it.
 */
export function declineOf(response: GatewayHttpResponse): Declined | null {
  if (response.status !== 400) return null;
  const refusal = ownErrors(response)?.find(
    ({ code, description }) =>
      code === CARD_CODE || (code === ACTION_CODE && REFUSED_TRANSACTION.test(description)),
  );
  if (refusal === undefined) return null;
  const words = vendorWords(refusal.description);
  return declined(words === '' ? refusal.code : words, classOf(refusal.description), null);
}

export function declined(
  message: string,
  declineClass: DeclineClass,
  gatewayTransactionId: string | null,
): Declined {
  return { kind: 'declined', code: null, declineClass, message, adviceCode: null, gatewayTransactionId };
}

/** The words that Asaas sends by default tell nothing, although they speak of the card's data. */
function classOf(description: string): DeclineClass {
  return DECLINE_WORDS.find(({ words }) => words.test(description))?.declineClass ?? 'soft';
}
