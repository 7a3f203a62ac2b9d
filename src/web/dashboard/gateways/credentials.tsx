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
import { language } from '../../ui/language';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';
import { useSaveCredentials, type Gateway, type NewCredentials } from './queries';
import { gatewayTitle } from './vendors';
import { useMay } from '../shared/allowed';

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

/** Whether the vendor behind a gateway has accepted the company's credentials, and a button to change them. */
export function Credentials({ gateway }: CredentialsProps) {
  const { gateway_slug: slug, verified, credential_fields: fields } = gateway;
  if (fields.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" {...(verified === false && { c: 'red' })}>
        <Text component="span" c="dimmed">
          {messages.credentials}:
        </Text>{' '}
        {verified === false ? messages.unverified : messages.accepted}
      </Text>
      <OpenDialog gateway={gateway} variant="subtle" label={messages.credentialsOf(slug)}>
        {messages.secretChange}
      </OpenDialog>
    </Group>
  );
}

/** A button that stores the first credentials at a gateway. */
export function Connect({ gateway }: CredentialsProps) {
  return (
    <OpenDialog gateway={gateway} variant="light" label={messages.connectTo(gateway.gateway_slug)}>
      {messages.connect}
    </OpenDialog>
  );
}

interface OpenDialogProps extends CredentialsProps {
  readonly variant: 'light' | 'subtle';
  /** For screen readers: several gateways have the same button. */
  readonly label: string;
  readonly children: string;
}

function OpenDialog({ gateway, variant, label, children }: OpenDialogProps) {
  const [opened, setOpened] = useState(false);
  if (!useMay('gateways:write')) return null;
  return (
    <>
      <Button size="compact-sm" variant={variant} aria-label={label} onClick={() => setOpened(true)}>
        {children}
      </Button>
      {opened && <CredentialsDialog gateway={gateway} close={() => setOpened(false)} />}
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
      title={messages.credentialsTitle(gatewayTitle(gateway))}
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
  const { name, required, secret, multiline, description, description_pt } = field;
  const common = {
    ...form.getInputProps(pathOf(field)),
    label: fieldLabel(name),
    description: language === 'pt' ? description_pt : description,
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
  const words = name.replaceAll('_', ' ').replace(/\burl\b/, 'URL');
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
