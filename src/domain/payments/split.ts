/** One recipient's share as a request names it. */
export interface Split {
  readonly recipientId: string;
  readonly type: 'percentage' | 'flat';
  /** Whole percent, or cents when flat. */
  readonly amount: number;
  readonly liable: boolean;
  readonly chargeProcessingFee: boolean;
  readonly chargeRemainderFee: boolean;
}

/** The one split that gives a recipient everything, with all costs. */
export function wholeTo(recipientId: string): Split {
  const bearsAll = { liable: true, chargeProcessingFee: true, chargeRemainderFee: true };
  return { recipientId, type: 'percentage', amount: 100, ...bearsAll };
}

/** One recipient's exact cents of a charge, a capture or a refund. */
export interface SplitAllocation extends Omit<Split, 'amount'> {
  readonly amountCents: number;
}

/** The problem with the splits of an amount, or null. They must share one type and total 100 percent or the exact amount. */
export function splitProblem(splits: readonly Split[], amountCents: number): string | null {
  const types = new Set(splits.map((split) => split.type));
  if (types.size > 1) return 'must all be of one type';
  const total = splits.reduce((sum, split) => sum + split.amount, 0);
  if (types.has('percentage') && total !== 100) return `percentages must total 100, not ${total}`;
  if (types.has('flat') && total !== amountCents)
    return `must total the amount, ${amountCents} cents, not ${total}`;
  return null;
}

/** Each recipient's exact cents. The allocations always sum to the amount. */
export function splitAmount(splits: readonly Split[], amountCents: number): SplitAllocation[] {
  const shares = splits.map(({ amount, chargeRemainderFee }) => ({
    weight: amount,
    takesRemainder: chargeRemainderFee,
    maxCents: amountCents,
  }));
  const cents = allocateProportionally(shares, amountCents);
  return splits.map(({ amount: _, ...split }, index) => ({ ...split, amountCents: cents[index] ?? 0 }));
}

export interface AllocationShare {
  readonly weight: number;
  /** Whether this share takes the rounding remainder first. */
  readonly takesRemainder: boolean;
  /** At least the share's exact amount, rounded up. */
  readonly maxCents: number;
}

/**
 * Divides an amount in proportion to the weights of its shares; the results always sum to the amount. The rounding
 * remainder goes to the share that takes it; otherwise one cent each by largest remainder, then in the given order
 * (docs/decisions/splits-and-recipients.md).
 */
export function allocateProportionally(shares: readonly AllocationShare[], amountCents: number): number[] {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0);
  const allocations = shares.map((share) => {
    // The product of two amounts may exceed 2^53.
    const exact = BigInt(share.weight) * BigInt(amountCents);
    return { share, cents: Number(exact / BigInt(total)), remainder: Number(exact % BigInt(total)) };
  });
  let remainderCents = amountCents - allocations.reduce((sum, { cents }) => sum + cents, 0);
  const add = (allocation: (typeof allocations)[number], cents: number): void => {
    allocation.cents += cents;
    remainderCents -= cents;
  };
  const flagged = allocations.find(({ share }) => share.takesRemainder);
  if (flagged) add(flagged, Math.min(remainderCents, flagged.share.maxCents - flagged.cents));
  const others = allocations.filter((allocation) => allocation !== flagged);
  // Stable: equal remainders keep the given order.
  others.sort((a, b) => b.remainder - a.remainder);
  for (const allocation of others.slice(0, remainderCents)) add(allocation, 1);
  return allocations.map(({ cents }) => cents);
}
