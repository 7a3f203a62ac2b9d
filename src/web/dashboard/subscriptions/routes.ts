import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { subscriptionSearchOf } from './search';

export const subscriptionsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/subscriptions',
  validateSearch: subscriptionSearchOf,
  component: lazyRouteComponent(() => import('./subscriptions'), 'Subscriptions'),
});

export const subscriptionRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/subscriptions/$id',
  component: lazyRouteComponent(() => import('../subscription/subscription'), 'Subscription'),
});
