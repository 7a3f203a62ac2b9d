import type { PaymentState } from '../../../../src/domain/payments/payment-lifecycle';

/** A new payment of 100.00. */
export const processing = (change: Partial<PaymentState> = {}): PaymentState => ({
  status: 'processing',
  code: null,
  paymentMethod: 'pix',
  amountCents: 10_000,
  capturedAmountCents: 0,
  refundedAmountCents: 0,
  paidAmountCents: null,
  ...change,
});

export const pending = (change: Partial<PaymentState> = {}): PaymentState =>
  processing({ status: 'pending', ...change });

export const authorized = (change: Partial<PaymentState> = {}): PaymentState =>
  processing({ status: 'authorized', paymentMethod: 'card', ...change });

export const approved = (change: Partial<PaymentState> = {}): PaymentState =>
  processing({ status: 'approved', capturedAmountCents: 10_000, ...change });
