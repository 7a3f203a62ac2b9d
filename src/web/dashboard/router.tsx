import { QueryCache, MutationCache, QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { ApiFailure } from '../api/failure';
import { Lines } from '../ui/layout/page-states';
import { NotThere, PageFailed } from './shell/error-pages';
import { routeTree } from './routes';

/** Shown by `useLoaded` and friends again without asking, for so long. */
const FRESH_MS = 10_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: signInAgain }),
  mutationCache: new MutationCache({ onError: signInAgain }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      // What was refused is refused again; what got no answer may get one.
      retry: (failures, error) => failures < 2 && error instanceof ApiFailure && error.isOpen,
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
  defaultPendingComponent: Lines,
  defaultNotFoundComponent: NotThere,
  defaultErrorComponent: PageFailed,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** A session that ended: to the sign-in, and from there back. Signing in itself fails with 401 too, on its own page. */
function signInAgain(error: unknown): void {
  if (!(error instanceof ApiFailure) || error.status !== 401) return;
  const { pathname, href } = router.state.location;
  if (pathname.endsWith('/login')) return;
  queryClient.clear();
  void router.navigate({ to: '/login', search: { next: href } });
}
