import type { z } from 'zod';
import type { SimulatorResponse } from '../../replies';
import { serviceError } from './errors';

type Issue = z.core.$ZodIssue;

/** The names of the API's structures, by the path of their object. */
const STRUCTURES: Readonly<Record<string, string>> = {
  amount: 'Amount',
  paymentMethod: 'PaymentMethodDetails',
  billingAddress: 'BillingAddress',
  shopperName: 'ShopperName',
  installments: 'Installments',
  authenticationData: 'AuthenticationData',
};

/** What is missing, by its field. 14_030: example `generic-422` of the API; 130: recorded `failed-credit`; 100: `failed-invalid-amount`. */
const MISSING: Readonly<Record<string, readonly [code: string, message: string]>> = {
  amount: ['100', 'There is no amount specified in the request'],
  'amount.value': ['100', 'There is no amount specified in the request'],
  reference: ['130', "Required field 'reference' is not provided."],
  returnUrl: ['14_030', 'Return URL is missing.'],
};

/**
 * The answer to an invalid body. What cannot be parsed comes first: an unknown field or a wrong type is 400 with 702, as
 * integrations quote it ("Structure of PaymentRequest contains the following unknown fields: [..]"). Any other problem is 422.
 */
export function invalidBody({ issues }: z.ZodError, structure: string): SimulatorResponse {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown !== undefined) {
    const name = STRUCTURES[unknown.path.join('.')] ?? structure;
    return serviceError(
      400,
      '702',
      `Structure of ${name} contains the following unknown fields: [${unknown.keys.join(', ')}]`,
    );
  }
  const wrongType = issues.find((issue) => issue.code === 'invalid_type' && !isMissing(issue));
  if (wrongType !== undefined)
    return serviceError(400, '702', `Unexpected input: ${wrongType.path.join('.')}, ${wrongType.message}`);
  const [first] = issues;
  const field = first?.path.join('.') ?? '';
  if (first !== undefined && isMissing(first)) {
    // 132 and its kin name the field; the codes of fields that are not listed here are not documented.
    const [code, message] = MISSING[field] ?? ['132', `Required field '${field}' is not provided.`];
    return serviceError(422, code, message);
  }
  // 137 is documented; 187 is in an example of the API, for one field.
  return field === 'amount.value'
    ? serviceError(422, '137', 'Invalid amount specified')
    : serviceError(422, '187', `Field '${field}' is not valid.`);
}

function isMissing(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}
