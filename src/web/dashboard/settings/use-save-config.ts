import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { configQuery } from '../session';
import { messages } from './messages';

interface SaveConfigOptions {
  readonly onSaved: (config: Schema<'CompanyConfig'>) => void;
  readonly onFailed: (error: unknown) => void;
}

export function useSaveConfig({ onSaved, onFailed }: SaveConfigOptions) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'CompanyConfigChange'>) =>
      (await unwrapBody(api.PATCH('/user/company/config', { body }))).data,
    onSuccess: (config) => {
      queryClient.setQueryData(configQuery.queryKey, config);
      // A changed time zone affects all dates.
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' });
      notifications.show({ color: 'teal', message: messages.saved });
      onSaved(config);
    },
    onError: onFailed,
  });
}
