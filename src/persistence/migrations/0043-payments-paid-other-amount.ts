import type { Migration } from './migration';

export const migration: Migration = {
  name: '0043-payments-paid-other-amount',
  // The pix and boletos of which more or less than the amount was paid, for the lists and counts of them.
  index: {
    name: 'payments_paid_other_amount',
    definition: 'ON payments (company_id, created_at DESC, id DESC) WHERE paid_amount_cents <> amount_cents',
  },
};
