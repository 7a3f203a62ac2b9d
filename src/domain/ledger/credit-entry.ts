import { posting, type JournalEntry } from './journal';

/** A change of a subscription's credit, which its plan changes give and its later charges use. Minor units. */
export interface CreditChange {
  readonly subscriptionId: string;
  /** Unique among the subscription's changes. */
  readonly changeId: string;
  readonly beforeCents: number;
  readonly afterCents: number;
  readonly currency: string;
  readonly at: Date;
}

/** The entry of a change of credit; null if it stays the same. */
export function creditEntry(change: CreditChange): JournalEntry | null {
  const { subscriptionId, changeId, beforeCents, afterCents, currency, at: postedAt } = change;
  const addedCents = afterCents - beforeCents;
  if (addedCents === 0) return null;
  return {
    step: `credit/${subscriptionId}/${changeId}`,
    kind: addedCents > 0 ? 'credit_granted' : 'credit_used',
    currency,
    postedAt,
    secretId: null,
    postings: [posting('credits_granted', addedCents), posting('credit_balances', -addedCents)],
  };
}
