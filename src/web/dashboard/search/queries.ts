import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';

export type SearchResults = Schema<'SearchResults'>;

/** Shorter texts would match nearly everything. */
const SHORTEST = 2;

export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) =>
      (await unwrapBody(api.GET('/user/search', { params: { query: { q: text } }, signal }))).data,
    enabled: text.length >= SHORTEST,
    placeholderData: text.length >= SHORTEST ? keepPreviousData : undefined,
  });
