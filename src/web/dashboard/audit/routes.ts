import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { dateOf, oneOf, omitUndefined, wholeNumberOf, type RawSearch } from '../shared/search-params';
import { AUDIT_ACTIONS, type AuditAction } from './messages';

/** Named like the query parameters of `GET /user/audit`. */
export interface AuditSearch {
  readonly action?: AuditAction;
  readonly from?: string;
  readonly to?: string;
  readonly page?: number;
}

export const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/audit',
  validateSearch: (search: RawSearch): AuditSearch =>
    omitUndefined({
      action: oneOf(search, 'action', AUDIT_ACTIONS),
      from: dateOf(search, 'from'),
      to: dateOf(search, 'to'),
      page: wholeNumberOf(search, 'page', 2),
    }),
  component: lazyRouteComponent(() => import('./audit'), 'Audit'),
});
