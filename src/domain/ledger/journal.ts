import type { GatewaySlug } from '../shared/gateway-slug';
import type { GatewaySecretId } from '../shared/ids';

/** The accounts of a company's ledger (docs/ledger.md). */
export const LEDGER_ACCOUNTS = [
  'gateway_receivable',
  'gateway_balance',
  'bank',
  'sales',
  'refunds',
  'recipient_payable',
  'unapplied_receipts',
  'dispute_hold',
  'dispute_losses',
  'fees',
  'credit_balances',
  'credits_granted',
] as const;
export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** What an entry records. */
export const JOURNAL_ENTRY_KINDS = [
  'received',
  'accepted',
  'refunded',
  'dispute_held',
  'dispute_returned',
  'dispute_lost',
  'settled',
  'fee_charged',
  'paid_out',
  'credit_granted',
  'credit_used',
] as const;
export type JournalEntryKind = (typeof JOURNAL_ENTRY_KINDS)[number];

/** One line of an entry. */
export interface LedgerPosting {
  readonly account: LedgerAccount;
  /** Minor units: a debit is positive, a credit negative. */
  readonly amountCents: number;
  /** Where the money is; null for accounts that belong to no gateway. */
  readonly gateway: GatewaySlug | null;
  /** Whom a `recipient_payable` belongs to. */
  readonly recipientId: string | null;
  /** Of a `gateway_receivable`: the day on which the gateway is expected to settle it, `YYYY-MM-DD` in Brasília. */
  readonly expectedOn: string | null;
  /** From 1; null if the receivable has no installments. */
  readonly installment: number | null;
}

/** A journal entry. Its postings sum to zero. */
export interface JournalEntry {
  /** The same for the same transition, so that it is posted once. */
  readonly step: string;
  readonly kind: JournalEntryKind;
  readonly currency: string;
  readonly postedAt: Date;
  /** What the charge was sent with, which tells the gateway account. Null for the platform's own account. */
  readonly secretId: GatewaySecretId | null;
  readonly postings: readonly LedgerPosting[];
}

/** A posting without what only receivables and recipients have. */
export function posting(
  account: LedgerAccount,
  amountCents: number,
  details: Partial<Omit<LedgerPosting, 'account' | 'amountCents'>> = {},
): LedgerPosting {
  const none = { gateway: null, recipientId: null, expectedOn: null, installment: null };
  return { account, amountCents, ...none, ...details };
}

/** The postings that move money. */
export function moving(postings: readonly LedgerPosting[]): LedgerPosting[] {
  return postings.filter(({ amountCents }) => amountCents !== 0);
}
