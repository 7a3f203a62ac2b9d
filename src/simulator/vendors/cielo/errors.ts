import type { z } from 'zod';
import type { SimulatorResponse } from '../../replies';

/** The table of the API's error codes in the manual of the API E-commerce (DeveloperCielo/developercielo.github.io). */
const MESSAGES = {
  0: 'Internal error',
  101: 'MerchantId is required',
  102: 'Payment Type is required',
  104: 'Customer Identity is required',
  105: 'Customer Name is required',
  108: 'Amount must be greater or equal to zero',
  110: 'Invalid Payment Currency',
  114: 'The provided MerchantId is not in correct format',
  117: 'Credit Card Holder is required',
  118: 'Credit Card Number is required',
  119: 'At least one Payment is required',
  120: 'Request IP not allowed. Check your IP White List',
  121: 'Customer is required',
  122: 'MerchantOrderId is required',
  123: 'Installments must be greater or equal to one',
  124: 'Credit Card is Required',
  126: 'Credit Card Expiration Date is invalid',
  128: 'Card Number length exceeded',
  132: 'MerchantKey is invalid',
  133: 'Provider is not supported for this Payment Type',
  146: 'SecurityCode length exceeded',
  161: 'Boleto Instructions length exceeded',
  173: 'Payment method is not enabled',
  177: 'Card Number is invalid',
  182: 'Brand is required',
  184: 'Request could not be empty',
  186: 'The selected provider does not support the options provided (Capture, Authenticate, Recurrent or Installments)',
  197: 'Street is required',
  198: 'Number is required',
  199: 'ZipCode is required',
  200: 'City is required',
  201: 'State is required',
  202: 'District is required',
  214: 'Credit Card Holder Must Have Only Letters',
  307: 'Transaction not found',
  308: 'Transaction not available to capture',
  309: 'Transaction not available to void',
  310: 'Payment method doest not support this operation',
  312: 'Transaction not available to refund',
  322: 'Zero Dollar Auth is not enabled',
} as const;
export type CieloErrorCode = keyof typeof MESSAGES;

/** Every error is a list of codes: https://developercielo.github.io/manual/cielo-ecommerce#erros-de-integração */
export function failure(code: CieloErrorCode, status = 400, detail = ''): SimulatorResponse {
  return { status, body: [{ Code: code, Message: `${MESSAGES[code]}${detail}` }] };
}

/** An empty body: https://github.com/DeveloperCielo/API-3.0-PHP/issues/222 */
export const notFound = (): SimulatorResponse => ({ status: 404, body: {}, isEmpty: true });

/** The error with the status of a script. The manual lists the statuses, and a body only for 400. */
export function errorOfStatus(status: number): SimulatorResponse {
  if (status === 404) return notFound();
  if (status === 401) return failure(132, 401);
  if (status === 403) return failure(120, 403);
  return status >= 500 ? failure(0, status) : failure(184, status);
}

/** The code of a missing or wrong field. */
const FIELD_CODES: Readonly<Record<string, CieloErrorCode>> = {
  MerchantOrderId: 122,
  Customer: 121,
  'Customer.Name': 105,
  'Customer.Identity': 104,
  'Customer.IdentityType': 104,
  'Customer.Address': 197,
  'Customer.Address.Street': 197,
  'Customer.Address.Number': 198,
  'Customer.Address.ZipCode': 199,
  'Customer.Address.City': 200,
  'Customer.Address.State': 201,
  'Customer.Address.District': 202,
  Payment: 119,
  'Payment.Type': 102,
  'Payment.Amount': 108,
  'Payment.Currency': 110,
  'Payment.Installments': 123,
  'Payment.Provider': 133,
  'Payment.Instructions': 161,
  'Payment.CreditCard': 124,
};

const CARD_CODES: Readonly<Record<string, CieloErrorCode>> = {
  CardNumber: 118,
  Holder: 117,
  ExpirationDate: 126,
  SecurityCode: 146,
  Brand: 182,
};

/**
 * The first wrong field. The manual does not say what happens to a field that it does not know; it is refused here, so that a
 * misspelled one shows. 184 stands for what has no code of its own.
 */
export function invalidBody(error: z.ZodError): SimulatorResponse {
  const issue = error.issues[0];
  const path = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys')
    return failure(184, 400, ` (unknown: ${[path, ...issue.keys].filter(Boolean).join('.')})`);
  const field = path.split('.').at(-1) ?? '';
  if (field === 'Holder' && issue?.code === 'invalid_format') return failure(214);
  if (field === 'CardNumber' && issue?.code !== 'invalid_type')
    return failure(issue?.code === 'too_big' ? 128 : 177);
  // The fields of a card are below the payment, or in the body of a verification.
  const ofCard = path === field || path.includes('CreditCard.') ? CARD_CODES[field] : undefined;
  return failure(FIELD_CODES[path] ?? ofCard ?? 184, 400, path === '' ? '' : ` (${path})`);
}
