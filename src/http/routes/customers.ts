import type { CustomerCards } from '../../application/customers/customer-cards';
import type { Customers } from '../../application/customers/customers';
import { presentSavedCard } from '../../presenters/card';
import { presentCustomer } from '../../presenters/customer';
import { presentPage } from '../../presenters/page';
import type { RouteHandlers } from '../server/route';
import { pageRequest } from './page-request';

export interface CustomerRouteDeps {
  readonly customers: Customers;
  readonly customerCards: CustomerCards;
}

type CustomerRouteId =
  | 'createCustomer'
  | 'listCustomers'
  | 'getCustomer'
  | 'createCustomerCard'
  | 'listCustomerCards'
  | 'deleteCustomerCard';

export function customerRoutes({
  customers,
  customerCards,
}: CustomerRouteDeps): Pick<RouteHandlers, CustomerRouteId> {
  return {
    async createCustomer({ company, body }) {
      return { status: 201, body: { data: presentCustomer(await customers.save(company.id, body)) } };
    },

    async listCustomers({ company, query }) {
      const page = pageRequest(query);
      return {
        status: 200,
        body: presentPage(await customers.list(company.id, page), page, presentCustomer),
      };
    },

    async getCustomer({ company, params }) {
      return { status: 200, body: { data: presentCustomer(await customers.get(company.id, params.token)) } };
    },

    async createCustomerCard({ company, params, body, receivedAt }) {
      const customer = { companyId: company.id, token: params.token };
      return {
        status: 201,
        body: { data: presentSavedCard(await customerCards.save(customer, body, receivedAt)) },
      };
    },

    async listCustomerCards({ company, params, query }) {
      const page = pageRequest(query);
      const cards = await customerCards.list({ companyId: company.id, token: params.token }, page);
      return { status: 200, body: presentPage(cards, page, presentSavedCard) };
    },

    async deleteCustomerCard({ company, params }) {
      await customerCards.delete({ companyId: company.id, token: params.token }, params.card_token);
      return { status: 204 };
    },
  };
}
