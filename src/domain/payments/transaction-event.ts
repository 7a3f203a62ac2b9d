import type { PaymentStatus } from './payment';

/** What is told of a payment; `authorized` and `canceled` are added to the specification's set (decisions, section 5). */
export type TransactionEvent = `transaction.${Exclude<PaymentStatus, 'processing'>}`;
