import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';

export type Gateway = Schema<'GatewayState'>;
export type GatewaySlug = Gateway['gateway_slug'];

/** Health changes by itself. */
const LOOK_AGAIN_MS = 30_000;

export const gatewaysQuery = queryOptions({
  queryKey: ['gateways'],
  queryFn: async () => (await answerOf(api.GET('/user/gateways'))).data,
  refetchInterval: LOOK_AGAIN_MS,
});

export interface GatewayChange {
  readonly slug: GatewaySlug;
  readonly change: Schema<'GatewayChange'>;
}

/** Carries them out one after the other. */
export function useChangeGateways() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (changes: readonly GatewayChange[]) => {
      for (const { slug, change: body } of changes) {
        await answerOf(api.PATCH('/user/gateways/{slug}', { params: { path: { slug } }, body }));
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['gateways'] }),
  });
}
