import { Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { messages as shared } from '../../ui/messages';
import { EventChoice } from './event-choice';
import { messages } from './messages';
import type { Endpoint } from './queries';
import { useInvalidateWebhooks } from './use-endpoint';

interface EndpointForm {
  url: string;
  events: Schema<'WebhookEventName'>[];
  enabled: boolean;
}

interface EndpointDialogProps {
  /** The endpoint to edit; undefined to create one. */
  readonly endpoint?: Endpoint;
  readonly close: () => void;
  /** Called with the secret of the new endpoint. */
  readonly onCreated?: (secret: string) => void;
}

export function EndpointDialog({ endpoint, close, onCreated }: EndpointDialogProps) {
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
      if (secret === null) notifications.show({ color: 'teal', message: shared.saved });
      else onCreated?.(secret);
    },
    onError: (error) => setFieldErrors(form, error),
    onSettled: useInvalidateWebhooks(),
  });
  return (
    <Modal
      opened
      onClose={close}
      size="lg"
      title={endpoint === undefined ? messages.add : messages.editTitle}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <Stack>
          <FormError error={saving.error} fields={Object.keys(form.values)} />
          <TextInput
            {...form.getInputProps('url')}
            type="url"
            label={messages.url}
            description={messages.urlHint}
            placeholder="https://shop.example.com/webhooks"
            required
            data-autofocus
          />
          <EventChoice {...form.getInputProps('events')} chosen={form.values.events} />
          <Switch {...form.getInputProps('enabled', { type: 'checkbox' })} label={messages.sendEvents} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {shared.back}
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

/** Returns the secret of a new endpoint, or null after an edit. */
async function save(endpoint: Endpoint | undefined, body: EndpointForm): Promise<string | null> {
  if (endpoint === undefined) return (await unwrapBody(api.POST('/user/company/webhooks', { body }))).secret;
  await unwrapBody(api.PATCH('/user/company/webhooks/{id}', { params: { path: { id: endpoint.id } }, body }));
  return null;
}
