import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { unwrapBody, api } from '../../api/client';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';
import type { Endpoint } from './queries';
import { useInvalidateWebhooks } from './use-endpoint';

interface DialogProps {
  readonly endpoint: Endpoint;
  readonly close: () => void;
}

interface RotateDialogProps extends DialogProps {
  readonly showSecret: (secret: string) => void;
}

export function RotateDialog({ endpoint: { id }, close, showSecret }: RotateDialogProps) {
  const rotating = useMutation({
    mutationFn: () =>
      unwrapBody(api.POST('/user/company/webhooks/{id}/rotate-secret', { params: { path: { id } } })),
    onSuccess: ({ secret }) => {
      close();
      showSecret(secret);
    },
    onSettled: useInvalidateWebhooks(),
  });
  return (
    <ConfirmDialog
      title={messages.rotateTitle}
      action={messages.rotate}
      pending={rotating.isPending}
      error={rotating.error}
      confirm={() => rotating.mutate()}
      close={close}
    >
      {messages.rotateText}
    </ConfirmDialog>
  );
}

export function DeleteDialog({ endpoint: { id, url }, close }: DialogProps) {
  const navigate = useNavigate();
  const deleting = useMutation({
    mutationFn: () => unwrapBody(api.DELETE('/user/company/webhooks/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      notifications.show({ color: 'teal', message: messages.deleted });
      close();
      await navigate({ to: '/webhooks' });
    },
    onSettled: useInvalidateWebhooks(),
  });
  return (
    <ConfirmDialog
      title={messages.deleteTitle}
      action={shared.delete}
      dangerous
      pending={deleting.isPending}
      error={deleting.error}
      confirm={() => deleting.mutate()}
      close={close}
    >
      {messages.deleteText(url)}
    </ConfirmDialog>
  );
}
