import type { CardSummary } from './card';
import type { BillingAddress, CustomerSnapshot } from '../shared/payment-snapshot';

/** A company's customer. `document` is without punctuation and is shown masked only. */
export interface Customer extends Omit<CustomerSnapshot, 'address'> {
  readonly address: BillingAddress | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a request says of a customer; the document is already read (`parseDocument`). */
export interface CustomerDetails {
  readonly name: string;
  readonly email: string;
  readonly document: string;
  readonly phone?: string | null | undefined;
  readonly address?: BillingAddress | null | undefined;
  readonly metadata?: Readonly<Record<string, string>> | null | undefined;
}

/** A customer's saved card, as its company sees it. */
export interface SavedCard extends CardSummary {
  readonly token: string;
  readonly isDefault: boolean;
  readonly createdAt: Date;
}
