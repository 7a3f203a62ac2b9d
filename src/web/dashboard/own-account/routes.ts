import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute, signedInRoute } from '../root';

export const mustEnrolRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/two-factor',
  component: lazyRouteComponent(() => import('./must-enrol'), 'MustEnrol'),
});

export const ownAccountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./own-account'), 'OwnAccount'),
});
