import type { SimulatorResponse } from '../../replies';

type ErrorType = 'internal' | 'validation' | 'security' | 'configuration';

/** `ServiceError` of the API. Codes and messages: https://docs.adyen.com/development-resources/error-codes */
export function serviceError(
  status: number,
  errorCode: string,
  message: string,
  errorType: ErrorType = 'validation',
): SimulatorResponse {
  return { status, body: { status, errorCode, message, errorType } };
}

/**
 * A later request with the same key is processed as if it was the first: the API's description of
 * `NO_CONNECTION_AVAILABLE` in Adyen/adyen-openapi, CheckoutService-v72.
 */
const TRANSIENT = { 'transient-error': 'true' };

/** The examples `generic-400` to `generic-500` of Adyen/adyen-openapi, and codes 701 and 703 of the page above. */
export function errorOfStatus(status: number): SimulatorResponse {
  switch (status) {
    case 400:
      return serviceError(400, '702', 'Unexpected input: ", expected: }');
    case 401:
      return serviceError(401, '000', 'HTTP Status Response - Unauthorized', 'security');
    case 403:
      return serviceError(403, '901', 'Invalid Merchant Account', 'security');
    case 404:
      return serviceError(404, '000', 'Not found');
    case 422:
      return serviceError(422, '14_030', 'Return URL is missing.');
    case 503:
      return {
        ...serviceError(503, '703', 'Required resource temporarily unavailable', 'internal'),
        headers: TRANSIENT,
      };
    default:
      return status >= 500
        ? serviceError(status, '701', 'Server could not process request', 'internal')
        : serviceError(status, '000', 'The request failed');
  }
}

/** https://docs.adyen.com/development-resources/api-idempotency: 422 or 409 for a request whose first one is not finished. */
export function inProgress(): SimulatorResponse {
  return { ...serviceError(422, '704', 'request already processed or in progress'), headers: TRANSIENT };
}

/** The account's credential may not send raw card numbers: 010 of the page above. */
export const rawCardsNotAllowed = (): SimulatorResponse =>
  serviceError(403, '010', 'Not allowed', 'security');

/** As wikimedia's and others' tests have recorded it of /payments: status 500, although nothing was processed. */
export const noAcquirer = (variant: string, currency: string): SimulatorResponse =>
  serviceError(
    500,
    '905_1',
    `Could not find an acquirer account for the provided txvariant (${variant}), currency (${currency}), and action (AUTH).`,
    'configuration',
  );

/** Recorded: `failed-capture`, `failed-refund` and `failed-void` of activemerchant. */
export const unknownPayment = (): SimulatorResponse =>
  serviceError(422, '167', 'Original pspReference required for this operation');

export const invalidMerchantAccount = (): SimulatorResponse => errorOfStatus(403);
