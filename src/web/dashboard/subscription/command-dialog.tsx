import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RequestKeys } from '../../api/request-keys';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { CancelChoice, PauseChoice } from './command-fields';
import { messages } from './command-messages';
import { canEndLater, command, type Command, type CommandRequest } from './commands';
import type { Subscription } from './queries';

interface CommandDialogProps {
  readonly what: Command;
  readonly subscription: Subscription;
  readonly close: () => void;
}

/** Asks for a last word, and for until when or from when it is meant. */
export function CommandDialog({ what, subscription, close }: CommandDialogProps) {
  const [request, setRequest] = useState<CommandRequest>(usualRequest(what, subscription));
  const commanding = useCommanding(what, subscription.id, close);
  const { title, about, deed } = messages[what];
  return (
    <ConfirmDialog
      title={title}
      about={
        <Stack>
          {about}
          {what === 'pause' && <PauseChoice change={setRequest} error={commanding.error} />}
          {what === 'cancel' && canEndLater(subscription) && (
            <CancelChoice subscription={subscription} request={request} change={setRequest} />
          )}
        </Stack>
      }
      deed={deed}
      keep={messages.keep}
      dangerous={what === 'cancel'}
      pending={commanding.isPending}
      error={commanding.error}
      shown={['paused_until']}
      confirm={() => commanding.mutate(request)}
      close={close}
    />
  );
}

/** What is paid for is let run, unless that was asked for already. */
function usualRequest(what: Command, subscription: Subscription): CommandRequest {
  if (what !== 'cancel') return {};
  return { at_period_end: canEndLater(subscription) && !subscription.cancel_at_period_end };
}

function useCommanding(what: Command, id: string, close: () => void) {
  const [keys] = useState(() => new RequestKeys());
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CommandRequest) => command(what, id, request, keys.keyFor(request)),
    onSuccess: ({ pending_action: waits }) => {
      notifications.show(
        waits === null
          ? { color: 'teal', message: messages[what].done }
          : { color: 'yellow', message: messages.waits },
      );
      close();
    },
    onError: (error) => keys.failed(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['subscriptions'] }),
  });
}
