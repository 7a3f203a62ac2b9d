import type { Schema } from '../../api/client';
import { nameAndEmail } from '../shared/customer-name';
import { TextLink } from '../shared/links';

type LinkedCustomer = Pick<Schema<'PaymentCustomer'>, 'token' | 'name' | 'email'>;

/** Leads to the customer's page, which an erased customer has no more. */
export function CustomerLink({ customer }: { readonly customer: LinkedCustomer }) {
  const { token, name } = customer;
  if (token === null || name === null) return nameAndEmail(customer);
  return (
    <TextLink to="/customers/$token" params={{ token }} fz="sm">
      {nameAndEmail(customer)}
    </TextLink>
  );
}
