import { Button, Image, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { CopyField } from '../../ui/copy-field';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { messages } from './messages';

interface EnrolmentProps {
  readonly onEnabled: (recoveryCodes: readonly string[]) => void;
}

/** Password, then the secret and its first code. */
export function Enrolment({ onEnabled }: EnrolmentProps) {
  const form = useForm({ initialValues: { password: '' } });
  const starting = useMutation({
    mutationFn: async (body: Schema<'PasswordProof'>) =>
      (await unwrapBody(api.POST('/user/me/two-factor', { body }))).data,
    onError: (error) => setFieldErrors(form, error),
  });
  if (starting.data !== undefined) return <Confirmation {...starting.data} onEnabled={onEnabled} />;
  return (
    <form onSubmit={form.onSubmit((values) => starting.mutate(values))} noValidate>
      <Stack align="flex-start">
        <FormError error={starting.error} fields={['password']} />
        <PasswordInput
          {...form.getInputProps('password')}
          autoComplete="current-password"
          required
          label={messages.password}
          w={280}
        />
        <Button type="submit" loading={starting.isPending}>
          {messages.next}
        </Button>
      </Stack>
    </form>
  );
}

type ConfirmationProps = EnrolmentProps & Schema<'TwoFactorEnrolmentResponse'>['data'];

function Confirmation({ secret, qr_code_svg: svg, onEnabled }: ConfirmationProps) {
  const form = useForm({ initialValues: { otp: '' } });
  const confirming = useMutation({
    mutationFn: async (body: Schema<'OneTimeCode'>) =>
      (await unwrapBody(api.POST('/user/me/two-factor/confirm', { body }))).data,
    onSuccess: ({ recovery_codes: codes }) => onEnabled(codes),
    onError: (error) => setFieldErrors(form, error),
  });
  return (
    <form onSubmit={form.onSubmit((values) => confirming.mutate(values))} noValidate>
      <Stack align="flex-start">
        <Text size="sm">{messages.scan}</Text>
        <Image
          src={`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`}
          alt={messages.qrCode}
          w={200}
          h={200}
        />
        <CopyField label={messages.secret} value={secret} />
        <FormError error={confirming.error} fields={['otp']} />
        <TextInput
          {...form.getInputProps('otp')}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          label={messages.code}
        />
        <Button type="submit" loading={confirming.isPending}>
          {messages.turnOn}
        </Button>
      </Stack>
    </form>
  );
}
