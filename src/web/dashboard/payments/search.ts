import { dateOf, oneOf, omitUndefined, textOf, wholeNumberOf, type RawSearch } from '../shared/search-params';
import {
  GATEWAYS,
  PAYMENT_ATTENTIONS,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  type GatewaySlug,
  type PaymentAttention,
  type PaymentMethod,
  type PaymentStatus,
} from './status-labels';

/**
 * Filters, named like the query parameters of `GET /user/payments`. They are stored in the URL, so that a list can be
 * shared.
 */
export interface PaymentSearch {
  readonly q?: string;
  readonly status?: PaymentStatus;
  readonly payment_method?: PaymentMethod;
  readonly gateway?: GatewaySlug;
  readonly start_date?: string;
  readonly end_date?: string;
  /** In cents. */
  readonly amount_from?: number;
  /** In cents. */
  readonly amount_to?: number;
  /** The customer's token. */
  readonly customer?: string;
  /** Last four digits of the card. */
  readonly last_four?: string;
  readonly attention?: PaymentAttention;
  readonly stuck?: boolean;
  /** Never without the value. */
  readonly metadata_key?: string;
  readonly metadata_value?: string;
  readonly page?: number;
}

export function paymentSearchOf(search: RawSearch): PaymentSearch {
  return omitUndefined({
    q: textOf(search, 'q'),
    status: oneOf(search, 'status', PAYMENT_STATUSES),
    payment_method: oneOf(search, 'payment_method', PAYMENT_METHODS),
    gateway: oneOf(search, 'gateway', GATEWAYS),
    start_date: dateOf(search, 'start_date'),
    end_date: dateOf(search, 'end_date'),
    amount_from: wholeNumberOf(search, 'amount_from'),
    amount_to: wholeNumberOf(search, 'amount_to'),
    customer: textOf(search, 'customer', 100),
    last_four: lastFourOf(search),
    attention: oneOf(search, 'attention', PAYMENT_ATTENTIONS),
    stuck: search['stuck'] === true ? true : undefined,
    ...metadataOf(search),
    page: wholeNumberOf(search, 'page', 2),
  });
}

function metadataOf(search: RawSearch): Pick<PaymentSearch, 'metadata_key' | 'metadata_value'> {
  const [key, value] = [textOf(search, 'metadata_key', 40), textOf(search, 'metadata_value', 500)];
  return key === undefined || value === undefined ? {} : { metadata_key: key, metadata_value: value };
}

const FOUR_DIGITS = /^\d{4}$/;

/** Written as a number, a URL has no leading zeros. */
function lastFourOf(search: RawSearch): string | undefined {
  const digits = textOf(search, 'last_four')?.padStart(4, '0');
  return digits !== undefined && FOUR_DIGITS.test(digits) ? digits : undefined;
}

/** Number of active filters, besides the search text. */
export function countFilters({ q: _q, page: _page, metadata_value: _, ...filters }: PaymentSearch): number {
  return Object.keys(filters).length;
}
