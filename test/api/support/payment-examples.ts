import type { components } from '../../../src/http/generated/openapi';
import { contract } from './contract';
import { fullOperation, resolveResponse } from './contract-schemas';

type Payment = components['schemas']['Payment'];

const operation = contract.operations.find(({ id }) => id === 'createCardPayment');
if (operation === undefined) throw new Error('openapi.yaml has no createCardPayment');
const { requestBody, responses } = fullOperation(operation);

/** The contract's own example of a payment with a raw card, as a fresh copy. */
export function examplePaymentRequest(): Record<string, unknown> & { card: Record<string, unknown> } {
  return structuredClone(requestBody?.content['application/json']?.examples?.['rawCard']?.value) as Record<
    string,
    unknown
  > & { card: Record<string, unknown> };
}

export function examplePayment(): Payment {
  const response = responses['200'] && resolveResponse(responses['200']);
  return structuredClone(response?.content?.['application/json']?.examples?.['approved']?.value) as Payment;
}
