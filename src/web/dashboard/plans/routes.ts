import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { pageOf } from '../shared/search-params';

export const plansRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/plans',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./plans'), 'Plans'),
});
