import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { messages as shared } from '../../ui/messages';
import { TextLink } from '../shared/links';
import { messages } from './messages';
import { NewPasswordInputs } from './new-password-inputs';
import { signIn } from './sign-in';

/** Recorded with the registration as its source. */
const SOURCE_HEADER = { 'x-client-id': 'dashboard' };

const EMPTY = {
  name: '',
  email: '',
  password: '',
  password_confirmation: '',
  company_name: '',
  company_cnpj: '',
  company_financial_email: '',
  company_phone: '',
};

type Registration = Schema<'UserRegistration'>;

/** Leaves out empty optional fields, and strips punctuation from the phone number. */
function requestOf({
  company_cnpj,
  company_financial_email,
  company_phone,
  ...required
}: typeof EMPTY): Registration {
  const phone = company_phone.replaceAll(/\D/g, '');
  return {
    ...required,
    ...(company_cnpj !== '' && { company_cnpj }),
    ...(company_financial_email !== '' && { company_financial_email }),
    ...(company_phone !== '' && { company_phone: phone }),
  };
}

/** Registers the company and its first user, and signs the user in. */
async function register(body: Registration): Promise<Schema<'NewUserCompany'>> {
  const { company } = await unwrapBody(
    api.POST('/auth/register', { params: { header: SOURCE_HEADER }, body }),
  );
  // If this fails, the key is shown nevertheless and the user signs in later.
  await signIn(body).catch(() => undefined);
  return company;
}

interface RegistrationFormProps {
  readonly onRegistered: (company: Schema<'NewUserCompany'>) => void;
}

export function RegistrationForm({ onRegistered }: RegistrationFormProps) {
  const form = useForm({ initialValues: EMPTY });
  const registering = useMutation({
    mutationFn: register,
    onSuccess: onRegistered,
    onError: (error) => setFieldErrors(form, error),
  });
  const optional = (label: string) => `${label} (${shared.optional})`;
  return (
    <form onSubmit={form.onSubmit((values) => registering.mutate(requestOf(values)))} noValidate>
      <Stack gap="sm">
        <FormError error={registering.error} fields={Object.keys(EMPTY)} />
        <TextInput
          {...form.getInputProps('company_name')}
          autoComplete="organization"
          required
          autoFocus
          label={messages.companyName}
        />
        <TextInput {...form.getInputProps('name')} autoComplete="name" required label={messages.yourName} />
        <TextInput
          {...form.getInputProps('email')}
          type="email"
          autoComplete="username"
          required
          label={messages.email}
        />
        <NewPasswordInputs form={form} label={messages.password} />
        <TextInput
          {...form.getInputProps('company_cnpj')}
          autoCapitalize="characters"
          label={optional(messages.companyCnpj)}
          description={messages.cnpjRule}
        />
        <TextInput
          {...form.getInputProps('company_financial_email')}
          type="email"
          label={optional(messages.financialEmail)}
        />
        <TextInput
          {...form.getInputProps('company_phone')}
          type="tel"
          autoComplete="tel"
          label={optional(messages.phone)}
          description={messages.phoneRule}
        />
        <Button type="submit" loading={registering.isPending}>
          {messages.create}
        </Button>
        <TextLink to="/login" fz="sm">
          {messages.toSignIn}
        </TextLink>
      </Stack>
    </form>
  );
}
