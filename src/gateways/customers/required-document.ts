import { GatewayError } from '../errors';
import type { GatewayCustomer } from '../gateway';

/**
 * The document of a customer at a gateway that takes no payment without one.
 *
 * @throws GatewayError `unsupported`, before anything is sent, so that another gateway is tried
 */
export function requiredDocument({ document }: GatewayCustomer): string {
  if (document === null) throw new GatewayError('unsupported', 'it needs the CPF or CNPJ of the customer');
  return document;
}
