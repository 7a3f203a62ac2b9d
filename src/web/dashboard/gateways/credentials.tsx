import {
  Button,
  Checkbox,
  Group,
  Modal,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';
import { useSaveCredentials, type Gateway, type NewCredentials } from './queries';

interface CredentialsProps {
  readonly gateway: Gateway;
}

type CredentialField = Gateway['credential_fields'][number];

interface FormValues {
  readonly secret_key: string;
  readonly client_id: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly same_account: boolean;
}

/** Stores what the vendor behind a gateway needs to know the company. Nothing for a gateway without such fields. */
export function Credentials({ gateway }: CredentialsProps) {
  const [changing, setChanging] = useState(false);
  const { gateway_slug: slug, configured } = gateway;
  if (gateway.credential_fields.length === 0) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant={configured ? 'subtle' : 'light'}
        aria-label={configured ? messages.credentialsOf(slug) : messages.connectTo(slug)}
        onClick={() => setChanging(true)}
      >
        {configured ? messages.changeCredentials : messages.connect}
      </Button>
      {changing && <CredentialsDialog gateway={gateway} close={() => setChanging(false)} />}
    </>
  );
}

function CredentialsDialog({ gateway, close }: CredentialsProps & { readonly close: () => void }) {
  const { gateway_slug: slug, configured, credential_fields: fields } = gateway;
  const form = useForm<FormValues>({ initialValues: initialValues(gateway) });
  const saving = useSaveCredentials();
  const save = (values: FormValues) =>
    saving.mutate(request(slug, values), {
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
      title={messages.credentialsTitle(slug)}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <form onSubmit={form.onSubmit(save)} noValidate>
        <Stack>
          <FormError error={saving.error} fields={[...fields.map(pathOf), 'same_account']} />
          <Text size="sm" c="dimmed">
            {messages.credentialsHint}
          </Text>
          {fields.map((field) => (
            <CredentialInput key={field.name} field={field} form={form} />
          ))}
          {configured && (
            <Checkbox
              {...form.getInputProps('same_account', { type: 'checkbox' })}
              label={messages.sameAccount}
              description={messages.sameAccountHint}
            />
          )}
          <Group justify="flex-end">
            <Button type="submit" loading={saving.isPending}>
              {shared.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface CredentialInputProps {
  readonly field: CredentialField;
  readonly form: UseFormReturnType<FormValues>;
}

/** A text of several lines keeps its line breaks only in a textarea. */
function CredentialInput({ field, form }: CredentialInputProps) {
  const { name, required, secret, multiline, description } = field;
  const common = {
    ...form.getInputProps(pathOf(field)),
    label: fieldLabel(name),
    description,
    required,
    autoComplete: 'off',
  };
  if (multiline) return <Textarea {...common} autosize minRows={4} maxRows={10} spellCheck={false} />;
  return secret ? <PasswordInput {...common} /> : <TextInput {...common} />;
}

/** Where the request has the value. */
function pathOf({ name }: CredentialField): string {
  return name === 'secret_key' || name === 'client_id' ? name : `credentials.${name}`;
}

/** `merchant_account` is `Merchant account`, as the vendors call it. */
function fieldLabel(name: string): string {
  const { credentialNames } = messages;
  if (name === 'secret_key' || name === 'client_id') return credentialNames[name];
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function initialValues({ client_id: clientId, credential_fields: fields }: Gateway): FormValues {
  const named = fields.filter((field) => pathOf(field) !== field.name);
  return {
    secret_key: '',
    client_id: clientId ?? '',
    credentials: Object.fromEntries(named.map(({ name }) => [name, ''])),
    same_account: false,
  };
}

function request(slug: Gateway['gateway_slug'], values: FormValues): NewCredentials {
  const credentials = Object.entries(values.credentials).filter(([, value]) => value !== '');
  return {
    slug,
    values: {
      secret_key: values.secret_key || null,
      client_id: values.client_id || null,
      credentials: Object.fromEntries(credentials),
      same_account: values.same_account,
    },
  };
}
