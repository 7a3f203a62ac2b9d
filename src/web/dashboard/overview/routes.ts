import { createRoute } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { Overview } from './overview';
import { periodOf } from './period';

export const overviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: periodOf,
  component: Overview,
});
