import type { components } from '../../../src/http/generated/openapi';
import { contract } from './contract';
import { openApiOperation, resolveResponse } from './contract-schemas';

type Payment = components['schemas']['Payment'];

const route = contract.routes.find(({ id }) => id === 'createCardPayment');
if (route === undefined) throw new Error('openapi.yaml has no createCardPayment');
const { requestBody, responses } = openApiOperation(route);

/** A copy of the contract’s example of a payment with a card number. */
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
