import type { GatewayErrorFamily } from '../../domain/payments/gateway-error-family';
import type { PaymentMethod } from '../../domain/payments/payment';
import { errorOf } from '../error-answers';
import { GatewayError } from '../errors';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { errorReply, type AdyenError } from './wire';

/** Null for an answer that is not Adyen's own error: its body repeats the status. */
export function ownError({ status, text }: GatewayHttpResponse): AdyenError | null {
  const reply = errorReply.safeParse(parseJson(text));
  return reply.success && reply.data.status === status && status >= 400 ? reply.data : null;
}

/**
 * Errors of the type `validation` that say nothing about the request: https://docs.adyen.com/development-resources/error-codes and
 * https://docs.adyen.com/development-resources/api-idempotency (704: the request with this key is in progress or processed).
 */
const NOT_ABOUT_THE_REQUEST: ReadonlySet<string> = new Set(['0', '000', '701', '703', '704', '903', '904']);
/** Whether an error with this code is about what the request says. */
export const isAboutRequest = (code: string): boolean => !NOT_ABOUT_THE_REQUEST.has(code);
/** Codes of validation: fields of a payment (1..), of its bank account (2..), of an invoice (6..), of the body (7..), of a token (8..), of the Checkout API (14_, 15_). */
const VALIDATION_CODE = /^(?:[12678]\d{2}|90[26]|916|1[45]_\d{1,6})$/;
/** No acquirer account for the payment method: 905, 905_1, 905_2, 905_3, 907. */
const NOT_CONFIGURED = /^90[57](?:_\d)?$/;

/** The credential lacks a role: https://docs.adyen.com/development-resources/api-credentials#user-roles */
const NOT_ALLOWED: ReadonlySet<string> = new Set(['010', '10']);

/** What an error of a new payment may be about. */
export interface AskedPayment {
  readonly method: PaymentMethod;
  /** Whether sending a card number is the only right that it needs of the credential: no kept card, no series. */
  readonly isOneOff: boolean;
}

/**
 * The error of an answer that is not a success.
 *
 * @param payment null for any other request than a new payment
 */
export function adyenErrorOf(response: GatewayHttpResponse, payment: AskedPayment | null): GatewayError {
  const method = payment?.method ?? null;
  const own = ownError(response);
  if (own === null) return errorOf(response, { ownErrorCode: () => null, documentedAnswers: [] });
  const { errorCode, status } = own;
  const family = familyOf(own);
  if (family === 'bad_credentials' && NOT_ALLOWED.has(errorCode) && method === 'card') {
    const message = 'Adyen takes no card numbers from this credential: it needs the role API PCI Payments';
    return new GatewayError(
      'unsupported',
      message,
      errorCode,
      isAboutRawCards(own, payment) ? 'raw_cards' : null,
    );
  }
  if (family === 'unsupported') {
    const message = 'Adyen has not configured the payment method for this merchant account';
    // Of a card it may be the brand only.
    return new GatewayError(family, message, errorCode, method === 'card' ? null : method);
  }
  return new GatewayError(family, messageOf(family, status), errorCode);
}

/**
 * 010 says that the credential lacks a role for this request, and not which one. Only that of a card payment which needs no other
 * right is about the card number: https://help.adyen.com/en_US/knowledge/ecommerce-integrations/error-codes/why-do-i-receive-a-403-or-010-not-allowed-error
 */
function isAboutRawCards({ errorType, status }: AdyenError, payment: AskedPayment | null): boolean {
  return errorType === 'security' && status === 403 && payment?.isOneOff === true;
}

function familyOf({ errorType, errorCode, status }: AdyenError): GatewayErrorFamily {
  if (status === 429) return 'rate_limited';
  switch (errorType) {
    case 'security':
      return status === 401 || status === 403 ? 'bad_credentials' : 'ambiguous';
    case 'configuration':
      return NOT_CONFIGURED.test(errorCode) ? 'unsupported' : 'ambiguous';
    case 'validation':
      return validationFamily(errorCode);
    case 'internal':
      return 'ambiguous';
  }
}

function validationFamily(code: string): GatewayErrorFamily {
  if (NOT_ALLOWED.has(code) || code === '901') return 'bad_credentials';
  if (NOT_CONFIGURED.test(code)) return 'unsupported';
  return VALIDATION_CODE.test(code) && !NOT_ABOUT_THE_REQUEST.has(code) ? 'invalid_request' : 'ambiguous';
}

/** Adyen's sentences are not repeated: they may name what the request has. */
function messageOf(family: GatewayErrorFamily, status: number): string {
  switch (family) {
    case 'bad_credentials':
      return 'the gateway rejected the credentials';
    case 'rate_limited':
      return 'the gateway limits the request rate';
    case 'invalid_request':
      return 'the gateway rejected the request as invalid';
    case 'unsupported':
    case 'not_sent':
    case 'ambiguous':
      return `the gateway answered ${status}`;
  }
}
