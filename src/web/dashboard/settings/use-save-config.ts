import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';
import { configQuery } from '../session';
import { messages } from './messages';

interface SaveConfigOptions {
  readonly saved: (config: Schema<'CompanyConfig'>) => void;
  readonly failed: (error: unknown) => void;
}

export function useSaveConfig({ saved, failed }: SaveConfigOptions) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: Schema<'CompanyConfigChange'>) =>
      (await answerOf(api.PATCH('/user/company/config', { body }))).data,
    onSuccess: (config) => {
      queryClient.setQueryData(configQuery.queryKey, config);
      // Days are counted in the company's zone.
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' });
      notifications.show({ color: 'teal', message: messages.saved });
      saved(config);
    },
    onError: failed,
  });
}
