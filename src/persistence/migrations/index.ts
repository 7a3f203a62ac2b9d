import type { Migration } from './migration';
import { migration as payments } from './0001-payments';
import { migration as paymentLife } from './0002-payment-life';
import { migration as webhooks } from './0003-webhooks';
import { migration as people } from './0004-people';

/** In the order they are applied. */
export const migrations: readonly Migration[] = [payments, paymentLife, webhooks, people];
