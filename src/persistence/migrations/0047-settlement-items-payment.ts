import type { Migration } from './migration';

/** For the differences of a payment, which its page shows. */
export const migration: Migration = {
  name: '0047-settlement-items-payment',
  index: {
    name: 'settlement_items_payment',
    definition: 'ON settlement_items (company_id, transaction_id, id) WHERE transaction_id IS NOT NULL',
  },
};
