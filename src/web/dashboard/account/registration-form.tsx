import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { answerOf, api, type Schema } from '../../api/client';
import { FormFailure, markFields } from '../../ui/forms/form-error';
import { messages as shared } from '../../ui/messages';
import { TextLink } from '../shared/links';
import { messages } from './messages';
import { signIn } from './sign-in';

/** Stored with the registration, as what led to it. */
const REFERRER = { 'x-client-id': 'dashboard' };

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

/** What may be left out is left out when it is empty; digits are what counts of what is written with dots. */
function requestOf({
  company_cnpj,
  company_financial_email,
  company_phone,
  ...required
}: typeof EMPTY): Registration {
  const cnpj = company_cnpj.replaceAll(/\D/g, '');
  const phone = company_phone.replaceAll(/\D/g, '');
  return {
    ...required,
    ...(company_cnpj !== '' && { company_cnpj: cnpj }),
    ...(company_financial_email !== '' && { company_financial_email }),
    ...(company_phone !== '' && { company_phone: phone }),
  };
}

/** Registers the company and its first user, who is signed in then. */
async function register(body: Registration): Promise<Schema<'NewUserCompany'>> {
  const { company } = await answerOf(api.POST('/auth/register', { params: { header: REFERRER }, body }));
  // Should this fail, the key is shown all the same, and the person signs in afterwards.
  await signIn(body).catch(() => undefined);
  return company;
}

interface RegistrationFormProps {
  readonly registered: (company: Schema<'NewUserCompany'>) => void;
}

export function RegistrationForm({ registered }: RegistrationFormProps) {
  const form = useForm({ initialValues: EMPTY });
  const registering = useMutation({
    mutationFn: register,
    onSuccess: registered,
    onError: (error) => markFields(form, error),
  });
  const optional = (label: string) => `${label} (${shared.optional})`;
  return (
    <form onSubmit={form.onSubmit((values) => registering.mutate(requestOf(values)))} noValidate>
      <Stack gap="sm">
        <FormFailure error={registering.error} shown={Object.keys(EMPTY)} />
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
        <PasswordInput
          {...form.getInputProps('password')}
          autoComplete="new-password"
          required
          label={messages.password}
          description={messages.passwordRule}
        />
        <PasswordInput
          {...form.getInputProps('password_confirmation')}
          autoComplete="new-password"
          required
          label={messages.again}
        />
        <TextInput
          {...form.getInputProps('company_cnpj')}
          inputMode="numeric"
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
