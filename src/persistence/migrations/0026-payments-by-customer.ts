import type { Migration } from './migration';

export const migration: Migration = {
  name: '0026-payments-by-customer',
  // A customer's payments, newest first. The next migration drops payments_customer, which it replaces.
  index: {
    name: 'payments_by_customer',
    definition: 'ON payments (customer_id, created_at DESC, id DESC)',
  },
};
