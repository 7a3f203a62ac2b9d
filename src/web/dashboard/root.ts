import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { ApiFailure } from '../api/failure';
import { configQuery, meQuery } from './session';
import { EverythingFailed } from './shell/error-pages';

export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({});

/** Everything that only the company's people see. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    try {
      await Promise.all([queryClient.ensureQueryData(meQuery), queryClient.ensureQueryData(configQuery)]);
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 401) throw error;
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router's way to send somebody elsewhere
      throw redirect({ to: '/login', search: { next: location.href } });
    }
  },
  component: lazyRouteComponent(() => import('./shell/shell'), 'Shell'),
  errorComponent: EverythingFailed,
});
