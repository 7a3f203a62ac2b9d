import type { CustomerCards } from '../../../application/customers/customer-cards';
import type { Customers } from '../../../application/customers/customers';
import type { CustomerPurchase } from '../../../persistence/read-models/customer-purchases';
import { presentUserCustomer } from '../../../presenters/customers/user-customer';
import { presentCustomer } from '../../../presenters/customer';
import { presentPage } from '../../../presenters/page';
import type { RouteHandlers } from '../../server/route';
import { pageRequest } from '../page-request';

export interface UserCustomerRouteDeps {
  readonly customers: Customers;
  readonly customerCards: CustomerCards;
  readonly listPurchases: (customerId: number, limit: number) => Promise<CustomerPurchase[]>;
}

/** Cards and purchases that a customer's page shows, the newest ones. */
const SHOWN = 20;

/** Customers for the company's users. */
export function userCustomerRoutes({
  customers,
  customerCards,
  listPurchases,
}: UserCustomerRouteDeps): Pick<RouteHandlers, 'listUserCustomers' | 'getUserCustomer'> {
  return {
    listUserCustomers: async ({ company, query }) => {
      const page = pageRequest(query);
      const { email, document } = query;
      const found = await customers.list(company.id, { email, document }, page);
      return { status: 200, body: presentPage(found, page, presentCustomer) };
    },

    getUserCustomer: async ({ company, params: { token } }) => {
      const customer = await customers.get(company.id, token);
      const cards = await customerCards.list({ companyId: company.id, token }, { number: 1, size: SHOWN });
      const purchases = await listPurchases(customer.id, SHOWN);
      return { status: 200, body: { data: presentUserCustomer(customer, cards.rows, purchases) } };
    },
  };
}
