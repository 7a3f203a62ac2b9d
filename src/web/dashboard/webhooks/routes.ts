import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { deliverySearchOf } from './delivery-search';

export const webhooksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./webhooks'), 'Webhooks'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks/$id',
  validateSearch: deliverySearchOf,
  component: lazyRouteComponent(() => import('./webhook'), 'Webhook'),
});
