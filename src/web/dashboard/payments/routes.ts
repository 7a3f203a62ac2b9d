import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { Payment } from '../payment/payment';
import { signedInRoute } from '../root';
import { paymentSearchOf } from './search';

export const paymentsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/payments',
  validateSearch: paymentSearchOf,
  component: lazyRouteComponent(() => import('./payments'), 'Payments'),
});

export const paymentRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/payments/$id',
  component: Payment,
});
