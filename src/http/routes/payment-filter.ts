import type { PaymentListFilter } from '../../persistence/read-models/payment-list';

/** The query parameters that every list of payments takes. */
interface PaymentQuery {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly status?: PaymentListFilter['status'];
  readonly payment_method?: PaymentListFilter['paymentMethod'];
  readonly gateway?: PaymentListFilter['gateway'];
  readonly amount_from?: number | undefined;
  readonly amount_to?: number | undefined;
  readonly merchant_order_id?: string | undefined;
  readonly transaction_type?: PaymentListFilter['transactionType'];
}

export function paymentFilter(query: PaymentQuery): PaymentListFilter {
  return {
    startDate: query.start_date,
    endDate: query.end_date,
    status: query.status,
    paymentMethod: query.payment_method,
    gateway: query.gateway,
    amountFrom: query.amount_from,
    amountTo: query.amount_to,
    merchantOrderId: query.merchant_order_id,
    transactionType: query.transaction_type,
  };
}
