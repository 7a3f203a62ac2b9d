import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { periodOf } from './period';

export const overviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: periodOf,
  component: lazyRouteComponent(() => import('./overview'), 'Overview'),
});
