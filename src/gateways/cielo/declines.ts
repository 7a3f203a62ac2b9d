import type { Declined } from '../gateway';
import { vendorWords } from '../vendor-words';
import type { CieloPayment } from './wire';

/** Two characters of ABECS; American Express has three digits: https://developercielo.github.io/tutorial/abecs-e-outros-codigos */
const ISSUER_CODE = /^(?:[0-9A-Z]{2}|\d{3})$/;

/** What the issuer answered, or Cielo in its place. Without a code the decline is soft, because its cause is not known. */
export function declined(payment: CieloPayment): Declined {
  const code = issuerCode(payment);
  const words = vendorWords(payment.ReturnMessage);
  const common = {
    kind: 'declined' as const,
    message: words === '' ? 'declined' : words,
    adviceCode: adviceCode(payment),
    gatewayTransactionId: payment.PaymentId,
  };
  return code === null ? { ...common, code, declineClass: 'soft' } : { ...common, code };
}

/** Printed without its zero, too (`5`). Null for a word of Cielo's own, such as `BP171`. */
export function issuerCode({ ReturnCode }: Pick<CieloPayment, 'ReturnCode'>): string | null {
  const code = (ReturnCode ?? '').toUpperCase().padStart(2, '0');
  return ReturnCode !== null && ISSUER_CODE.test(code) && !SUCCESS_CODES.has(ReturnCode) ? code : null;
}

/** Of an authorization and of a sale that was captured at once. */
const SUCCESS_CODES: ReadonlySet<string> = new Set(['0', '00', '4', '6']);

/** Mastercard's, sent without its zero (`1`). */
function adviceCode({ MerchantAdviceCode }: CieloPayment): string | null {
  return MerchantAdviceCode !== null && /^\d{1,2}$/.test(MerchantAdviceCode)
    ? MerchantAdviceCode.padStart(2, '0')
    : null;
}
