import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { Panel } from '../../ui/layout/panel';
import { messages as shared } from '../../ui/messages';
import { meQuery, useMe } from '../session';
import { messages } from './messages';

interface ProfileForm {
  name: string;
  language: Schema<'Language'>;
}

const LANGUAGES: ReadonlyArray<{ value: Schema<'Language'>; label: string }> = [
  { value: 'en', label: 'English' },
  { value: 'pt', label: 'Português' },
];

/** The language is that of emails; that of the pages is chosen in the menu of the account. */
export function Profile() {
  const { name, email, language } = useMe();
  const form = useForm<ProfileForm>({ initialValues: { name, language } });
  const queryClient = useQueryClient();
  const saving = useMutation({
    mutationFn: (body: ProfileForm) => unwrapBody(api.PATCH('/user/me', { body })),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(meQuery.queryKey, data);
      form.setInitialValues({ name: data.name, language: data.language });
      form.reset();
      notifications.show({ color: 'teal', message: shared.saved });
    },
    onError: (error) => setFieldErrors(form, error),
  });
  return (
    <Panel title={messages.profile}>
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <Stack maw={420}>
          <FormError error={saving.error} fields={Object.keys(form.values)} />
          <TextInput {...form.getInputProps('name')} label={messages.name} required maxLength={255} />
          <div>
            <Text size="sm" fw={600}>
              {messages.email}
            </Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {email}
            </Text>
          </div>
          <NativeSelect
            {...form.getInputProps('language')}
            label={messages.language}
            description={messages.languageHint}
            data={LANGUAGES}
          />
          <Group>
            <Button type="submit" disabled={!form.isDirty()} loading={saving.isPending}>
              {shared.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
