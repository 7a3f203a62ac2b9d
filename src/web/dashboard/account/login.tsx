import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { RequestError } from '../../api/request-error';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { TextLink } from '../shared/links';
import { Frame } from './frame';
import { messages } from './messages';
import { signIn } from './sign-in';

const route = getRouteApi('/login');

export function Login() {
  const { next } = route.useSearch();
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({ initialValues: { email: '', password: '', otp: '' } });
  const signingIn = useMutation({
    mutationFn: signIn,
    onSuccess: async () => {
      queryClient.clear();
      if (next === undefined) await router.navigate({ to: '/' });
      else router.history.push(next);
    },
    onError: (error) => {
      setFieldErrors(form, error);
      if (error instanceof RequestError && error.code === 'otp_required') setNeedsCode(true);
    },
  });
  const refusal = signingIn.error instanceof RequestError ? signingIn.error : null;
  const isWrongPassword = refusal?.code === 'unauthenticated';
  const [needsCode, setNeedsCode] = useState(false);
  const sentCode = signingIn.variables?.otp ?? '';
  return (
    <Frame title={messages.signIn} subtitle={messages.signInSubtitle}>
      <form onSubmit={form.onSubmit((values) => signingIn.mutate(values))} noValidate>
        <Stack>
          {isWrongPassword ? (
            <Alert color="red" role="alert" title={messages.wrongPassword} />
          ) : refusal?.code === 'otp_required' ? (
            <Alert
              color={sentCode === '' ? 'blue' : 'red'}
              role="alert"
              title={sentCode === '' ? messages.enterCode : messages.wrongCode}
            />
          ) : (
            <FormError error={signingIn.error} fields={['email', 'password', 'otp']} />
          )}
          <TextInput
            {...form.getInputProps('email')}
            type="email"
            autoComplete="username"
            required
            autoFocus
            label={messages.email}
          />
          <PasswordInput
            {...form.getInputProps('password')}
            autoComplete="current-password"
            required
            label={messages.password}
          />
          {needsCode && (
            <TextInput
              {...form.getInputProps('otp')}
              autoComplete="one-time-code"
              required
              autoFocus
              label={messages.code}
              description={messages.codeHint}
            />
          )}
          <Button type="submit" loading={signingIn.isPending} fullWidth>
            {messages.signIn}
          </Button>
        </Stack>
      </form>
      <Group justify="space-between" mt="lg" gap="xs">
        <TextLink to="/forgot-password" fz="sm">
          {messages.forgotPassword}
        </TextLink>
        <Text size="sm" c="dimmed">
          {messages.noAccount} <TextLink to="/register">{messages.register}</TextLink>
        </Text>
      </Group>
    </Frame>
  );
}
