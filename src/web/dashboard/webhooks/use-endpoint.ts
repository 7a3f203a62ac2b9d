import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { errorMessage } from '../../ui/forms/error-messages';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';

const showSuccess = (message: string) => () => void notifications.show({ color: 'teal', message });

/** For actions without a form that could show the error. */
export const showError = (error: unknown): void => {
  notifications.show({ color: 'red', message: errorMessage(error) });
};

/** Returns a function that reloads endpoints and deliveries. */
export function useInvalidateWebhooks(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });
}

export function useChangeEndpoint(id: number) {
  return useMutation({
    mutationFn: (body: Schema<'WebhookEndpointChange'>) =>
      unwrapBody(api.PATCH('/user/company/webhooks/{id}', { params: { path: { id } }, body })),
    onSuccess: showSuccess(shared.saved),
    onError: showError,
    onSettled: useInvalidateWebhooks(),
  });
}

export function useTestEndpoint(id: number) {
  return useMutation({
    mutationFn: () => unwrapBody(api.POST('/user/company/webhooks/{id}/test', { params: { path: { id } } })),
    onSuccess: showSuccess(messages.tested),
    onError: showError,
    onSettled: useInvalidateWebhooks(),
  });
}
