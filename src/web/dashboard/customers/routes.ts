import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { pageOf } from '../shared/search-params';

export const customersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/customers',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./customers'), 'Customers'),
});

export const customerRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/customers/$token',
  component: lazyRouteComponent(() => import('../customer/customer'), 'Customer'),
});
