import type { DeclineClass } from '../../domain/payments/decline';
import type { Declined } from '../gateway';
import { vendorWords } from '../vendor-words';
import type { CieloPayment } from './wire';

/** Two characters of ABECS; American Express has three digits: https://developercielo.github.io/tutorial/abecs-e-outros-codigos */
const ISSUER_CODE = /^(?:[0-9A-Z]{2}|\d{3})$/;

/** Of an authorization and of a sale that was captured at once. */
const SUCCESS_CODES: ReadonlySet<string> = new Set(['0', '00', '4', '6']);

/**
 * The acquirer's own codes of the page above, which are not the issuer's. Its words on retries decide the class: `soft` may be
 * tried again, `hard` not. 6P, 70, 79, 82 and 83 are in both tables, and count as the issuer's.
 */
const OWN_CODES: Readonly<Record<DeclineClass, readonly string[]>> = {
  soft: ['60', '67', '89', '98', '99', '999', 'AA', 'AV', 'BL', 'BO', 'DF', 'DM', 'DS', 'EK', 'NR', 'RP'],
  fraud: ['02', 'BP171', 'GA', 'GK', 'GT'],
  auth_required: ['AI'],
  hard: [
    ...['22', '24', '80', '85', '90', '97', 'AF', 'AG', 'AH', 'AJ', 'BD', 'BM', 'BN', 'BP', 'BR', 'C1', 'C2'],
    ...[
      'C3',
      'CF',
      'CG',
      'DQ',
      'EB',
      'EE',
      'FC',
      'FE',
      'FG',
      'GD',
      'GF',
      'HJ',
      'IA',
      'KA',
      'KB',
      'KE',
      'SC',
      'U3',
    ],
  ],
};
const CLASS_OF_OWN_CODE: ReadonlyMap<string, DeclineClass> = new Map(
  (['soft', 'fraud', 'auth_required', 'hard'] as const).flatMap((declineClass) =>
    OWN_CODES[declineClass].map((code) => [code, declineClass] as const),
  ),
);

/** What says why a sale or a verification is declined. */
type Refusal = Pick<CieloPayment, 'ReturnCode' | 'ReturnMessage' | 'MerchantAdviceCode'>;

export function declined(payment: CieloPayment): Declined {
  return declinedBy(payment, payment.PaymentId);
}

/** What the issuer answered, or Cielo in its place. Without a known code the decline is soft, because its cause is not known. */
export function declinedBy(refusal: Refusal, gatewayTransactionId: string | null): Declined {
  const code = normalized(refusal);
  const words = vendorWords(refusal.ReturnMessage) || 'declined';
  const common = { kind: 'declined' as const, adviceCode: adviceCode(refusal), gatewayTransactionId };
  const issuerCode = code === null ? null : issuerCodeOf(code);
  if (issuerCode !== null) return { ...common, code: issuerCode, message: words };
  const declineClass = CLASS_OF_OWN_CODE.get(code ?? '') ?? 'soft';
  return { ...common, code: null, declineClass, message: code === null ? words : `${code}: ${words}` };
}

/** Whether the code says that the sale was refused, and not only that something failed. */
export function isRefusal(payment: CieloPayment): boolean {
  const code = normalized(payment);
  return code !== null && (issuerCodeOf(code) !== null || CLASS_OF_OWN_CODE.has(code));
}

/** Printed without its zero, too (`5`), and with a blank (`BP 171`). Null without a code, and for one of a success. */
function normalized({ ReturnCode }: Pick<Refusal, 'ReturnCode'>): string | null {
  if (ReturnCode === null || SUCCESS_CODES.has(ReturnCode)) return null;
  return ReturnCode.toUpperCase().replaceAll(' ', '').padStart(2, '0').slice(0, 10);
}

function issuerCodeOf(code: string): string | null {
  return ISSUER_CODE.test(code) && !CLASS_OF_OWN_CODE.has(code) ? code : null;
}

/** Mastercard's, sent without its zero (`1`). */
function adviceCode({ MerchantAdviceCode }: Refusal): string | null {
  return MerchantAdviceCode !== null && /^\d{1,2}$/.test(MerchantAdviceCode)
    ? MerchantAdviceCode.padStart(2, '0')
    : null;
}
