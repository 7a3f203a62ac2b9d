import type { Migration } from './migration';

export const migration: Migration = {
  name: '0024-payments-amount',
  index: {
    name: 'payments_amount',
    definition: 'ON payments (company_id, amount_cents, created_at DESC, id DESC)',
  },
};
