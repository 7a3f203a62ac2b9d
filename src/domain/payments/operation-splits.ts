import { joinPath, type Validated } from '../shared/validation';
import { spread, splitAmount, splitProblem, type Split, type SplitPart } from './split';

/** A capture of a payment, in cents. */
export interface SplitCapture {
  /** The payment's whole amount and its own splits; empty when everything is the company's. */
  readonly amountCents: number;
  readonly splits: readonly Split[];
  readonly capturedCents: number;
  /** What was asked for with the capture; null or none to go by the payment's own. */
  readonly asked: readonly Split[] | null;
}

/** Who gets what of a capture: parts that sum to it exactly. What is wrong is on `splits`. */
export function allocateCapture(capture: SplitCapture): Validated<SplitPart[]> {
  const { amountCents, capturedCents, asked } = capture;
  if (asked !== null && asked.length > 0) {
    const problem = splitProblem(asked, capturedCents);
    return problem === null ? valid(splitAmount(asked, capturedCents)) : invalid('splits', problem);
  }
  if (areFlat(capture.splits) && capturedCents !== amountCents) return needsSplits('captured');
  return valid(splitAmount(capture.splits, capturedCents));
}

/** A refund of a payment, in cents. */
export interface SplitRefund {
  /** Who got what when the money was taken; empty when everything was the company's. */
  readonly captured: readonly SplitPart[];
  /** The parts of every other refund, those under way included. */
  readonly refunded: readonly SplitPart[];
  /** At most what is left: `operationProblem` has seen to it. */
  readonly amountCents: number;
  /** What was asked for with the refund; null or none to spread it. */
  readonly asked: readonly Split[] | null;
}

/**
 * Who gives back what: parts that sum to the refund exactly and never take more than a recipient still holds. Unless
 * something else is asked for, each gives back in proportion to what it holds, so that refunds of any sizes take from
 * everybody exactly what it got once they add up to the whole.
 */
export function allocateRefund(refund: SplitRefund): Validated<SplitPart[]> {
  const { asked, amountCents } = refund;
  const holdings = holdingsOf(refund);
  if (asked !== null && asked.length > 0) return askedParts(asked, holdings, amountCents);
  if (areFlat(holdings) && amountCents !== total(holdings)) return needsSplits('refunded');
  const shares = holdings.map((held) => ({
    weight: held.amountCents,
    takesRemainder: held.chargeRemainderFee,
    most: held.amountCents,
  }));
  const cents = spread(shares, amountCents);
  return valid(holdings.map((holding, index) => ({ ...holding, amountCents: cents[index] ?? 0 })));
}

/** What each recipient got and has not given back. */
function holdingsOf({ captured, refunded }: SplitRefund): SplitPart[] {
  const givenBack = new Map<string, number>();
  for (const { recipientId, amountCents } of refunded) {
    givenBack.set(recipientId, (givenBack.get(recipientId) ?? 0) + amountCents);
  }
  return captured.map((part) => {
    const taken = Math.min(part.amountCents, givenBack.get(part.recipientId) ?? 0);
    givenBack.set(part.recipientId, (givenBack.get(part.recipientId) ?? 0) - taken);
    return { ...part, amountCents: part.amountCents - taken };
  });
}

function askedParts(
  asked: readonly Split[],
  holdings: readonly SplitPart[],
  amountCents: number,
): Validated<SplitPart[]> {
  const problem = splitProblem(asked, amountCents);
  if (problem !== null) return invalid('splits', problem);
  const parts = splitAmount(asked, amountCents);
  const errors: Record<string, string[]> = {};
  for (const [index, { recipientId }] of parts.entries()) {
    const held = heldBy(recipientId, holdings);
    if (heldBy(recipientId, parts) <= held) continue;
    errors[joinPath(joinPath('splits', index), 'amount')] = [
      `is more than the recipient still holds, ${held}`,
    ];
  }
  return Object.keys(errors).length === 0 ? valid(parts) : { valid: false, errors };
}

function heldBy(recipientId: string, parts: readonly SplitPart[]): number {
  return total(parts.filter((part) => part.recipientId === recipientId));
}

function total(parts: readonly SplitPart[]): number {
  return parts.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function areFlat(splits: readonly Pick<Split, 'type'>[]): boolean {
  return splits.some(({ type }) => type === 'flat');
}

function needsSplits(done: 'captured' | 'refunded'): Validated<never> {
  return invalid('splits', `flat splits need the whole amount to be ${done}, or splits for this part of it`);
}

function valid(parts: readonly SplitPart[]): Validated<SplitPart[]> {
  return { valid: true, value: parts.filter(({ amountCents }) => amountCents > 0) };
}

function invalid(path: string, problem: string): Validated<never> {
  return { valid: false, errors: { [path]: [problem] } };
}
