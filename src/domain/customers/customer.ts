import type { CardSummary } from './card';
import type { CustomerKey } from './personal-data';
import type { BillingAddress, CustomerSnapshot } from '../shared/payment-snapshot';

/** A company's customer as stored. Personal data and the key are null once the customer is erased. */
export interface StoredCustomer extends CustomerSnapshot {
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly key: CustomerKey | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A customer who is not erased. */
export interface Customer extends StoredCustomer {
  readonly name: string;
  readonly email: string;
  /** Without punctuation. Displayed masked only. */
  readonly document: string;
  readonly key: CustomerKey;
}

/** The customer data of a request, with a parsed document (`parseDocument`). */
export interface CustomerDetails {
  readonly name: string;
  readonly email: string;
  readonly document: string;
  readonly phone?: string | null | undefined;
  readonly address?: BillingAddress | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

/** The customer as a payment keeps it. */
export function customerSnapshot(customer: StoredCustomer): CustomerSnapshot {
  const { id, token, type, name, email, document, phone, address } = customer;
  return { id, token, type, name, email, document, phone, address };
}

/** A customer's saved card. */
export interface SavedCard extends CardSummary {
  readonly holderName: string;
  readonly token: string;
  readonly isDefault: boolean;
  readonly createdAt: Date;
}
