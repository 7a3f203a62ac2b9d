import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { pageOf } from '../shared/search-params';

export const couponsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/coupons',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./coupons'), 'Coupons'),
});
