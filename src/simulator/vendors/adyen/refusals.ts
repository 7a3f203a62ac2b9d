import { assertNever } from '../../../domain/shared/assert-never';
import type { StoredOperation } from '../../charge-store';

type Reason = readonly [refusalReasonCode: string, refusalReason: string];

const REFUSED: Reason = ['2', 'Refused'];

/**
 * https://docs.adyen.com/development-resources/refusal-reasons has the reasons; which of the network's codes leads to which is
 * on https://docs.adyen.com/development-resources/raw-acquirer-responses. What is not listed here is `Refused`.
 */
const REASONS: Readonly<Record<string, Reason>> = {
  '01': ['3', 'Referral'],
  '04': ['5', 'Blocked Card'],
  '07': ['5', 'Blocked Card'],
  '13': ['7', 'Invalid Amount'],
  '14': ['8', 'Invalid Card Number'],
  '1A': ['38', 'Authentication required'],
  '41': ['5', 'Blocked Card'],
  '43': ['5', 'Blocked Card'],
  '51': ['12', 'Not enough balance'],
  '54': ['6', 'Expired Card'],
  '57': ['23', 'Transaction Not Permitted'],
  '58': ['23', 'Transaction Not Permitted'],
  '59': ['31', 'Issuer Suspected Fraud'],
  '61': ['28', 'Withdrawal amount exceeded'],
  '62': ['25', 'Restricted Card'],
  '65': ['29', 'Withdrawal count exceeded'],
  '82': ['24', 'CVC Declined'],
  '91': ['9', 'Issuer Unavailable'],
  N7: ['24', 'CVC Declined'],
};

/** Adyen's reason of a decline. A decline without a code has no answer of the acquirer, for example one of Adyen's risk checks. */
export function reasonOf({ code, declineClass }: StoredDecline): Reason {
  if (code !== null) return REASONS[code] ?? REFUSED;
  switch (declineClass) {
    case null:
    case 'soft':
      return ['9', 'Issuer Unavailable'];
    case 'hard':
      return ['5', 'Blocked Card'];
    case 'fraud':
      return ['20', 'FRAUD'];
    case 'auth_required':
      return ['38', 'Authentication required'];
    default:
      return assertNever(declineClass);
  }
}

type StoredDecline = Pick<StoredOperation, 'code' | 'declineClass' | 'message' | 'adviceCode'>;

/** Mastercard's words for the codes that scripts and test cards use. */
const ADVICE: Readonly<Record<string, string>> = {
  '01': 'New account information available',
  '02': 'Try again later',
  '03': 'Do not try again',
  '21': 'Stop recurring payment requests',
  '24': 'Retry after 1 hour',
};

/**
 * What the acquirer said, in `additionalData` of answers and webhooks. Recorded: `"05 : Do not honor"` and
 * `"01 : New account information available"` (activemerchant, `failed-authorize-avs` and `failed-authorize-mastercard`).
 */
export function acquirerDataOf({ code, message, adviceCode }: StoredDecline): Record<string, string> {
  return {
    ...(code !== null && { refusalReasonRaw: `${code} : ${message}` }),
    ...(adviceCode !== null && {
      merchantAdviceCode: `${adviceCode} : ${ADVICE[adviceCode] ?? 'See the network'}`,
    }),
  };
}
