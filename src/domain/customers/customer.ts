import type { CardSummary } from './card';
import type { BillingAddress, CustomerSnapshot } from '../shared/payment-snapshot';

/** A company's customer. `document` has no punctuation and is displayed masked only. */
export interface Customer extends Omit<CustomerSnapshot, 'address'> {
  readonly address: BillingAddress | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
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

/** A customer's saved card. */
export interface SavedCard extends CardSummary {
  readonly token: string;
  readonly isDefault: boolean;
  readonly createdAt: Date;
}
