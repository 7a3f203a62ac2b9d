/** One recipient's share as a company asks for it. */
export interface Split {
  readonly recipientId: string;
  readonly type: 'percentage' | 'flat';
  /** Whole percent, or cents when flat. */
  readonly amount: number;
  readonly liable: boolean;
  readonly chargeProcessingFee: boolean;
  readonly chargeRemainderFee: boolean;
}

/** One recipient's exact cents of a charge, a capture or a refund. */
export interface SplitPart extends Omit<Split, 'amount'> {
  readonly amountCents: number;
}

/** What is wrong with a list of splits for an amount, or null: one type, and a total of 100 percent or the amount exactly. */
export function splitProblem(splits: readonly Split[], amountCents: number): string | null {
  const types = new Set(splits.map((split) => split.type));
  if (types.size > 1) return 'must all be of one type';
  const total = splits.reduce((sum, split) => sum + split.amount, 0);
  if (types.has('percentage') && total !== 100) return `percentages must total 100, not ${total}`;
  if (types.has('flat') && total !== amountCents)
    return `must total the amount, ${amountCents}, not ${total}`;
  return null;
}

/** Each recipient's exact cents; the parts always sum to the amount. */
export function splitAmount(splits: readonly Split[], amountCents: number): SplitPart[] {
  const shares = splits.map(({ amount, chargeRemainderFee }) => ({
    weight: amount,
    takesRemainder: chargeRemainderFee,
    most: amountCents,
  }));
  const cents = spread(shares, amountCents);
  return splits.map(({ amount: _, ...split }, index) => ({ ...split, amountCents: cents[index] ?? 0 }));
}

export interface Share {
  readonly weight: number;
  /** Whether what rounding leaves goes here first. */
  readonly takesRemainder: boolean;
  /** Cents; at least the share's exact part, rounded up. */
  readonly most: number;
}

/**
 * Spreads an amount over shares in proportion to their weights: cents that always sum to the amount. What rounding leaves
 * goes to the share flagged for it, else a cent each by largest remainder, then in the order given (decisions, section 5).
 */
export function spread(shares: readonly Share[], amountCents: number): number[] {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0);
  const parts = shares.map((share, index) => {
    // The product of two amounts may be beyond 2^53.
    const exact = BigInt(share.weight) * BigInt(amountCents);
    return { share, index, cents: Number(exact / BigInt(total)), remainder: Number(exact % BigInt(total)) };
  });
  let leftover = amountCents - parts.reduce((sum, { cents }) => sum + cents, 0);
  const give = (part: (typeof parts)[number], cents: number): void => {
    part.cents += cents;
    leftover -= cents;
  };
  const flagged = parts.find(({ share }) => share.takesRemainder);
  if (flagged) give(flagged, Math.min(leftover, flagged.share.most - flagged.cents));
  const byRemainder = [...parts].sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const part of byRemainder.filter((part) => part !== flagged).slice(0, leftover)) give(part, 1);
  return parts.map(({ cents }) => cents);
}
