import { search, type SearchDeps } from '../../../application/search/search';
import { presentSearchResults } from '../../../presenters/search/search';
import type { RouteHandlers } from '../../server/route';

/** One search for everything of a company. */
export function searchRoutes(deps: SearchDeps): Pick<RouteHandlers, 'search'> {
  return {
    search: async ({ company, query }) => {
      const found = await search(deps, company.id, query.q);
      return { status: 200, body: { data: presentSearchResults(found) } };
    },
  };
}
