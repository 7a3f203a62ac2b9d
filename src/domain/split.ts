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

export interface SplitPart {
  readonly recipientId: string;
  readonly amountCents: number;
  readonly liable: boolean;
  readonly chargeProcessingFee: boolean;
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

/**
 * Each recipient's exact cents; the parts always sum to the amount. What rounding leaves goes to the recipient flagged
 * for remainders, else a cent each by largest remainder, then request order (decisions, section 5).
 */
export function splitAmount(splits: readonly Split[], amountCents: number): SplitPart[] {
  const total = splits.reduce((sum, split) => sum + split.amount, 0);
  const shares = splits.map((split, index) => {
    // The product of two amounts may be beyond 2^53.
    const exact = BigInt(split.amount) * BigInt(amountCents);
    return { split, index, cents: Number(exact / BigInt(total)), remainder: Number(exact % BigInt(total)) };
  });
  let leftover = amountCents - shares.reduce((sum, share) => sum + share.cents, 0);
  const flagged = shares.find((share) => share.split.chargeRemainderFee);
  if (flagged) {
    flagged.cents += leftover;
  } else {
    const byRemainder = [...shares].sort((a, b) => b.remainder - a.remainder || a.index - b.index);
    for (const share of byRemainder) {
      if (leftover === 0) break;
      share.cents += 1;
      leftover -= 1;
    }
  }
  return shares.map(({ split, cents }) => ({
    recipientId: split.recipientId,
    amountCents: cents,
    liable: split.liable,
    chargeProcessingFee: split.chargeProcessingFee,
  }));
}
