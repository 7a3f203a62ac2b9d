import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { unwrapBody, api } from '../../api/client';
import { FormDialog } from '../../ui/forms/form-dialog';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';
import { WRITE_SCOPES, type Scope } from './queries';

type Access = 'everything' | 'read' | 'chosen';

interface ApiKeyForm {
  name: string;
  access: Access;
  /** Besides reading, if access is `chosen`. */
  scopes: Scope[];
}

interface ApiKeyDialogProps {
  readonly close: () => void;
  /** Called with the new key, which is never shown again. */
  readonly onCreated: (apiKey: string) => void;
}

/** The key is of the mode that the dashboard shows. */
export function ApiKeyDialog({ close, onCreated }: ApiKeyDialogProps) {
  const form = useForm<ApiKeyForm>({ initialValues: { name: '', access: 'everything', scopes: [] } });
  const { access } = form.values;
  const save = async ({ name, ...chosen }: ApiKeyForm): Promise<void> => {
    const body = { name, scopes: scopesOf(chosen) };
    onCreated((await unwrapBody(api.POST('/user/company/api-keys', { body }))).data.api_key);
  };
  return (
    <FormDialog
      title={messages.add}
      action={shared.create}
      form={form}
      save={save}
      success={messages.createdNotice}
      reloads={['api-keys']}
      close={close}
    >
      <TextInput
        {...form.getInputProps('name')}
        label={messages.name}
        description={messages.nameHint}
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      <Radio.Group {...form.getInputProps('access')} label={messages.access}>
        <Stack gap="xs" mt="xs">
          <Radio value="everything" label={messages.everything} />
          <Radio value="read" label={messages.scopes.read} />
          <Radio value="chosen" label={messages.chosen} />
        </Stack>
      </Radio.Group>
      {access === 'chosen' && (
        <Checkbox.Group {...form.getInputProps('scopes')} label={messages.mayChange}>
          <Stack gap="xs" mt="xs">
            {WRITE_SCOPES.map((scope) => (
              <Checkbox key={scope} value={scope} label={messages.scopes[scope]} size="xs" />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </FormDialog>
  );
}

function scopesOf({ access, scopes }: Pick<ApiKeyForm, 'access' | 'scopes'>): Scope[] {
  if (access === 'everything') return ['read', 'write'];
  return access === 'read' ? ['read'] : ['read', ...scopes];
}
