import type { Migration } from './migration';

export const migration: Migration = {
  name: '0025-payments-last-four',
  // Finds payments by the last four digits of their card.
  index: {
    name: 'payments_last_four',
    definition: `ON payments (company_id, (card ->> 'last4Digits'), created_at DESC, id DESC) WHERE card IS NOT NULL`,
  },
};
