import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';

export const settingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings'), 'Settings'),
});

export const routingRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/settings/routing',
  component: lazyRouteComponent(() => import('../routing/routing'), 'Routing'),
});
