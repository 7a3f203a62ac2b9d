import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';
import { failureWords } from '../../ui/forms/error-messages';
import { messages } from './messages';

const toldOf = (message: string) => () => void notifications.show({ color: 'teal', message });

/** For what has no form that could show why it failed. */
export const tellFailure = (error: unknown): void => {
  notifications.show({ color: 'red', message: failureWords(error) });
};

/** Forgets what is known of endpoints and what was sent to them. */
export function useForgetWebhooks(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });
}

export function useChangeEndpoint(id: number) {
  return useMutation({
    mutationFn: (body: Schema<'WebhookEndpointChange'>) =>
      answerOf(api.PATCH('/user/company/webhooks/{id}', { params: { path: { id } }, body })),
    onSuccess: toldOf(messages.saved),
    onError: tellFailure,
    onSettled: useForgetWebhooks(),
  });
}

export function useTestEndpoint(id: number) {
  return useMutation({
    mutationFn: () => answerOf(api.POST('/user/company/webhooks/{id}/test', { params: { path: { id } } })),
    onSuccess: toldOf(messages.tested),
    onError: tellFailure,
    onSettled: useForgetWebhooks(),
  });
}
