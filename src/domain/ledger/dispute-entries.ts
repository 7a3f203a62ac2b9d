import type { SplitAllocation } from '../payments/split';
import type { GatewaySlug } from '../shared/gateway-slug';
import type { GatewaySecretId } from '../shared/ids';
import { moving, posting, type JournalEntry, type JournalEntryKind } from './journal';
import { deduction } from './receivables';

/** What a gateway has of the company's money because of a dispute, in minor units. What it has returned is in neither. */
export interface DisputeTotals {
  /** What it holds until the dispute is decided. */
  readonly heldCents: number;
  /** What the customer has got. */
  readonly lostCents: number;
}

export interface DisputeTransition {
  readonly disputeId: string;
  /** Counts the dispute's transitions, from 1. */
  readonly number: number;
  readonly before: DisputeTotals;
  readonly after: DisputeTotals;
  /** What each liable recipient bears of the whole loss, before and after. */
  readonly borneBefore: readonly SplitAllocation[];
  readonly borneAfter: readonly SplitAllocation[];
  readonly currency: string;
  readonly gateway: GatewaySlug;
  /** What the charge was sent with; null for the platform's own account. */
  readonly secretId: GatewaySecretId | null;
  readonly at: Date;
}

/** The entry of a dispute's transition, about the disputed payment; null if it moves no money. */
export function disputeEntry(transition: DisputeTransition): JournalEntry | null {
  const { disputeId, number, before, after, currency, gateway, secretId, at } = transition;
  const postings = moving([
    posting('dispute_hold', after.heldCents - before.heldCents, { gateway }),
    deduction(takenCents(after) - takenCents(before), gateway, at),
    ...lossPostings(transition),
  ]);
  if (postings.length === 0) return null;
  const step = `dispute/${disputeId}/${number}`;
  return { step, kind: kindOf(before, after), currency, postedAt: at, secretId, postings };
}

function takenCents({ heldCents, lostCents }: DisputeTotals): number {
  return heldCents + lostCents;
}

/** Recipients that are liable bear their part of a loss; the company bears the rest. */
function lossPostings({ before, after, borneBefore, borneAfter }: DisputeTransition) {
  const returned = borneBefore.map((share) => ({ ...share, amountCents: -share.amountCents }));
  const shares = [...returned, ...borneAfter];
  const sharedCents = shares.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return [
    ...byRecipient(shares).map(([recipientId, cents]) =>
      posting('recipient_payable', cents, { recipientId }),
    ),
    posting('dispute_losses', after.lostCents - before.lostCents - sharedCents),
  ];
}

function byRecipient(shares: readonly SplitAllocation[]): Array<[recipientId: string, cents: number]> {
  const sums = new Map<string, number>();
  for (const { recipientId, amountCents } of shares)
    sums.set(recipientId, (sums.get(recipientId) ?? 0) + amountCents);
  return [...sums];
}

function kindOf(before: DisputeTotals, after: DisputeTotals): JournalEntryKind {
  if (after.lostCents > before.lostCents) return 'dispute_lost';
  return after.heldCents > before.heldCents ? 'dispute_held' : 'dispute_returned';
}
