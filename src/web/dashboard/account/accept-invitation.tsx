import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { unwrapBody, api, type Schema } from '../../api/client';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { Frame } from './frame';
import { messages } from './messages';
import { NewPasswordInputs } from './new-password-inputs';

/** The mail's link has the token in its fragment, which is sent to no server. */
export function AcceptInvitation() {
  const token = useLocation({ select: ({ hash }) => hash });
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({ initialValues: { token, name: '', password: '', password_confirmation: '' } });
  const accepting = useMutation({
    mutationFn: (body: Schema<'InvitationAcceptance'>) =>
      unwrapBody(api.POST('/auth/accept-invitation', { body })),
    onSuccess: async () => {
      queryClient.clear();
      await router.navigate({ to: '/' });
    },
    onError: (error) => setFieldErrors(form, error),
  });
  return (
    <Frame title={messages.acceptTitle} subtitle={messages.acceptSubtitle}>
      <form onSubmit={form.onSubmit((values) => accepting.mutate(values))} noValidate>
        <Stack>
          <FormError error={accepting.error} fields={Object.keys(form.values)} />
          <TextInput
            {...form.getInputProps('token')}
            autoComplete="one-time-code"
            required
            label={messages.token}
          />
          <TextInput
            {...form.getInputProps('name')}
            autoComplete="name"
            required
            autoFocus
            label={messages.yourName}
          />
          <NewPasswordInputs form={form} label={messages.newPassword} />
          <Button type="submit" loading={accepting.isPending}>
            {messages.join}
          </Button>
        </Stack>
      </form>
    </Frame>
  );
}
