import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { messages as shared } from '../../ui/messages';
import { Allowed } from '../shared/allowed';
import { messages } from './messages';
import { useChangeGateways, type Gateway } from './queries';

interface CallbackSecretProps {
  readonly gateway: Gateway;
}

/** How the gateway's callbacks are verified. */
export function CallbackProof({ gateway }: CallbackSecretProps) {
  switch (gateway.callback_proof) {
    case 'signature':
    case 'token':
      return <CallbackSecret gateway={gateway} />;
    case 'published_keys':
    case 'none':
      return (
        <Text size="sm" mt={6}>
          {gateway.callback_proof === 'none' ? messages.callbacksUnsigned : messages.publishedKeys}
        </Text>
      );
    case null:
      return null;
  }
}

function CallbackSecret({ gateway }: CallbackSecretProps) {
  const [changing, setChanging] = useState(false);
  return (
    <Group gap="xs" mt={6}>
      <Text size="sm">
        <Text component="span" c="dimmed">
          {messages.secret}:
        </Text>{' '}
        {gateway.webhook_secret_set ? messages.secretSet : messages.secretMissing}
      </Text>
      <Allowed to="gateways:write">
        <Button size="compact-sm" variant="subtle" onClick={() => setChanging(true)}>
          {messages.secretChange}
        </Button>
      </Allowed>
      {changing && <SecretDialog gateway={gateway} close={() => setChanging(false)} />}
    </Group>
  );
}

function SecretDialog({ gateway, close }: CallbackSecretProps & { readonly close: () => void }) {
  const { gateway_slug: slug, webhook_secret_set: isSet } = gateway;
  const form = useForm({ initialValues: { webhook_secret: '' } });
  const changing = useChangeGateways();
  const save = (secret: string | null) =>
    changing.mutate([{ slug, change: { webhook_secret: secret } }], {
      onSuccess: () => {
        notifications.show({ color: 'teal', message: shared.saved });
        close();
      },
      onError: (error) => setFieldErrors(form, error),
    });
  return (
    <Modal
      opened
      onClose={close}
      title={messages.secretTitle(slug)}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <form onSubmit={form.onSubmit(({ webhook_secret: secret }) => save(secret))} noValidate>
        <Stack>
          <FormError error={changing.error} fields={['webhook_secret']} />
          <PasswordInput
            {...form.getInputProps('webhook_secret')}
            label={messages.secret}
            description={messages.secretHint}
            autoComplete="off"
            required
            data-autofocus
          />
          <Group justify="flex-end">
            {isSet && (
              <Button variant="subtle" color="red" onClick={() => save(null)}>
                {shared.remove}
              </Button>
            )}
            <Button type="submit" loading={changing.isPending}>
              {shared.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
