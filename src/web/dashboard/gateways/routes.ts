import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';

export const gatewaysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/gateways',
  component: lazyRouteComponent(() => import('./gateways'), 'Gateways'),
});
