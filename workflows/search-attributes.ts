import { defineSearchAttributeKey } from '@temporalio/common';

/** Upserted as the payment moves, so that support staff can list payments by state. Registered by `src/temporal/setup.ts`. */
export const paymentStatusKey = defineSearchAttributeKey('PaymentStatus', 'KEYWORD');
