import type { GatewaySlug } from '../domain/shared/gateway-slug';
import { transactionOf, type WireSplit } from '../gateways/simulator/wire';

type EntryKind =
  | 'authorized'
  | 'captured'
  | 'declined'
  | 'pending'
  | 'paid'
  | 'expired'
  | 'canceled'
  | 'refunded'
  | 'disputed'
  | 'dispute_returned'
  | 'split'
  | 'fee';

/** A transfer between two accounts, or a memo entry, which moves no money and has no accounts. */
export interface LedgerEntry {
  readonly id: string;
  readonly gateway: GatewaySlug;
  /** The reference of the operation that created the entry. */
  readonly reference: string;
  readonly charge_id: string;
  readonly kind: EntryKind;
  readonly amount: number;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly recipient_id?: string;
  /** Of disputed money. */
  readonly dispute_id?: string;
  readonly created_at: string;
}

export interface LedgerTotals {
  /** Reserved on a card, or paid by pix or billet. */
  readonly authorized: number;
  readonly captured: number;
  /** Released without capture: voided authorizations and the rest of partial captures. */
  readonly canceled: number;
  readonly refunded: number;
  readonly held: number;
  /** Taken by disputes and not returned, whether they are decided or not. */
  readonly disputed: number;
}

/** An entry before the ledger adds its id, source and time. */
export interface Posting {
  readonly kind: EntryKind;
  readonly amount: number;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly recipient_id?: string;
  readonly dispute_id?: string;
}

const CUSTOMER = 'customer';
const HELD = 'held';
const MERCHANT = 'merchant';
const GATEWAY = 'gateway';
const DISPUTED = 'disputed';
const recipientAccount = (id: string): string => `recipient:${id}`;

export const post = {
  authorized: (amount: number): Posting => ({ kind: 'authorized', amount, debit: CUSTOMER, credit: HELD }),
  paid: (amount: number): Posting => ({ kind: 'paid', amount, debit: CUSTOMER, credit: HELD }),
  released: (amount: number): Posting => ({ kind: 'canceled', amount, debit: HELD, credit: CUSTOMER }),
  /** An event that moves no money: a decline, or a pix or billet that is pending, expired or canceled. */
  memo: (kind: 'declined' | 'pending' | 'expired' | 'canceled', amount: number): Posting => ({
    kind,
    amount,
    debit: null,
    credit: null,
  }),
  /** The captured amount, the fee and the splits. The flagged splits pay the fee. */
  captured(amount: number, splits: readonly WireSplit[], feeCents: number): Posting[] {
    const fee = Math.min(feeCents, amount);
    const postings: Posting[] = [{ kind: 'captured', amount, debit: HELD, credit: MERCHANT }];
    if (fee > 0) postings.push({ kind: 'fee', amount: fee, debit: MERCHANT, credit: GATEWAY });
    for (const { id, net } of splitsAfterFee(splits, fee)) {
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
  /** Takes what is under dispute from the merchant. It stays with the customer if the dispute is lost. */
  disputed: (amount: number, dispute_id: string): Posting => ({
    kind: 'disputed',
    amount,
    debit: MERCHANT,
    credit: DISPUTED,
    dispute_id,
  }),
  disputeReturned: (amount: number, dispute_id: string): Posting => ({
    kind: 'dispute_returned',
    amount,
    debit: DISPUTED,
    credit: MERCHANT,
    dispute_id,
  }),
  /** Debits the recipients of the splits, and the merchant for the rest. */
  refunded(amount: number, splits: readonly WireSplit[]): Posting[] {
    const postings = splits.map((split): Posting => ({
      kind: 'refunded',
      amount: split.amount,
      debit: recipientAccount(split.recipient_id),
      credit: CUSTOMER,
      recipient_id: split.recipient_id,
    }));
    const rest = amount - splits.reduce((sum, split) => sum + split.amount, 0);
    if (rest > 0) postings.push({ kind: 'refunded', amount: rest, debit: MERCHANT, credit: CUSTOMER });
    return postings;
  },
};

/** Deducts the fee from the splits with `charge_processing_fee`, or from all if none has it. */
function splitsAfterFee(splits: readonly WireSplit[], feeCents: number): Array<{ id: string; net: number }> {
  const anyFlagged = splits.some((split) => split.charge_processing_fee);
  let remainingFee = feeCents;
  return splits.map((split) => {
    const paysFee = !anyFlagged || split.charge_processing_fee;
    const fee = paysFee ? Math.min(remainingFee, split.amount) : 0;
    remainingFee -= fee;
    return { id: split.recipient_id, net: split.amount - fee };
  });
}

export class Ledger {
  private readonly byTransaction = new Map<string, LedgerEntry[]>();
  private count = 0;

  /** Turns postings into entries without adding them to the ledger. */
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

  /** How many entries there are. */
  get size(): number {
    return this.count;
  }

  all(): LedgerEntry[] {
    return [...this.byTransaction.values()].flat();
  }

  ofTransaction(transactionId: string): readonly LedgerEntry[] {
    return this.byTransaction.get(transactionOf(transactionId)) ?? [];
  }

  /** All entries of the charges that have an entry with this reference. */
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
    disputed: sum((entry) => entry.credit === DISPUTED) - sum((entry) => entry.debit === DISPUTED),
  };
}
