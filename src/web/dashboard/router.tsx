import { QueryCache, MutationCache, QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { RequestError } from '../api/request-error';
import { SkeletonLines } from '../ui/layout/page-states';
import { NotFoundPage, ErrorPage } from './shell/error-pages';
import { routeTree } from './routes';

/** Data is shown without a new request for this long. */
const STALE_AFTER_MS = 10_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: redirectToSignIn }),
  mutationCache: new MutationCache({ onError: redirectToSignIn }),
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      // A rejected request is not retried; one without a response is.
      retry: (failures, error) => failures < 2 && error instanceof RequestError && error.isOutcomeUnknown,
    },
    mutations: { retry: false },
  },
});

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingComponent: SkeletonLines,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: ErrorPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/**
 * Redirects to the sign-in page when the session has ended, and back afterwards. A failed sign-in is also a 401, but
 * is handled on its own page.
 */
function redirectToSignIn(error: unknown): void {
  if (!(error instanceof RequestError) || error.status !== 401) return;
  const { pathname, href } = router.state.location;
  if (pathname.endsWith('/login')) return;
  queryClient.clear();
  void router.navigate({ to: '/login', search: { next: href } });
}
