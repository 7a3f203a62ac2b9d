import type { Exports } from '../../../application/exports/exports';
import { csvHeader, csvLines, type CsvColumn, type CsvDelimiter } from '../../../presenters/exports/csv';
import {
  EVENT_COLUMNS,
  PAYMENT_COLUMNS,
  REFUND_COLUMNS,
  SPLIT_COLUMNS,
  SUBSCRIPTION_COLUMNS,
  subscriptionCells,
} from '../../../presenters/exports/columns';
import type { RouteHandlers, RouteRequest, RouteResponse } from '../../server/route';
import { paymentFilter, userPaymentFilter } from '../payment-filter';

export interface ExportRouteDeps {
  readonly exports: Exports;
}

type ExportRouteId =
  | 'exportPayments'
  | 'exportRefunds'
  | 'exportSplits'
  | 'exportSubscriptions'
  | 'exportEvents'
  | 'exportUserPayments'
  | 'exportUserRefunds'
  | 'exportUserSplits'
  | 'exportUserSubscriptions'
  | 'exportUserEvents';

/** Everything of one kind as CSV, by API key and for the company's users. */
export function exportRoutes({ exports }: ExportRouteDeps): Pick<RouteHandlers, ExportRouteId> {
  const refunds = async ({ company, query }: RequestOf<'exportRefunds'>) =>
    csv(
      'refunds',
      query,
      REFUND_COLUMNS,
      exports.refunds(company, operationFilter(query), query.after ?? null),
    );
  const splits = async ({ company, query }: RequestOf<'exportSplits'>) =>
    csv('splits', query, SPLIT_COLUMNS, exports.splits(company, operationFilter(query), query.after ?? null));
  const subscriptions = async ({ company, query }: RequestOf<'exportSubscriptions'>) => {
    const filter = { ...query, startDate: query.start_date, endDate: query.end_date };
    const pages = exports.subscriptions(company, filter, query.after ?? null);
    return csv('subscriptions', query, SUBSCRIPTION_COLUMNS, mapped(pages, subscriptionCells));
  };
  const events = async ({ company, query }: RequestOf<'exportEvents'>) =>
    csv('events', query, EVENT_COLUMNS, exports.events(company, query.type ?? null, query.after ?? null));
  return {
    exportPayments: async ({ company, query }) => {
      const pages = exports.payments(company, paymentFilter(query), query.after ?? null);
      return csv('payments', query, PAYMENT_COLUMNS, pages);
    },
    exportUserPayments: async ({ company, query }) => {
      const pages = exports.payments(company, userPaymentFilter(query), query.after ?? null);
      return csv('payments', query, PAYMENT_COLUMNS, pages);
    },
    exportRefunds: refunds,
    exportUserRefunds: refunds,
    exportSplits: splits,
    exportUserSplits: splits,
    exportSubscriptions: subscriptions,
    exportUserSubscriptions: subscriptions,
    exportEvents: events,
    exportUserEvents: events,
  };
}

type RequestOf<Id extends ExportRouteId> = Pick<RouteRequest<Id>, 'company' | 'query'>;

function operationFilter({ start_date, end_date, gateway }: RequestOf<'exportRefunds'>['query']) {
  return { startDate: start_date, endDate: end_date, gateway };
}

function csv<Row>(
  name: string,
  {
    after,
    delimiter = 'comma',
  }: { readonly after?: string | undefined; readonly delimiter?: CsvDelimiter | undefined },
  columns: readonly CsvColumn<Row>[],
  pages: AsyncGenerator<readonly Row[]>,
): RouteResponse {
  const header = after === undefined ? csvHeader(columns, delimiter) : '';
  return {
    status: 200,
    headers: { 'Content-Disposition': `attachment; filename="${name}.csv"` },
    stream: {
      type: 'text/csv; charset=utf-8',
      chunks: chunksOf(header, pages, (rows) => csvLines(columns, rows, delimiter)),
    },
  };
}

/** The header comes with the first rows, so that an error before them has a status of its own. */
async function* chunksOf<Row>(
  header: string,
  pages: AsyncGenerator<readonly Row[]>,
  present: (rows: readonly Row[]) => string,
): AsyncGenerator<string> {
  let prefix = header;
  for await (const rows of pages) {
    yield prefix + present(rows);
    prefix = '';
  }
}

async function* mapped<From, To>(
  pages: AsyncGenerator<readonly From[]>,
  map: (row: From) => To,
): AsyncGenerator<readonly To[]> {
  for await (const rows of pages) yield rows.map(map);
}
