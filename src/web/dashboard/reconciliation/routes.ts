import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { GATEWAYS, type GatewaySlug } from '../payments/status-labels';
import { signedInRoute } from '../root';
import {
  dateOf,
  omitUndefined,
  oneOf,
  pageOf,
  textOf,
  type PageSearch,
  type RawSearch,
} from '../shared/search-params';
import {
  DIFFERENCE_KINDS,
  DIFFERENCE_STATUSES,
  STATEMENT_STATUSES,
  type DifferenceKind,
  type DifferenceStatus,
  type StatementStatus,
} from './labels';

/** Named like the query parameters of `GET /user/settlements`. */
export interface StatementSearch extends PageSearch {
  readonly gateway?: GatewaySlug;
  readonly account_id?: string;
  readonly day?: string;
  readonly status?: StatementStatus;
}

/** Named like the query parameters of `GET /user/settlements/items`. */
export interface DifferenceSearch extends PageSearch {
  readonly status?: DifferenceStatus;
  readonly kind?: DifferenceKind;
  readonly gateway?: GatewaySlug;
  readonly day?: string;
  readonly settlement_id?: string;
  readonly transaction_id?: string;
}

export interface ReportSearch {
  /** `YYYY-MM`; this month if left out. */
  readonly month?: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MONTH = /^20\d{2}-(?:0[1-9]|1[0-2])$/;

function matching(search: RawSearch, name: string, pattern: RegExp): string | undefined {
  const text = textOf(search, name);
  return text !== undefined && pattern.test(text) ? text : undefined;
}

export const statementsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reconciliation',
  validateSearch: (search: RawSearch): StatementSearch =>
    omitUndefined({
      gateway: oneOf(search, 'gateway', GATEWAYS),
      account_id: matching(search, 'account_id', UUID),
      day: dateOf(search, 'day'),
      status: oneOf(search, 'status', STATEMENT_STATUSES),
      ...pageOf(search),
    }),
  component: lazyRouteComponent(() => import('./statements'), 'Statements'),
});

export const statementRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reconciliation/statements/$id',
  component: lazyRouteComponent(() => import('./statement'), 'Statement'),
});

export const differencesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reconciliation/differences',
  validateSearch: (search: RawSearch): DifferenceSearch =>
    omitUndefined({
      status: oneOf(search, 'status', DIFFERENCE_STATUSES),
      kind: oneOf(search, 'kind', DIFFERENCE_KINDS),
      gateway: oneOf(search, 'gateway', GATEWAYS),
      day: dateOf(search, 'day'),
      settlement_id: matching(search, 'settlement_id', UUID),
      transaction_id: matching(search, 'transaction_id', UUID),
      ...pageOf(search),
    }),
  component: lazyRouteComponent(() => import('./differences'), 'Differences'),
});

export const differenceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reconciliation/differences/$id',
  component: lazyRouteComponent(() => import('./difference'), 'Difference'),
});

export const reportRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/reconciliation/report',
  validateSearch: (search: RawSearch): ReportSearch =>
    omitUndefined({ month: matching(search, 'month', MONTH) }),
  component: lazyRouteComponent(() => import('./report/report'), 'Report'),
});
