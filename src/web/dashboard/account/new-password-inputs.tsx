import { PasswordInput } from '@mantine/core';
import { messages } from './messages';

interface NewPasswordInputsProps {
  readonly label: string;
  /** A Mantine form with these fields. */
  readonly form: { getInputProps(field: 'password' | 'password_confirmation'): object };
}

/** A new password, entered twice. */
export function NewPasswordInputs({ label, form }: NewPasswordInputsProps) {
  return (
    <>
      <PasswordInput
        {...form.getInputProps('password')}
        autoComplete="new-password"
        required
        label={label}
        description={messages.passwordRule}
      />
      <PasswordInput
        {...form.getInputProps('password_confirmation')}
        autoComplete="new-password"
        required
        label={messages.confirmPassword}
      />
    </>
  );
}
