import type { Migration } from './migration';

export const migration: Migration = {
  name: '0038-failed-deliveries',
  // The failed deliveries of an endpoint, which a list shows and a bulk resend takes.
  index: {
    name: 'webhook_deliveries_endpoint_failed',
    definition: `ON webhook_deliveries (endpoint_id, id DESC) WHERE status = 'failed'`,
  },
};
