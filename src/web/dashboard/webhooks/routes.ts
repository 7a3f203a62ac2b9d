import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { pageOf } from '../shared/search-params';

export const webhooksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks'), 'Webhooks'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks/$id',
  validateSearch: pageOf,
  component: lazyRouteComponent(() => import('./webhook'), 'Webhook'),
});
