import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';

export const webhookReceiverRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks/receiver',
  component: lazyRouteComponent(() => import('./receiver'), 'Receiver'),
});
