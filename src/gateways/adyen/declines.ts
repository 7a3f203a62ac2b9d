import type { DeclineClass } from '../../domain/payments/decline';
import type { Declined } from '../gateway';
import type { PaymentReply } from './wire';

/** What a refusal means: the issuer's ISO 8583 code, or a class where no code says the same. */
type Meaning = { readonly code: string } | { readonly code: null; readonly declineClass: DeclineClass };
type Refusal = readonly [word: string, meaning: Meaning];

const iso = (code: string): Meaning => ({ code });
const classed = (declineClass: DeclineClass): Meaning => ({ code: null, declineClass });
const SOFT = classed('soft');
const HARD = classed('hard');
const FRAUD = classed('fraud');
const AUTHENTICATION = classed('auth_required');

/**
 * `refusalReasonCode`, for a refusal without the network's own code:
 * https://docs.adyen.com/development-resources/refusal-reasons
 */
export const REFUSALS: Readonly<Record<string, Refusal>> = {
  '2': ['Refused', SOFT],
  '3': ['Referral', SOFT],
  '4': ['Acquirer Error', iso('96')],
  '5': ['Blocked Card', HARD],
  '6': ['Expired Card', iso('54')],
  '7': ['Invalid Amount', iso('13')],
  '8': ['Invalid Card Number', iso('14')],
  '9': ['Issuer Unavailable', iso('91')],
  '10': ['Not Supported', HARD],
  '11': ['3D Not Authenticated', AUTHENTICATION],
  '12': ['Not enough balance', iso('51')],
  '14': ['Acquirer Fraud', FRAUD],
  '15': ['Cancelled', SOFT],
  '16': ['Shopper Cancelled', SOFT],
  '17': ['Invalid Pin', iso('55')],
  '18': ['Pin tries exceeded', iso('75')],
  '19': ['Pin validation not possible', SOFT],
  '20': ['FRAUD', FRAUD],
  '21': ['Not Submitted', SOFT],
  '22': ['FRAUD-CANCELLED', FRAUD],
  '23': ['Transaction Not Permitted', HARD],
  '24': ['CVC Declined', iso('N7')],
  '25': ['Restricted Card', HARD],
  '26': ['Revocation Of Auth', iso('R1')],
  '27': ['Declined Non Generic', SOFT],
  '28': ['Withdrawal amount exceeded', iso('61')],
  '29': ['Withdrawal count exceeded', iso('65')],
  '31': ['Issuer Suspected Fraud', iso('59')],
  '32': ['AVS Declined', HARD],
  '33': ['Card requires online pin', AUTHENTICATION],
  '34': ['No checking account available on Card', HARD],
  '35': ['No savings account available on Card', HARD],
  '36': ['Mobile pin required', AUTHENTICATION],
  '37': ['Contactless fallback', HARD],
  '38': ['Authentication required', AUTHENTICATION],
  '39': ['RReq not received from DS', AUTHENTICATION],
  '40': ['Current AID is in Penalty Box', SOFT],
  '41': ['CVM Required Restart Payment', AUTHENTICATION],
  '42': ['3DS Authentication Error', AUTHENTICATION],
  '43': ['Online PIN required', AUTHENTICATION],
  '44': ['Try another interface', HARD],
  '45': ['Chip downgrade mode', HARD],
  '46': ['Transaction blocked by Adyen to prevent excessive retry fees', HARD],
  '50': ['Token Revoked', HARD],
};
/** The same by their words, for an answer that has only those. */
const BY_WORD: ReadonlyMap<string, Refusal> = new Map(
  Object.values(REFUSALS).map((refusal) => [refusal[0].toLowerCase(), refusal]),
);

/** As `05 : Do not honor`; ISO 8583 has two characters, American Express three digits. */
const RAW_CODE = /^\s*(\d{3}|[0-9A-Z]{2})\s*:/;
/** As `03 : Do not try again`. */
const ADVICE = /^\s*(\d{1,2})\s*(?::|$)/;
const WORDS = /^[A-Za-z][A-Za-z .,'/_-]{0,99}$/;

type Refused = Pick<PaymentReply, 'refusalReason' | 'refusalReasonCode' | 'additionalData'>;

/** A refusal that is not listed says nothing about the reason. */
export function declined(reply: Refused, gatewayTransactionId: string | null): Declined {
  const [word, meaning] = refusalOf(reply) ?? [null, SOFT];
  const { refusalReasonRaw, merchantAdviceCode } = reply.additionalData;
  const network = RAW_CODE.exec(refusalReasonRaw ?? '')?.[1];
  const said = reply.refusalReason ?? '';
  return {
    kind: 'declined',
    ...(network === undefined ? meaning : { code: network }),
    message: word ?? (WORDS.test(said) ? said : 'Refused'),
    adviceCode: ADVICE.exec(merchantAdviceCode ?? '')?.[1]?.padStart(2, '0') ?? null,
    gatewayTransactionId,
  };
}

/** Null if Adyen gives no reason that is listed. */
export function refusalOf({ refusalReasonCode, refusalReason }: Refused): Refusal | null {
  return (
    REFUSALS[(refusalReasonCode ?? '').trim()] ?? BY_WORD.get((refusalReason ?? '').toLowerCase()) ?? null
  );
}

/** A card that needs its holder: 3-D Secure is not used here. */
export function authenticationRequired(gatewayTransactionId: string | null): Declined {
  const refusal = { refusalReasonCode: '38', refusalReason: null, additionalData: {} };
  return declined(refusal, gatewayTransactionId);
}

/** Card data that Adyen refuses before it asks the issuer: https://docs.adyen.com/development-resources/error-codes */
const CARD_DATA_ERRORS: Readonly<Record<string, readonly [word: string, code: string]>> = {
  '101': ['Invalid card number', '14'],
  '103': ['CVC is not the right length', 'N7'],
  '129': ['Expiry Date Invalid', '54'],
  '140': ['Expiry month invalid or before now', '54'],
  '141': ['Expiry year invalid or before now', '54'],
  '154': ['Invalid CVC', 'N7'],
};

/** Null if the error is not about the card's data. */
export function declinedCardData(errorCode: string): Declined | null {
  const [message, code] = CARD_DATA_ERRORS[errorCode] ?? [];
  if (message === undefined || code === undefined) return null;
  return { kind: 'declined', code, message, adviceCode: null, gatewayTransactionId: null };
}
