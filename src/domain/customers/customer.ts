import type { CardSummary } from './card';
import type { CustomerKey } from './personal-data';
import type { BillingAddress, CustomerSnapshot } from '../shared/payment-snapshot';

/** A company's customer as stored. Personal data and the key are null once the customer is erased. */
export interface StoredCustomer extends CustomerSnapshot {
  readonly metadata: Readonly<Record<string, string>> | null;
  /** Set for a customer without a document (`identityOf`). */
  readonly guestId?: string;
  readonly key: CustomerKey | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A customer who is not erased. */
export interface Customer extends StoredCustomer {
  readonly name: string;
  readonly email: string;
  /** Without punctuation. Displayed masked only. Null for a guest, who paid in another currency than BRL. */
  readonly document: string | null;
  readonly key: CustomerKey;
}

/** The customer data of a request, with a parsed document (`parseDocument`). */
export interface CustomerDetails {
  readonly name: string;
  readonly email: string;
  /** Null for a guest, who has a `guestId`. */
  readonly document: string | null;
  readonly guestId?: string | undefined;
  readonly phone?: string | null | undefined;
  readonly address?: BillingAddress | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

/**
 * By what a company knows a customer again: the document or, of a guest, an id made for one purchase, so that nobody without a
 * document becomes somebody else.
 */
export function identityOf({
  document,
  guestId,
}: {
  readonly document: string | null;
  readonly guestId?: string | undefined;
}): string {
  const identity = document ?? guestId;
  if (identity === undefined) throw new Error('the customer has neither a document nor a guest id');
  return identity;
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
