import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { unwrapBody, api } from '../../api/client';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { ButtonLink, TextLink } from '../shared/links';
import { Frame } from './frame';
import { messages } from './messages';

export function ForgotPassword() {
  const form = useForm({ initialValues: { email: '' } });
  const sending = useMutation({
    mutationFn: (body: { email: string }) => unwrapBody(api.POST('/auth/forgot-password', { body })),
    onError: (error) => setFieldErrors(form, error),
  });
  return (
    <Frame title={messages.forgotPassword} subtitle={messages.forgotSubtitle}>
      {sending.isSuccess ? (
        <Stack>
          <Alert color="teal" role="status" title={messages.sent} />
          <ButtonLink to="/reset-password">{messages.enterToken}</ButtonLink>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit((values) => sending.mutate(values))} noValidate>
          <Stack>
            <FormError error={sending.error} fields={['email']} />
            <TextInput
              {...form.getInputProps('email')}
              type="email"
              autoComplete="username"
              required
              autoFocus
              label={messages.email}
            />
            <Button type="submit" loading={sending.isPending}>
              {messages.sendToken}
            </Button>
          </Stack>
        </form>
      )}
      <TextLink to="/login" fz="sm" mt="lg" display="inline-block">
        {messages.toSignIn}
      </TextLink>
    </Frame>
  );
}
