import type { Migration } from './migration';

export const migration: Migration = {
  name: '0044-disputes-undecided',
  index: {
    name: 'disputes_undecided',
    definition: "ON disputes (company_id, payment_id) WHERE status IN ('opened', 'submitted')",
  },
};
