import type { Migration } from './migration';

export const migration: Migration = {
  name: '0023-payments-order-prefix',
  // Finds orders by how they begin, in either case. COLLATE "C", so that a prefix is a range.
  index: {
    name: 'payments_order_prefix',
    definition: `ON payments (company_id, (lower(merchant_order_id) COLLATE "C"), id DESC)`,
  },
};
