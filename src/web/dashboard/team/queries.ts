import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';

export type Member = Schema<'Member'>;
export type Invitation = Schema<'Invitation'>;
export type Role = Schema<'Role'>;

export const ROLES = ['owner', 'admin', 'support', 'analyst', 'read_only'] as const satisfies readonly Role[];

const PER_PAGE = 25;

export const membersQuery = (page: number) =>
  queryOptions({
    queryKey: ['team', 'members', page],
    queryFn: () =>
      unwrapBody(api.GET('/user/company/users', { params: { query: { page, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
  });

export const invitationsQuery = queryOptions({
  queryKey: ['team', 'invitations'],
  queryFn: async () => (await unwrapBody(api.GET('/user/company/invitations'))).data,
});
