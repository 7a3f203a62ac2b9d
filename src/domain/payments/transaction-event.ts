import type { PaymentStatus } from './payment';

/** The webhook events of a payment: one for each status that a payment can reach (docs/decisions/webhooks.md). */
export type TransactionEvent = `transaction.${Exclude<PaymentStatus, 'processing'>}`;
