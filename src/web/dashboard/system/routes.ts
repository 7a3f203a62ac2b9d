import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';

export const systemRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/system',
  component: lazyRouteComponent(() => import('./system'), 'System'),
});
