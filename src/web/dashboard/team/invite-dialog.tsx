import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { unwrapBody, api } from '../../api/client';
import { FormDialog } from '../../ui/forms/form-dialog';
import { messages } from './messages';
import { RoleSelect, type RoleForm } from './role-select';

interface InviteForm extends RoleForm {
  email: string;
}

export function InviteDialog({ close }: { readonly close: () => void }) {
  const form = useForm<InviteForm>({ initialValues: { email: '', role: 'support' } });
  return (
    <FormDialog
      title={messages.invite}
      action={messages.send}
      form={form}
      save={async (body) => void (await unwrapBody(api.POST('/user/company/users', { body })))}
      success={messages.sent}
      reloads={['team']}
      close={close}
    >
      <Text size="sm">{messages.inviteText}</Text>
      <TextInput
        {...form.getInputProps('email')}
        type="email"
        label={messages.email}
        required
        maxLength={254}
        autoComplete="off"
        data-autofocus
      />
      <RoleSelect form={form} />
    </FormDialog>
  );
}
