import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../root';
import { omitUndefined, textOf, type RawSearch } from '../shared/search-params';

/** Redirects only to pages of the dashboard. */
const DASHBOARD_PATH = /^\/(?![/\\])/;

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (search: RawSearch): { next?: string } => {
    const next = textOf(search, 'next', 2_000);
    return omitUndefined({ next: next !== undefined && DASHBOARD_PATH.test(next) ? next : undefined });
  },
  component: lazyRouteComponent(() => import('./login'), 'Login'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./forgot-password'), 'ForgotPassword'),
});

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset-password',
  component: lazyRouteComponent(() => import('./reset-password'), 'ResetPassword'),
});

const acceptInvitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/accept-invitation',
  component: lazyRouteComponent(() => import('./accept-invitation'), 'AcceptInvitation'),
});

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/register',
  component: lazyRouteComponent(() => import('./register'), 'Register'),
});

export const accountRoutes = [
  loginRoute,
  forgotPasswordRoute,
  resetPasswordRoute,
  acceptInvitationRoute,
  registerRoute,
] as const;
