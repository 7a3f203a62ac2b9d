import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, unwrapBody, type Schema } from '../../api/client';
import { IdempotencyKeys } from '../../api/idempotency-keys';
import { IN_PROGRESS, liveInterval } from '../shared/live';

export type ReceivedWebhook = Schema<'ReceivedWebhook'>;

/** It is looked at by somebody who has just made an event. */
export const receiverQuery = queryOptions({
  queryKey: ['webhooks', 'receiver'],
  queryFn: async () => (await unwrapBody(api.GET('/user/webhook-receiver'))).data,
  refetchInterval: liveInterval(() => IN_PROGRESS),
});

/** Adds the company's receiver; a second click gets the first one. */
export function useAddReceiver() {
  const [keys] = useState(() => new IdempotencyKeys());
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => {
      const params = { header: { 'Idempotency-Key': keys.keyFor({}) } };
      return unwrapBody(api.POST('/user/webhook-receiver', { params }));
    },
    onError: (error) => keys.handleError(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['webhooks'] }),
  });
}
