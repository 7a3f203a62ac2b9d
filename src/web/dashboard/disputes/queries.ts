import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import type { DisputeSearch } from './routes';

export type Dispute = Schema<'Dispute'>;
export type DisputeDetail = Schema<'DisputeDetail'>;
export type Evidence = Schema<'Evidence'>;
export type DisputeStatus = Schema<'DisputeStatus'>;
export type DisputeKind = Schema<'DisputeKind'>;
export type EvidenceKind = Schema<'EvidenceKind'>;

export const STATUSES = [
  'opened',
  'submitted',
  'won',
  'lost',
  'accepted',
] as const satisfies readonly DisputeStatus[];
export const KINDS = ['chargeback', 'retrieval', 'med'] as const satisfies readonly DisputeKind[];

const PER_PAGE = 25;
/** While an answer is being sent to the gateway. */
const UNDER_WAY_MS = 1_500;

export const disputesQuery = (search: DisputeSearch) =>
  queryOptions({
    queryKey: ['disputes', 'list', search],
    queryFn: () =>
      unwrapBody(api.GET('/user/disputes', { params: { query: { ...search, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });

/** The disputes of one payment, or of the charges of one subscription. `updatedAt`: when that was changed last. */
export const disputesOfQuery = (
  of: { readonly transaction_id: string } | { readonly subscription_id: string },
  updatedAt: string | null,
) =>
  queryOptions({
    queryKey: ['disputes', 'of', of, updatedAt],
    queryFn: async () => {
      const query = { ...of, per_page: PER_PAGE };
      return (await unwrapBody(api.GET('/user/disputes', { params: { query } }))).data;
    },
  });

export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: ['disputes', 'one', id],
    queryFn: async () => {
      const params = { path: { id } };
      const [dispute, evidence] = await Promise.all([
        unwrapBody(api.GET('/user/disputes/{id}', { params })),
        unwrapBody(api.GET('/user/disputes/{id}/evidence', { params })),
      ]);
      return { dispute: dispute.data, evidence: evidence.data };
    },
    refetchInterval: ({ state: { data } }) => (isUnderWay(data?.dispute) ? UNDER_WAY_MS : false),
  });

/** Whether the gateway has not answered the company's last request yet. */
export function isUnderWay(dispute: Dispute | undefined): boolean {
  const status = dispute?.last_request?.status;
  return status === 'requested' || status === 'sent';
}
