import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { BROWSING, liveInterval } from '../shared/live';
import { unwrapBody, api, type Schema } from '../../api/client';

export type Gateway = Schema<'GatewayState'>;

export const gatewaysQuery = queryOptions({
  queryKey: ['gateways'],
  queryFn: async () => (await unwrapBody(api.GET('/user/gateways'))).data,
  // Health changes without any action of the user.
  refetchInterval: liveInterval(() => BROWSING),
});

export type Unrecognized = Schema<'UnrecognizedResponse'>['data'];

export const unrecognizedQuery = (slug: Gateway['gateway_slug']) =>
  queryOptions({
    queryKey: ['gateways', slug, 'unrecognized'],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/gateways/{slug}/unrecognized', { params: { path: { slug } } }))).data,
  });

export interface GatewayChange {
  readonly slug: Gateway['gateway_slug'];
  readonly change: Schema<'GatewayChange'>;
}

/** Applies the changes one after the other. */
export function useChangeGateways() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (changes: readonly GatewayChange[]) => {
      for (const { slug, change: body } of changes) {
        await unwrapBody(api.PATCH('/user/gateways/{slug}', { params: { path: { slug } }, body }));
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['gateways'] }),
  });
}

export interface NewCredentials {
  readonly slug: Gateway['gateway_slug'];
  readonly values: Schema<'GatewayCredentialValues'>;
}

/** The gateway is asked whether it accepts them before they are saved. */
export function useSaveCredentials() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ slug, values: body }: NewCredentials) =>
      unwrapBody(api.PUT('/user/gateways/{slug}/credentials', { params: { path: { slug } }, body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['gateways'] }),
  });
}
