import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client';
import { FormFailure, markFields } from '../../ui/forms/form-error';
import { ButtonLink, TextLink } from '../shared/links';
import { Frame } from './frame';
import { messages } from './messages';

export function ForgotPassword() {
  const form = useForm({ initialValues: { email: '' } });
  const asking = useMutation({
    mutationFn: (body: { email: string }) => answerOf(api.POST('/auth/forgot-password', { body })),
    onError: (error) => markFields(form, error),
  });
  return (
    <Frame title={messages.forgotTitle} about={messages.forgotAbout}>
      {asking.isSuccess ? (
        <Stack>
          <Alert color="teal" role="status" title={messages.sent} />
          <ButtonLink to="/reset-password">{messages.enterToken}</ButtonLink>
        </Stack>
      ) : (
        <form onSubmit={form.onSubmit((values) => asking.mutate(values))} noValidate>
          <Stack>
            <FormFailure error={asking.error} shown={['email']} />
            <TextInput
              {...form.getInputProps('email')}
              type="email"
              autoComplete="username"
              required
              autoFocus
              label={messages.email}
            />
            <Button type="submit" loading={asking.isPending}>
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
