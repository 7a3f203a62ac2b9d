import type { Migration } from './migration';

export const migration: Migration = {
  name: '0010-operation-exports',
  // What exports of refunds and of splits read, newest first.
  index: {
    name: 'gateway_attempts_exported',
    definition: `ON gateway_attempts (company_id, created_at DESC, id DESC) WHERE operation = 'refund' OR splits IS NOT NULL`,
  },
};
