import { validationError } from '../../domain/shared/errors';
import type { PaymentListFilter } from '../../persistence/read-models/payment-conditions';

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
  readonly metadata_key?: string | undefined;
  readonly metadata_value?: string | undefined;
  readonly transaction_type?: PaymentListFilter['transactionType'];
}

/** @throws ApiError `validation_error` on `metadata_key` or `metadata_value` if one is given without the other */
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
    metadata: metadataPair(query),
    transactionType: query.transaction_type,
  };
}

/** With the filters that only the company's users have. */
export function userPaymentFilter(
  query: PaymentQuery &
    Pick<PaymentListFilter, 'q' | 'stuck' | 'customer' | 'attention'> & {
      readonly last_four?: string | undefined;
    },
): PaymentListFilter {
  const { q, stuck, customer, attention, last_four: lastFour } = query;
  return { ...paymentFilter(query), q, stuck, customer, attention, lastFour };
}

function metadataPair({
  metadata_key: key,
  metadata_value: value,
}: PaymentQuery): PaymentListFilter['metadata'] {
  if (key !== undefined && value === undefined)
    throw validationError({ metadata_value: ['is required with metadata_key'] });
  if (value !== undefined && key === undefined)
    throw validationError({ metadata_key: ['is required with metadata_value'] });
  return key === undefined || value === undefined ? undefined : { key, value };
}
