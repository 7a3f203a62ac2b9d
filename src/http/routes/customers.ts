import type { CreateOnce } from '../../application/shared/create-once';
import type { CustomerCards } from '../../application/customers/customer-cards';
import type { Customers } from '../../application/customers/customers';
import { presentSavedCard } from '../../presenters/card';
import { presentCustomer } from '../../presenters/customer';
import { presentPage } from '../../presenters/page';
import type { RouteHandlers } from '../server/route';
import { answerCreation } from './creation';
import { pageRequest } from './page-request';

export interface CustomerRouteDeps {
  readonly customers: Customers;
  readonly customerCards: CustomerCards;
  readonly createOnce: CreateOnce;
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
  createOnce,
}: CustomerRouteDeps): Pick<RouteHandlers, CustomerRouteId> {
  return {
    createCustomer: (request) =>
      answerCreation(createOnce, request, () => customers.save(request.company.id, request.body), {
        status: 201,
        present: (customer) => ({ data: presentCustomer(customer) }),
      }),

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

    createCustomerCard: (request) => {
      const { company, params, body, receivedAt } = request;
      const customer = { companyId: company.id, token: params.token };
      return answerCreation(createOnce, request, () => customerCards.save(customer, body, receivedAt), {
        status: 201,
        present: (card) => ({ data: presentSavedCard(card) }),
      });
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
