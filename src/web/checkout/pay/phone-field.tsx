import type { RequestError } from '../../api/request-error';
import { messages } from '../messages';
import { Field } from '../ui/field';
import type { Fields, FieldRule } from './use-fields';

const { invalid } = messages;
/** Area code and number. The API checks the rest. */
const FEWEST_DIGITS = 10;

/** Whether the gateway needs the buyer's phone, or refused the one that was entered. */
export function isPhoneAsked(error: RequestError | null): boolean {
  return error !== null && 'payer.phone' in error.fields;
}

export function phoneRules(isAsked: boolean): Readonly<Record<'phone', FieldRule>> {
  const hasAreaCode = (value: string) => value.replaceAll(/\D/g, '').length >= FEWEST_DIGITS;
  return { phone: { validate: (value) => (isAsked && !hasAreaCode(value) ? invalid.phone : null) } };
}

export function PhoneField({ fields }: { readonly fields: Fields<'phone'> }) {
  return (
    <Field
      {...fields.bind('phone')}
      label={messages.phone}
      hint={messages.phoneHint}
      type="tel"
      inputMode="tel"
      autoComplete="tel"
      maxLength={25}
    />
  );
}
