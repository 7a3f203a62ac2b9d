import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { unwrapBody, api } from '../api/client';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => (await unwrapBody(api.GET('/user/me'))).data,
  staleTime: 60_000,
});

/** Payment and branding settings of the company, including its time zone. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async () => (await unwrapBody(api.GET('/user/company/config'))).data,
  staleTime: 60_000,
});

/** Loaded by the parent route of every signed-in page. */
export function useMe() {
  return useSuspenseQuery(meQuery).data;
}

export function useTimeZone(): string {
  return useSuspenseQuery(configQuery).data.timezone;
}
