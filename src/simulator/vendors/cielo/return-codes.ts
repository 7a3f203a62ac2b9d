import type { DeclineClass } from '../../../domain/payments/decline';
import type { StoredCharge, StoredOperation } from '../../charge-store';
import type { Behavior } from '../../scripts';
import type { CieloObject } from './endpoint';

/** https://developercielo.github.io/manual/cielo-ecommerce#cartão-de-crédito-em-sandbox: 4 authorized, 6 captured. */
const AUTHORIZED = '4';
export const CAPTURED = '6';
/** The table of return codes of cancellations: the whole sale, a part of it, and a request that repeats one under way. */
export const VOIDED = { whole: '9', part: '0', repeated: '223', under_way: '476', too_much: '102' } as const;
const SUCCESS = 'Operation Successful';

/** The acquirer's own codes for refusals without a code of the network (the manual's page on ABECS and other codes). */
const OWN_CODES: Readonly<Record<DeclineClass, string>> = {
  soft: '99',
  hard: 'BN',
  fraud: 'BP171',
  auth_required: 'AI',
};

/** The last digit of a card number decides in Cielo's sandbox; 9 is random there, and approved here. */
const SANDBOX_DIGITS: Readonly<Record<string, string>> = {
  '2': '05',
  '3': '57',
  '5': '78',
  '6': '99',
  '7': '77',
  '8': '70',
};
const SIMULATOR_CARDS = /^(?:40{9}|510{8})/;

/** The behaviour with which the core declines such a card. The simulator's own test cards keep their results. */
export function withSandboxDecline(behavior: Behavior, number: string): Behavior {
  const code = SIMULATOR_CARDS.test(number) ? undefined : SANDBOX_DIGITS[number.slice(-1)];
  return code === undefined || behavior.decline_class !== undefined
    ? behavior
    : { decline: code, ...behavior };
}

/** The result of a sale. A Merchant Advice Code has no leading zero, as in the manual's example. */
export function returnOf(charge: StoredCharge): CieloObject {
  const { status, method, adviceCode } = charge;
  if (method === 'pix') return { ReturnCode: '0', ReturnMessage: 'Pix gerado com sucesso' };
  if (status !== 'declined')
    return { ReturnCode: charge.captured > 0 ? CAPTURED : AUTHORIZED, ReturnMessage: SUCCESS };
  return {
    ReturnCode: codeOf(charge),
    ReturnMessage: charge.message,
    ...(adviceCode !== null && { MerchantAdviceCode: String(Number(adviceCode)) }),
  };
}

/** The code of a refusal: the network's, or else one of the acquirer. */
export function codeOf({ code, declineClass }: Pick<StoredOperation, 'code' | 'declineClass'>): string {
  return code ?? OWN_CODES[declineClass ?? 'soft'];
}

/** The result of a capture or void: reason 0 for success, 7 for a refusal (the table of reason codes). */
export function resultPart(code: string, isRefused: boolean, message: string = SUCCESS): CieloObject {
  return {
    ReasonCode: isRefused ? 7 : 0,
    ReasonMessage: isRefused ? 'Denied' : 'Successful',
    ReturnCode: code,
    ReturnMessage: message,
  };
}
