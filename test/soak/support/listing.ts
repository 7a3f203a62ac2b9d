import type { components } from '../../../src/http/generated/openapi';
import type { SoakMerchant } from './soak-merchant';

export type ListedPaymentItem = components['schemas']['PaymentListItem'];
type ListFilter = Readonly<Record<string, string | number>>;

const PER_PAGE = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

/** All pages of the merchant's payment list. */
export async function readListing(
  merchant: SoakMerchant,
  filter: ListFilter = {},
): Promise<ListedPaymentItem[]> {
  const listed: ListedPaymentItem[] = [];
  for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
    const { data, meta } = await readPage(merchant, { ...filter, per_page: PER_PAGE, page });
    listed.push(...data);
    lastPage = meta.last_page;
  }
  return listed;
}

function readPage({ backend }: SoakMerchant, query: ListFilter) {
  return backend.call('listPayments', 200, { query });
}

/** Checks the filters of the list, and their totals, against the unfiltered list. */
export async function filterViolations(
  merchant: SoakMerchant,
  listing: readonly ListedPaymentItem[],
): Promise<string[]> {
  const checked = filtersOf(listing).map(async ([filter, matches]) => {
    const expected = listing.filter(matches).map(({ transaction_id }) => transaction_id);
    const { meta } = await readPage(merchant, { ...filter, per_page: 1 });
    const shown = (await readListing(merchant, filter)).map(({ transaction_id }) => transaction_id);
    const description = JSON.stringify(filter);
    return [
      ...(meta.total === expected.length
        ? []
        : [`the total for ${description} is ${meta.total}, expected ${expected.length}`]),
      ...(shown.join() === expected.join()
        ? []
        : [`the payments for ${description} are not the expected ones`]),
    ];
  });
  return (await Promise.all(checked)).flat();
}

function filtersOf(
  listing: readonly ListedPaymentItem[],
): ReadonlyArray<readonly [ListFilter, (item: ListedPaymentItem) => boolean]> {
  const amounts = listing.map(({ amount }) => amount).sort((a, b) => a - b);
  const median = amounts[Math.floor(amounts.length / 2)] ?? 0;
  const order = listing[0]?.merchant_order_id ?? 'none';
  const all = (): boolean => true;
  const none = (): boolean => false;
  return [
    ...(['pending', 'approved', 'failed', 'refunded'] as const).map(
      (status) => [{ status }, (item: ListedPaymentItem) => item.status === status] as const,
    ),
    ...(['card', 'pix', 'billet'] as const).map(
      (payment_method) =>
        [{ payment_method }, (item: ListedPaymentItem) => item.payment_method === payment_method] as const,
    ),
    ...(['gateway_1', 'gateway_2', 'gateway_3'] as const).map(
      (gateway) => [{ gateway }, (item: ListedPaymentItem) => lastGateway(item) === gateway] as const,
    ),
    [
      { status: 'approved', payment_method: 'pix' },
      (item) => item.status === 'approved' && item.payment_method === 'pix',
    ],
    [{ amount_from: median }, ({ amount }) => amount >= median],
    [{ amount_to: median }, ({ amount }) => amount <= median],
    [{ merchant_order_id: order }, ({ merchant_order_id }) => merchant_order_id === order],
    [{ transaction_type: 'payment' }, all],
    [{ transaction_type: 'withdraw' }, none],
    // All payments are a few minutes old: in any time zone they are of yesterday, today or tomorrow.
    [{ start_date: dayIn(-1), end_date: dayIn(1) }, all],
    [{ start_date: dayIn(2) }, none],
    [{ end_date: dayIn(-2) }, none],
  ];
}

/** The gateway of the last charge attempt. */
function lastGateway({ transactions }: ListedPaymentItem): string | undefined {
  return transactions.findLast(({ operation }) => operation === 'charge' || operation === 'authorize')
    ?.gateway;
}

function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
