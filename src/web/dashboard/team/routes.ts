import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { pageOf } from '../shared/search-params';

export const teamRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/team',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./team'), 'Team'),
});
