import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { answerOf, api } from '../../api/client';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';
import type { Endpoint } from './queries';
import { useForgetWebhooks } from './use-endpoint';

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
      answerOf(api.POST('/user/company/webhooks/{id}/rotate-secret', { params: { path: { id } } })),
    onSuccess: ({ secret }) => {
      close();
      showSecret(secret);
    },
    onSettled: useForgetWebhooks(),
  });
  return (
    <ConfirmDialog
      title={messages.rotateTitle}
      about={messages.rotateAbout}
      deed={messages.rotateDeed}
      pending={rotating.isPending}
      error={rotating.error}
      confirm={() => rotating.mutate()}
      close={close}
    />
  );
}

export function DeleteDialog({ endpoint: { id, url }, close }: DialogProps) {
  const navigate = useNavigate();
  const deleting = useMutation({
    mutationFn: () => answerOf(api.DELETE('/user/company/webhooks/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      notifications.show({ color: 'teal', message: messages.deleted });
      close();
      await navigate({ to: '/webhooks' });
    },
    onSettled: useForgetWebhooks(),
  });
  return (
    <ConfirmDialog
      title={messages.deleteTitle}
      about={messages.deleteAbout(url)}
      deed={shared.delete}
      dangerous
      pending={deleting.isPending}
      error={deleting.error}
      confirm={() => deleting.mutate()}
      close={close}
    />
  );
}
