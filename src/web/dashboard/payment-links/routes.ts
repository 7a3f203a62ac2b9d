import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../root';
import { pageOf, omitUndefined, textOf, type PageSearch, type RawSearch } from '../shared/search-params';

/** Named like the query parameters of `GET /user/payment-links`. */
export interface PaymentLinkSearch extends PageSearch {
  readonly is_active?: boolean;
  /** The token of the only link to show. */
  readonly link?: string;
}

export const paymentLinksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/payment-links',
  validateSearch: (search: RawSearch): PaymentLinkSearch => {
    const { is_active: active } = search;
    const link = textOf(search, 'link', 100);
    return omitUndefined({
      link,
      is_active: typeof active === 'boolean' ? active : undefined,
      ...pageOf(search),
    });
  },
  component: lazyRouteComponent(() => import('./payment-links'), 'PaymentLinks'),
});
