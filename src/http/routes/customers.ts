import type { CreateOnce } from '../../application/shared/create-once';
import type { CustomerCards } from '../../application/customers/customer-cards';
import { eraseCustomer, type EraseCustomerDeps } from '../../application/customers/erase-customer';
import type { Customers } from '../../application/customers/customers';
import { personalContent } from '../../domain/customers/personal-data';
import { presentSavedCard } from '../../presenters/card';
import { presentCustomer } from '../../presenters/customer';
import { presentPage } from '../../presenters/page';
import type { RouteHandlers } from '../server/route';
import { answerCreation } from './creation';
import { pageRequest } from './page-request';

export interface CustomerRouteDeps {
  readonly customers: Customers;
  readonly customerCards: CustomerCards;
  readonly erasure: EraseCustomerDeps;
  readonly createOnce: CreateOnce;
}

type CustomerRouteId =
  | 'createCustomer'
  | 'listCustomers'
  | 'getCustomer'
  | 'updateCustomer'
  | 'eraseCustomer'
  | 'createCustomerCard'
  | 'listCustomerCards'
  | 'deleteCustomerCard';

export function customerRoutes({
  customers,
  customerCards,
  erasure,
  createOnce,
}: CustomerRouteDeps): Pick<RouteHandlers, CustomerRouteId> {
  return {
    createCustomer: (request) =>
      answerCreation(createOnce, request, () => customers.save(request.company.id, request.body), {
        status: 201,
        present: (customer) => ({ data: presentCustomer(customer) }),
        personal: (customer) => personalContent('customer', customer),
      }),

    async listCustomers({ company, query }) {
      const page = pageRequest(query);
      const { email, document } = query;
      const found = await customers.list(company.id, { email, document }, page);
      return { status: 200, body: presentPage(found, page, presentCustomer) };
    },

    async getCustomer({ company, params }) {
      return { status: 200, body: { data: presentCustomer(await customers.get(company.id, params.token)) } };
    },

    async updateCustomer({ company, params, body }) {
      const { name, email, document, phone, address, metadata } = body;
      const change = { name, email, document, phone, address, metadata };
      const changed = await customers.update({ companyId: company.id, token: params.token }, change);
      return { status: 200, body: { data: presentCustomer(changed) } };
    },

    async eraseCustomer({ company, params }) {
      await eraseCustomer(erasure, { companyId: company.id, token: params.token });
      return { status: 204 };
    },

    createCustomerCard: (request) => {
      const { company, params, body, receivedAt } = request;
      const save = () => customerCards.save(company, params.token, body, receivedAt);
      return answerCreation(createOnce, request, save, {
        status: 201,
        present: (saved) => ({ data: presentSavedCard(saved.card) }),
        personal: (saved) => personalContent('savedCard', saved.customer),
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
