import type { Migration } from './migration';
import { auditLog } from './initial/audit-log';
import { cardErasure } from './initial/card-erasure';
import { cardVerifications } from './initial/card-verifications';
import { checkout } from './initial/checkout';
import { companies } from './initial/companies';
import { counters } from './initial/counters';
import { customers } from './initial/customers';
import { gateways } from './initial/gateways';
import { manualReviews } from './initial/manual-reviews';
import { payments } from './initial/payments';
import { plans } from './initial/plans';
import { subscriptions } from './initial/subscriptions';
import { webhooks } from './initial/webhooks';

/** The whole schema. A module's tables reference only tables of the modules before it. */
export const migration: Migration = {
  name: '0001-initial',
  up: [
    companies,
    auditLog,
    gateways,
    customers,
    plans,
    checkout,
    subscriptions,
    payments,
    manualReviews,
    cardVerifications,
    cardErasure,
    counters,
    webhooks,
  ].join(''),
};
