import type { DeclineClass } from '../../domain/payments/decline';
import type { Declined } from '../gateway';
import { vendorWords } from '../vendor-words';
import type { PagarmeTransaction } from './wire';

/** ISO 8583 as ABECS writes it, also without its leading zero: https://docs.pagar.me/docs/códigos-de-retorno-padrão-abecs */
const ISO_CODE = /^(?:[0-9A-Z]{1,2}|\d{3})$/i;
const ADVICE = /^\d{1,2}$/;
/** `AntifraudStatus` of github.com/pagarme/ecommerce-module-core. */
const REPROVED = 'reproved';

/**
 * A refused transaction. Pagar.me's own codes of four digits (1000, 2000), which it sent until ABECS' codes replaced them on
 * 28 August 2026, tell no class here.
 */
export function declined(transaction: PagarmeTransaction, chargeId: string): Declined {
  const code = transaction.acquirer_return_code?.trim().toUpperCase() ?? '';
  const advice = transaction.retry_info?.brand_failure_return_code ?? '';
  return {
    kind: 'declined',
    ...(isReproved(transaction) ? classed('fraud') : ISO_CODE.test(code) ? { code } : classed('soft')),
    message: wordsOf(transaction, code),
    adviceCode: ADVICE.test(advice) ? advice.padStart(2, '0') : null,
    gatewayTransactionId: chargeId,
  };
}

/** A decline without a transaction that tells more. */
export function declinedByWord(word: string, declineClass: DeclineClass, chargeId: string): Declined {
  return {
    kind: 'declined',
    ...classed(declineClass),
    message: word,
    adviceCode: null,
    gatewayTransactionId: chargeId,
  };
}

function isReproved({ antifraud_response: antifraud }: PagarmeTransaction): boolean {
  return antifraud?.status === REPROVED;
}

function wordsOf(transaction: PagarmeTransaction, code: string): string {
  if (isReproved(transaction)) return 'antifraud_reproved';
  const words = vendorWords(transaction.acquirer_message);
  if (words !== '') return words;
  return code === '' ? transaction.status : `acquirer_return_code ${code.slice(0, 20)}`;
}

function classed(declineClass: DeclineClass): {
  readonly code: null;
  readonly declineClass: DeclineClass;
} {
  return { code: null, declineClass };
}
