import { Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';
import { FormFailure, markFields } from '../../ui/forms/form-error';
import { messages as shared } from '../../ui/messages';
import { EventChoice } from './event-choice';
import { messages } from './messages';
import type { Endpoint } from './queries';
import { useForgetWebhooks } from './use-endpoint';

interface EndpointForm {
  url: string;
  events: Schema<'WebhookEventName'>[];
  enabled: boolean;
}

interface EndpointDialogProps {
  /** The one to change; without it a new one. */
  readonly endpoint?: Endpoint;
  readonly close: () => void;
  /** Gets the new one's secret. */
  readonly created?: (secret: string) => void;
}

export function EndpointDialog({ endpoint, close, created }: EndpointDialogProps) {
  const form = useForm<EndpointForm>({
    initialValues: {
      url: endpoint?.url ?? '',
      events: endpoint?.events ?? ['transaction.approved', 'transaction.failed', 'transaction.refunded'],
      enabled: endpoint?.enabled ?? true,
    },
  });
  const saving = useMutation({
    mutationFn: (body: EndpointForm) => save(endpoint, body),
    onSuccess: (secret) => {
      close();
      if (secret === null) notifications.show({ color: 'teal', message: messages.saved });
      else created?.(secret);
    },
    onError: (error) => markFields(form, error),
    onSettled: useForgetWebhooks(),
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={endpoint === undefined ? messages.createTitle : messages.changeTitle}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <Stack>
          <FormFailure error={saving.error} shown={Object.keys(form.values)} />
          <TextInput
            {...form.getInputProps('url')}
            type="url"
            label={messages.url}
            description={messages.urlAbout}
            placeholder="https://shop.example.com/webhooks"
            required
            data-autofocus
          />
          <EventChoice {...form.getInputProps('events')} chosen={form.values.events} />
          <Switch {...form.getInputProps('enabled', { type: 'checkbox' })} label={messages.enabled} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {shared.cancel}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {endpoint === undefined ? shared.create : shared.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** The new one's secret, or null. */
async function save(endpoint: Endpoint | undefined, body: EndpointForm): Promise<string | null> {
  if (endpoint === undefined) return (await answerOf(api.POST('/user/company/webhooks', { body }))).secret;
  await answerOf(api.PATCH('/user/company/webhooks/{id}', { params: { path: { id: endpoint.id } }, body }));
  return null;
}
