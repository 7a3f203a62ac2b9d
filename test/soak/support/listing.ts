import type { Shop } from './soak-merchant';
import type { components } from '../../../src/http/generated/openapi';

export type ListedPayment = components['schemas']['PaymentListItem'];
type Filter = Readonly<Record<string, string | number>>;

const PER_PAGE = 100;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Every page of the shop's listing, under a filter. */
export async function readListing(shop: Shop, filter: Filter = {}): Promise<ListedPayment[]> {
  const listed: ListedPayment[] = [];
  for (let page = 1, lastPage = 1; page <= lastPage; page += 1) {
    const { data, meta } = await readPage(shop, { ...filter, per_page: PER_PAGE, page });
    listed.push(...data);
    lastPage = meta.last_page;
  }
  return listed;
}

function readPage({ backend }: Shop, query: Filter) {
  return backend.ask('listPayments', 200, { query });
}

/** Where a filter counts or shows something else than what it says of the whole listing, in words. */
export async function filterViolations(shop: Shop, listing: readonly ListedPayment[]): Promise<string[]> {
  const checked = filtersOf(listing).map(async ([filter, belongs]) => {
    const expected = listing.filter(belongs).map(({ transaction_id }) => transaction_id);
    const { meta } = await readPage(shop, { ...filter, per_page: 1 });
    const shown = (await readListing(shop, filter)).map(({ transaction_id }) => transaction_id);
    const name = JSON.stringify(filter);
    return [
      ...(meta.total === expected.length ? [] : [`${name} counts ${meta.total} of ${expected.length}`]),
      ...(shown.join() === expected.join() ? [] : [`${name} shows other payments than it says`]),
    ];
  });
  return (await Promise.all(checked)).flat();
}

function filtersOf(
  listing: readonly ListedPayment[],
): ReadonlyArray<readonly [Filter, (item: ListedPayment) => boolean]> {
  const amounts = listing.map(({ amount }) => amount).sort((a, b) => a - b);
  const median = amounts[Math.floor(amounts.length / 2)] ?? 0;
  const order = listing[0]?.merchant_order_id ?? 'none';
  const everything = (): boolean => true;
  const nothing = (): boolean => false;
  return [
    ...(['pending', 'approved', 'failed', 'refunded'] as const).map(
      (status) => [{ status }, (item: ListedPayment) => item.status === status] as const,
    ),
    ...(['card', 'pix', 'billet'] as const).map(
      (payment_method) =>
        [{ payment_method }, (item: ListedPayment) => item.payment_method === payment_method] as const,
    ),
    ...(['gateway_1', 'gateway_2', 'gateway_3'] as const).map(
      (gateway) => [{ gateway }, (item: ListedPayment) => lastGateway(item) === gateway] as const,
    ),
    [
      { status: 'approved', payment_method: 'pix' },
      (item) => item.status === 'approved' && item.payment_method === 'pix',
    ],
    [{ amount_from: median }, ({ amount }) => amount >= median],
    [{ amount_to: median }, ({ amount }) => amount <= median],
    [{ merchant_order_id: order }, ({ merchant_order_id }) => merchant_order_id === order],
    [{ transaction_type: 'payment' }, everything],
    [{ transaction_type: 'withdraw' }, nothing],
    // A month is over in a minute: all of it is of yesterday, today or tomorrow, in any zone.
    [{ start_date: dayIn(-1), end_date: dayIn(1) }, everything],
    [{ start_date: dayIn(2) }, nothing],
    [{ end_date: dayIn(-2) }, nothing],
  ];
}

/** Of the last attempt to charge. */
function lastGateway({ transactions }: ListedPayment): string | undefined {
  return transactions.findLast(({ operation }) => operation === 'charge' || operation === 'authorize')
    ?.gateway;
}

function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}
