import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { IdempotencyKeys } from '../../api/idempotency-keys';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { messages as shared } from '../../ui/messages';
import { CancelChoice, PauseChoice } from './command-fields';
import { messages } from './command-messages';
import { canEndWithPeriod, sendCommand, type Command, type CommandRequest } from './commands';
import type { Subscription } from './queries';

interface CommandDialogProps {
  readonly command: Command;
  readonly subscription: Subscription;
  readonly close: () => void;
}

export function CommandDialog({ command, subscription, close }: CommandDialogProps) {
  const [request, setRequest] = useState<CommandRequest>(defaultRequest(command, subscription));
  const sending = useCommandMutation(command, subscription.id, close);
  const { title, text, button } = messages[command];
  return (
    <ConfirmDialog
      title={title}
      action={button}
      dismiss={shared.back}
      dangerous={command === 'cancel'}
      pending={sending.isPending}
      error={sending.error}
      fields={['paused_until']}
      confirm={() => sending.mutate(request)}
      close={close}
    >
      <Stack>
        {text}
        {command === 'pause' && <PauseChoice change={setRequest} error={sending.error} />}
        {command === 'cancel' && canEndWithPeriod(subscription) && (
          <CancelChoice subscription={subscription} request={request} change={setRequest} />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

/** Canceling defaults to the end of the paid period, unless that is already scheduled. */
function defaultRequest(command: Command, subscription: Subscription): CommandRequest {
  if (command !== 'cancel') return {};
  return { at_period_end: canEndWithPeriod(subscription) && !subscription.cancel_at_period_end };
}

function useCommandMutation(command: Command, id: string, close: () => void) {
  const [keys] = useState(() => new IdempotencyKeys());
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (request: CommandRequest) => sendCommand(command, id, request, keys.keyFor(request)),
    onSuccess: ({ pending_action: pendingAction }) => {
      notifications.show(
        pendingAction === null
          ? { color: 'teal', message: messages[command].done }
          : { color: 'yellow', message: messages.queued },
      );
      close();
    },
    onError: (error) => keys.handleError(error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['subscriptions'] }),
  });
}
