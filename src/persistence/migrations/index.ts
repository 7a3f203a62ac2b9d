import type { Migration } from './migration';
import { migration as payments } from './0001-payments';
import { migration as paymentLife } from './0002-payment-life';
import { migration as webhooks } from './0003-webhooks';
import { migration as people } from './0004-people';
import { migration as companyConfig } from './0005-company-config';
import { migration as counters } from './0006-counters';
import { migration as audit } from './0007-audit';
import { migration as desk } from './0008-desk';
import { migration as callbackStanding } from './0009-callback-standing';
import { migration as subscriptions } from './0010-subscriptions';
import { migration as vaultSweep } from './0011-vault-sweep';
import { migration as paymentLinks } from './0012-payment-links';
import { migration as discountedPeriods } from './0013-discounted-periods';
import { migration as olderWebhookSecrets } from './0014-older-webhook-secrets';

/** In the order they are applied. */
export const migrations: readonly Migration[] = [
  payments,
  paymentLife,
  webhooks,
  people,
  companyConfig,
  counters,
  audit,
  desk,
  callbackStanding,
  subscriptions,
  vaultSweep,
  paymentLinks,
  discountedPeriods,
  olderWebhookSecrets,
];
