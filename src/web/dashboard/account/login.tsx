import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { ApiFailure } from '../../api/failure';
import { FormFailure, markFields } from '../../ui/forms/form-error';
import { TextLink } from '../shared/links';
import { Frame } from './frame';
import { messages } from './messages';
import { signIn } from './sign-in';

const route = getRouteApi('/login');

export function Login() {
  const { next } = route.useSearch();
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({ initialValues: { email: '', password: '' } });
  const entering = useMutation({
    mutationFn: signIn,
    onSuccess: async () => {
      queryClient.clear();
      if (next === undefined) await router.navigate({ to: '/' });
      else router.history.push(next);
    },
    onError: (error) => markFields(form, error),
  });
  const isWrong = entering.error instanceof ApiFailure && entering.error.status === 401;
  return (
    <Frame title={messages.signIn} about={messages.signInAbout}>
      <form onSubmit={form.onSubmit((values) => entering.mutate(values))} noValidate>
        <Stack>
          {isWrong ? (
            <Alert color="red" role="alert" title={messages.wrongPassword} />
          ) : (
            <FormFailure error={entering.error} shown={['email', 'password']} />
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
          <Button type="submit" loading={entering.isPending} fullWidth>
            {messages.signIn}
          </Button>
        </Stack>
      </form>
      <Group justify="space-between" mt="lg" gap="xs">
        <TextLink to="/forgot-password" fz="sm">
          {messages.forgotten}
        </TextLink>
        <Text size="sm" c="dimmed">
          {messages.noAccount} <TextLink to="/register">{messages.register}</TextLink>
        </Text>
      </Group>
    </Frame>
  );
}
