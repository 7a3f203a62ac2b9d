import type { Schema } from '../../api/client';
import { messages } from '../../ui/messages';

type Customer = Pick<Schema<'PaymentCustomer'>, 'name' | 'email'>;

/** The customer's name, or that the customer was erased. */
export const customerName = ({ name }: Pick<Customer, 'name'>): string => name ?? messages.erasedCustomer;

export function nameAndEmail({ name, email }: Customer): string {
  return name === null ? messages.erasedCustomer : `${name} · ${email}`;
}
