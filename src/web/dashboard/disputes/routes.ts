import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { oneOf, omitUndefined, pageOf, type PageSearch, type RawSearch } from '../shared/search-params';
import { KINDS, STATUSES, type DisputeKind, type DisputeStatus } from './queries';

/** Named like the query parameters of `GET /user/disputes`. */
export interface DisputeSearch extends PageSearch {
  readonly status?: DisputeStatus;
  readonly kind?: DisputeKind;
  readonly loss_to_settle?: true;
}

export const disputesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/disputes',
  validateSearch: (search: RawSearch): DisputeSearch =>
    omitUndefined({
      status: oneOf(search, 'status', STATUSES),
      kind: oneOf(search, 'kind', KINDS),
      loss_to_settle: search['loss_to_settle'] === true ? (true as const) : undefined,
      ...pageOf(search),
    }),
  component: lazyRouteComponent(() => import('./disputes'), 'Disputes'),
});

export const disputeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/disputes/$id',
  component: lazyRouteComponent(() => import('./dispute'), 'Dispute'),
});
