import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { SplitPart } from '../gateways/simulator/wire';
import { transactionOf } from '../gateways/simulator/wire';

type EntryKind =
  | 'authorized'
  | 'captured'
  | 'declined'
  | 'pending'
  | 'paid'
  | 'expired'
  | 'canceled'
  | 'refunded'
  | 'split'
  | 'fee';

/** One movement between two accounts; both are null for what only happened and moved nothing. */
export interface LedgerEntry {
  readonly id: string;
  readonly gateway: GatewaySlug;
  /** Our reference of the operation that made the entry. */
  readonly reference: string;
  readonly charge_id: string;
  readonly kind: EntryKind;
  readonly amount: number;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly recipient_id?: string;
  readonly created_at: string;
}

export interface LedgerTotals {
  /** Reserved on a card, or paid in by pix or billet. */
  readonly authorized: number;
  readonly captured: number;
  /** Released without being captured: whole authorizations, and the rest of partial captures. */
  readonly canceled: number;
  readonly refunded: number;
  readonly held: number;
}

/** A movement as an operation asks for it; the ledger adds what all of them have. */
export interface Posting {
  readonly kind: EntryKind;
  readonly amount: number;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly recipient_id?: string;
}

const CUSTOMER = 'customer';
const HELD = 'held';
const MERCHANT = 'merchant';
const GATEWAY = 'gateway';
const recipientAccount = (id: string): string => `recipient:${id}`;

export const post = {
  authorized: (amount: number): Posting => ({ kind: 'authorized', amount, debit: CUSTOMER, credit: HELD }),
  paid: (amount: number): Posting => ({ kind: 'paid', amount, debit: CUSTOMER, credit: HELD }),
  released: (amount: number): Posting => ({ kind: 'canceled', amount, debit: HELD, credit: CUSTOMER }),
  /** What happened without moving money: a refusal, a pix that waits, runs out or is withdrawn. */
  note: (kind: 'declined' | 'pending' | 'expired' | 'canceled', amount: number): Posting => ({
    kind,
    amount,
    debit: null,
    credit: null,
  }),
  /** The captured amount, then who gets it: the fee comes out of the parts flagged for it, so splits + fees = captured. */
  captured(amount: number, splits: readonly SplitPart[], feeCents: number): Posting[] {
    const fee = Math.min(feeCents, amount);
    const postings: Posting[] = [{ kind: 'captured', amount, debit: HELD, credit: MERCHANT }];
    if (fee > 0) postings.push({ kind: 'fee', amount: fee, debit: MERCHANT, credit: GATEWAY });
    for (const { id, net } of netParts(splits, fee)) {
      postings.push({
        kind: 'split',
        amount: net,
        debit: MERCHANT,
        credit: recipientAccount(id),
        recipient_id: id,
      });
    }
    return postings;
  },
  /** Out of the merchant's account, or out of the recipients' where parts are named. */
  refunded(amount: number, splits: readonly SplitPart[]): Posting[] {
    if (splits.length === 0) return [{ kind: 'refunded', amount, debit: MERCHANT, credit: CUSTOMER }];
    return splits.map((part) => ({
      kind: 'refunded',
      amount: part.amount,
      debit: recipientAccount(part.recipient_id),
      credit: CUSTOMER,
      recipient_id: part.recipient_id,
    }));
  },
};

function netParts(splits: readonly SplitPart[], feeCents: number): Array<{ id: string; net: number }> {
  const payers = splits.some((part) => part.charge_processing_fee)
    ? (part: SplitPart) => part.charge_processing_fee
    : () => true;
  let open = feeCents;
  return splits.map((part) => {
    const share = payers(part) ? Math.min(open, part.amount) : 0;
    open -= share;
    return { id: part.recipient_id, net: part.amount - share };
  });
}

export class Ledger {
  private readonly byTransaction = new Map<string, LedgerEntry[]>();
  private count = 0;

  /** Gives postings their ids and dates; nothing is in the ledger before `add`. */
  draft(
    source: { gateway: GatewaySlug; reference: string; chargeId: string },
    postings: readonly Posting[],
    now: Date,
  ): LedgerEntry[] {
    return postings.map((posting, index) => ({
      id: `entry_${this.count + index + 1}`,
      gateway: source.gateway,
      reference: source.reference,
      charge_id: source.chargeId,
      ...posting,
      created_at: now.toISOString(),
    }));
  }

  add(entries: readonly LedgerEntry[]): void {
    this.count += entries.length;
    for (const entry of entries) {
      const transaction = transactionOf(entry.reference);
      const known = this.byTransaction.get(transaction);
      if (known === undefined) this.byTransaction.set(transaction, [entry]);
      else known.push(entry);
    }
  }

  all(): LedgerEntry[] {
    return [...this.byTransaction.values()].flat();
  }

  ofTransaction(transactionId: string): readonly LedgerEntry[] {
    return this.byTransaction.get(transactionOf(transactionId)) ?? [];
  }

  /** The entries of one charge, found by its reference or by one of its operations'. */
  ofReference(reference: string): LedgerEntry[] {
    const entries = this.ofTransaction(reference);
    const charges = new Set(entries.filter((e) => e.reference === reference).map((e) => e.charge_id));
    return entries.filter((entry) => charges.has(entry.charge_id));
  }
}

export function ledgerTotals(entries: readonly LedgerEntry[]): LedgerTotals {
  const sum = (included: (entry: LedgerEntry) => boolean): number =>
    entries.reduce((total, entry) => total + (included(entry) ? entry.amount : 0), 0);
  return {
    authorized: sum((entry) => entry.kind === 'authorized' || entry.kind === 'paid'),
    captured: sum((entry) => entry.kind === 'captured'),
    canceled: sum((entry) => entry.kind === 'canceled'),
    refunded: sum((entry) => entry.kind === 'refunded'),
    held: sum((entry) => entry.credit === HELD) - sum((entry) => entry.debit === HELD),
  };
}
