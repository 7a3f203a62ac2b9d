import { NativeSelect } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMe } from '../session';
import { messages } from './messages';
import { ROLES, type Role } from './queries';

/** Named like the API's field, so that API errors map to it. */
export interface RoleForm {
  role: Role;
}

/** Only owners make owners. */
export function RoleSelect<Form extends RoleForm>({ form }: { readonly form: UseFormReturnType<Form> }) {
  const { role: own } = useMe();
  const choices = ROLES.filter((role) => own === 'owner' || role !== 'owner');
  return (
    <NativeSelect
      {...form.getInputProps('role')}
      label={messages.role}
      description={messages.roleHints[form.values.role]}
      data={choices.map((value) => ({ value, label: messages.roles[value] }))}
    />
  );
}
