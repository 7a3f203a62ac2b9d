import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { RequestError } from '../api/request-error';
import { takeSignedOut } from './boot/early-requests';
import { configQuery, meQuery } from './session';
import { AppErrorPage } from './shell/error-pages';
import { Shell } from './shell/shell';

function isCodeOf(error: unknown, code: string): boolean {
  return error instanceof RequestError && error.code === code;
}

export const rootRoute = createRootRouteWithContext<{ readonly queryClient: QueryClient }>()({});

/** Parent of all pages that require a signed-in user. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context: { queryClient }, location }) => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router redirects by a thrown object
    if (takeSignedOut()) throw redirect({ to: '/login', search: { next: location.href } });
    try {
      await Promise.all([queryClient.ensureQueryData(meQuery), queryClient.ensureQueryData(configQuery)]);
    } catch (error) {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router redirects by a thrown object
      if (isCodeOf(error, 'two_factor_required')) throw redirect({ to: '/two-factor' });
      if (!(error instanceof RequestError) || error.status !== 401) throw error;
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router redirects by a thrown object
      throw redirect({ to: '/login', search: { next: location.href } });
    }
  },
  component: Shell,
  errorComponent: AppErrorPage,
});
