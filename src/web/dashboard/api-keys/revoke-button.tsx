import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrapBody, api } from '../../api/client';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { messages } from './messages';
import type { ApiKey } from './queries';

export function RevokeButton({ apiKey: { id, name } }: { readonly apiKey: ApiKey }) {
  const [isAsking, ask] = useState(false);
  const queryClient = useQueryClient();
  const params = { path: { id } };
  const revoking = useMutation({
    mutationFn: () => unwrapBody(api.DELETE('/user/company/api-keys/{id}', { params })),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: messages.revoked });
      ask(false);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['api-keys'] }),
  });
  return (
    <>
      <Button size="xs" variant="default" aria-label={messages.revokeOf(name)} onClick={() => ask(true)}>
        {messages.revoke}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={messages.revokeTitle}
          action={messages.revoke}
          dangerous
          pending={revoking.isPending}
          error={revoking.error}
          confirm={() => revoking.mutate()}
          close={() => ask(false)}
        >
          {messages.revokeText(name)}
        </ConfirmDialog>
      )}
    </>
  );
}
