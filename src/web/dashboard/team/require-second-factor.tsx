import { Switch } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrapBody, api } from '../../api/client';
import { errorMessage } from '../../ui/forms/error-messages';
import { Panel } from '../../ui/layout/panel';
import { messages } from '../own-account/messages';
import { useMay } from '../shared/allowed';

const securityQuery = queryOptions({
  queryKey: ['company-security'],
  queryFn: async () => (await unwrapBody(api.GET('/user/company/security'))).data,
});

/** Only owners change it. */
export function RequireSecondFactor() {
  const { data } = useQuery(securityQuery);
  const queryClient = useQueryClient();
  const mayChange = useMay('security:write');
  const saving = useMutation({
    mutationFn: (required: boolean) =>
      unwrapBody(api.PATCH('/user/company/security', { body: { require_two_factor: required } })),
    onError: (error) => void notifications.show({ color: 'red', message: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: securityQuery.queryKey }),
  });
  if (data === undefined) return null;
  return (
    <Panel title={messages.secondFactor}>
      <Switch
        checked={data.require_two_factor}
        disabled={!mayChange || saving.isPending}
        onChange={({ currentTarget: { checked } }) => saving.mutate(checked)}
        label={messages.requireAll}
        description={messages.requireHint}
      />
    </Panel>
  );
}
