import type { RequestError } from '../../api/request-error';
import { messages } from '../messages';
import type { PayRequest } from '../session/session-api';
import type { FieldRule } from './use-fields';

/** Address fields by the API's names. Their own differ from those of the card, which are in the same form. */
const ADDRESS_FIELDS = {
  zip_code: 'zip',
  street: 'street',
  number: 'houseNumber',
  complementary: 'complement',
  neighborhood: 'neighborhood',
  city: 'city',
  state: 'state',
} as const;
type AddressField = (typeof ADDRESS_FIELDS)[keyof typeof ADDRESS_FIELDS];

/** What a buyer is asked for only after a gateway turned out to need it. */
export type AskedField = 'phone' | AddressField;
export type AskedValues = Readonly<Record<AskedField, string>>;

export interface Asked {
  readonly phone: boolean;
  readonly address: boolean;
}

export const NOTHING_ASKED: Asked = { phone: false, address: false };
export const EMPTY_ANSWERS: AskedValues = {
  ...{ phone: '', zip: '', street: '', houseNumber: '', complement: '' },
  ...{ neighborhood: '', city: '', state: '' },
};

const { invalid } = messages;
/** Area code and number. The API checks the rest. */
const FEWEST_DIGITS = 10;
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '');

export function askedRules({ phone, address }: Asked): Readonly<Record<AskedField, FieldRule>> {
  const rule = (isAsked: boolean, isValid: (value: string) => boolean, message: string): FieldRule => ({
    validate: (value) => (isAsked && !isValid(value) ? message : null),
  });
  const filled = rule(address, (value) => value.trim() !== '', invalid.required);
  return {
    phone: rule(phone, (value) => digitsOf(value).length >= FEWEST_DIGITS, invalid.phone),
    zip: rule(address, (value) => digitsOf(value).length === 8, invalid.zip),
    street: filled,
    houseNumber: filled,
    complement: { validate: () => null },
    neighborhood: filled,
    city: filled,
    state: rule(address, (value) => /^[A-Za-z]{2}$/.test(value.trim()), invalid.state),
  };
}

/** What is asked now, with what this answer of the API asks for. */
export function askedBy({ fields }: RequestError, before: Asked): Asked {
  const names = Object.keys(fields);
  const asksAddress = names.some((name) => name === 'billing_address' || name.startsWith('billing_address.'));
  return {
    phone: before.phone || names.includes('payer.phone'),
    address: before.address || asksAddress,
  };
}

/** Messages for the fields that the API rejected. */
export function askedFieldErrors({ fields }: RequestError): Partial<AskedValues> {
  const address = Object.entries(ADDRESS_FIELDS).filter(([name]) => `billing_address.${name}` in fields);
  return {
    ...('payer.phone' in fields && { phone: invalid.phone }),
    ...Object.fromEntries(address.map(([, own]) => [own, invalid.other])),
  };
}

/** The part of the payment request that was asked for. */
export function askedPart(
  { phone, address }: Asked,
  values: AskedValues,
): Pick<PayRequest, 'payer' | 'billing_address'> {
  const complement = values.complement.trim();
  return {
    ...(phone && { payer: { phone: values.phone.trim() } }),
    ...(address && {
      billing_address: {
        zip_code: digitsOf(values.zip),
        street: values.street.trim(),
        number: values.houseNumber.trim(),
        ...(complement !== '' && { complementary: complement }),
        neighborhood: values.neighborhood.trim(),
        city: values.city.trim(),
        state: values.state.trim().toUpperCase(),
        country: 'BR',
      },
    }),
  };
}
