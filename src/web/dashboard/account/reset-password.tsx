import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { ButtonLink } from '../shared/links';
import { Frame } from './frame';
import { messages } from './messages';
import { NewPasswordInputs } from './new-password-inputs';

export function ResetPassword() {
  const form = useForm({ initialValues: { token: '', password: '', password_confirmation: '' } });
  const resetting = useMutation({
    mutationFn: (body: Schema<'PasswordReset'>) => unwrapBody(api.POST('/auth/reset-password', { body })),
    onError: (error) => setFieldErrors(form, error),
  });
  if (resetting.isSuccess) {
    return (
      <Frame title={messages.resetTitle}>
        <Stack>
          <Alert color="teal" role="status" title={messages.passwordSet} />
          <ButtonLink to="/login">{messages.signIn}</ButtonLink>
        </Stack>
      </Frame>
    );
  }
  return (
    <Frame title={messages.resetTitle}>
      <form onSubmit={form.onSubmit((values) => resetting.mutate(values))} noValidate>
        <Stack>
          <FormError error={resetting.error} fields={Object.keys(form.values)} />
          <TextInput
            {...form.getInputProps('token')}
            autoComplete="one-time-code"
            required
            autoFocus
            label={messages.token}
          />
          <NewPasswordInputs form={form} label={messages.newPassword} />
          <Button type="submit" loading={resetting.isPending}>
            {messages.setPassword}
          </Button>
        </Stack>
      </form>
    </Frame>
  );
}
