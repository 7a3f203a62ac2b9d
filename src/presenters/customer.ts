import type { Customer } from '../domain/customers/customer';
import { maskDocument } from '../domain/customers/document';
import type { components } from '../http/generated/openapi';

/** A customer with a masked document. */
export function presentCustomer(customer: Customer): components['schemas']['Customer'] {
  const { id, token, type, name, email, document, phone, address, metadata } = customer;
  return {
    id,
    token,
    name,
    email,
    document: document === null ? null : maskDocument(document),
    type,
    phone,
    address,
    metadata,
    created_at: customer.createdAt.toISOString(),
    updated_at: customer.updatedAt.toISOString(),
  };
}
