import { z } from 'zod';
import { decideOnCard } from '../../test-cards';
import { ONE_OFF } from '../../../gateways/simulator/wire';
import { type AsaasCustomers, customerObject } from './customers';
import { type AsaasEndpoint, type AsaasRequest, ok, reply } from './endpoint';
import { declined, invalid, invalidBody, invalidCustomer, notFound } from './errors';
import { isSandboxDecline, presented } from './cards';
import { pageOf, pagingOf } from './pages';
import { customerBody, isDocument, tokenizeBody } from './parameters';

/** `POST /v3/customers`: https://docs.asaas.com/reference/criar-novo-cliente. It moves no money, so no script applies. */
export function createCustomer(customers: AsaasCustomers, { body }: AsaasRequest): AsaasEndpoint {
  return reply(({ account }) => {
    const parsed = customerBody.safeParse(body);
    if (!parsed.success) return invalidBody(parsed.error);
    // Recorded `customer-invalid-document`.
    if (!isDocument(parsed.data.cpfCnpj))
      return invalid('invalid_object', 'O CPF/CNPJ informado é inválido.');
    return ok(customerObject(customers.create(account, parsed.data)));
  });
}

/** `GET /v3/customers/{id}` */
export function showCustomer(customers: AsaasCustomers, id: string): AsaasEndpoint {
  return reply(({ account }) => {
    const customer = customers.find(account, id);
    return customer === null ? notFound() : ok(customerObject(customer));
  });
}

const filters = z.strictObject({
  offset: z.string().optional(),
  limit: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  cpfCnpj: z.string().optional(),
  groupName: z.string().optional(),
  externalReference: z.string().optional(),
});

/** `GET /v3/customers` */
export function listCustomers(customers: AsaasCustomers, { query }: AsaasRequest): AsaasEndpoint {
  return reply(({ account }) => {
    const paging = pagingOf(query);
    const parsed = filters.safeParse(Object.fromEntries(query));
    if (!parsed.success) return invalidBody(parsed.error);
    if ('status' in paging) return paging;
    const { offset: _offset, limit: _limit, ...filter } = parsed.data;
    return ok(pageOf(customers.list(account, filter).map(customerObject), paging));
  });
}

/** `POST /v3/creditCard/tokenizeCreditCard`. The issuer is asked: recorded `tokenize-declined`. */
export function tokenizeCard(customers: AsaasCustomers, { body }: AsaasRequest): AsaasEndpoint {
  return reply(({ account }) => {
    const parsed = tokenizeBody.safeParse(body);
    if (!parsed.success) return invalidBody(parsed.error);
    const { customer, creditCard } = parsed.data;
    if (customers.find(account, customer) === null) return invalidCustomer();
    const decision = decideOnCard(presented(creditCard), ONE_OFF, new Date());
    if (decision.kind !== 'approve' || isSandboxDecline(creditCard.number)) return declined();
    return ok(customers.tokenize(customer, creditCard).facts);
  });
}
