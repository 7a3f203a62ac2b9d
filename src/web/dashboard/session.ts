import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { answerOf, api } from '../api/client';

/** Who is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => (await answerOf(api.GET('/user/me'))).data,
  staleTime: 60_000,
});

/** How the company wants its payments made; the zone of all its dates is part of it. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async () => (await answerOf(api.GET('/user/company/config'))).data,
  staleTime: 60_000,
});

/** Every page behind the sign-in has them from the start. */
export function useMe() {
  return useSuspenseQuery(meQuery).data;
}

export function useTimeZone(): string {
  return useSuspenseQuery(configQuery).data.timezone;
}
