import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { pageOf } from '../shared/search-params';

export const apiKeysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings/api-keys',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./api-keys'), 'ApiKeys'),
});
