import type { PaymentLink } from '../../domain/checkout/payment-link';
import { containsCardNumber } from '../../domain/customers/card-number';
import { parseSearch } from '../../domain/search/search-text';
import { validationError } from '../../domain/shared/errors';
import type { PaymentLinkRepository } from '../../persistence/checkout/payment-link-repository';
import type { CustomerSearch, FoundCustomer } from '../../persistence/customers/customer-search';
import {
  findEvent,
  findLinks,
  findSubscriptions,
  type FoundEvent,
} from '../../persistence/search/other-search';
import type { MatchedPayment, PaymentSearch } from '../../persistence/search/payment-search';
import type { Database } from '../../persistence/sql/transaction';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';

export interface SearchDeps {
  readonly db: Database;
  readonly customerSearch: CustomerSearch;
  readonly paymentSearch: PaymentSearch;
  readonly subscriptions: SubscriptionRepository;
  readonly links: PaymentLinkRepository;
}

/** A kind's results, the surest first. */
export interface Found<Row> {
  readonly rows: readonly Row[];
  /** Whether more would be found by a longer list. */
  readonly hasMore: boolean;
}

export interface SearchResults {
  readonly customers: Found<FoundCustomer>;
  readonly payments: Found<MatchedPayment>;
  readonly subscriptions: Found<SubscriptionRecord>;
  readonly links: Found<PaymentLink>;
  readonly events: Found<FoundEvent>;
}

/** Results of each kind, at most. */
const MAX_RESULTS = 10;
/** Of so many customers, the newest payments and subscriptions are found too. */
const FEW_CUSTOMERS = 3;

/**
 * Finds what a text may stand for among a company's data of one mode. Names are found by how their words begin, orders and
 * links by how they begin, everything else by the whole of it.
 *
 * @throws ApiError `validation_error` on `q` if it is a card number, which should be in no address
 */
export async function search(deps: SearchDeps, companyId: number, q: string): Promise<SearchResults> {
  const text = parseSearch(q);
  if (text.document === null && containsCardNumber(q)) throw validationError({ q: [CARD_NUMBER_RULE] });
  const limit = MAX_RESULTS + 1;
  const customers = await deps.customerSearch.find(companyId, text, limit);
  const few = customers.length > FEW_CUSTOMERS ? [] : customers.map(({ customer }) => customer.id);
  const payments = await deps.paymentSearch.find(companyId, text, few, limit);
  const found = { companyId, ...text, customerIds: few, limit };
  const subscriptions = await findSubscriptions(deps.db, deps.subscriptions, found);
  const links = await findLinks(deps.db, deps.links, found);
  const event = await findEvent(deps.db, found);
  return {
    customers: cut(customers),
    payments: cut(payments),
    subscriptions: cut(subscriptions),
    links: cut(links),
    events: { rows: event === null ? [] : [event], hasMore: false },
  };
}

const CARD_NUMBER_RULE = 'must not be a card number: search for its last four digits';

function cut<Row>(rows: readonly Row[]): Found<Row> {
  return { rows: rows.slice(0, MAX_RESULTS), hasMore: rows.length > MAX_RESULTS };
}
