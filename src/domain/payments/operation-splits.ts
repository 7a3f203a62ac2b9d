import { joinPath, type Validated } from '../shared/validation';
import { isPaidLater } from './payment';
import type { PaymentState } from './payment-lifecycle';
import { allocateProportionally, splitAmount, splitProblem, type Split, type SplitAllocation } from './split';

/**
 * Whether the recipients have received their shares. Those of a pix or boleto receive them once its whole amount is paid: a
 * part, also one that an operator accepted, is the company's.
 */
export function haveRecipientsReceived(
  payment: Pick<PaymentState, 'paymentMethod' | 'amountCents' | 'paidAmountCents'>,
): boolean {
  const { paymentMethod, amountCents, paidAmountCents } = payment;
  return !isPaidLater(paymentMethod) || (paidAmountCents ?? 0) >= amountCents;
}

/** A capture of a payment, in cents. */
export interface SplitCapture {
  /** The whole amount of the payment. */
  readonly amountCents: number;
  /** The payment's own splits; empty when the company receives everything. */
  readonly splits: readonly Split[];
  readonly capturedCents: number;
  /** The splits of the capture request; null or empty to use the payment's own. */
  readonly requestedSplits: readonly Split[] | null;
}

/** Allocates a capture to its recipients; the allocations sum to it exactly. Errors are on `splits`. */
export function allocateCapture(capture: SplitCapture): Validated<SplitAllocation[]> {
  const { amountCents, capturedCents, requestedSplits } = capture;
  if (requestedSplits !== null && requestedSplits.length > 0) {
    const problem = splitProblem(requestedSplits, capturedCents);
    return problem === null ? valid(splitAmount(requestedSplits, capturedCents)) : invalid('splits', problem);
  }
  if (areFlat(capture.splits) && capturedCents !== amountCents) return needsSplits('captured');
  return valid(splitAmount(capture.splits, capturedCents));
}

/** A refund of a payment, in cents. */
export interface SplitRefund {
  /** The allocations of the capture; empty when the company received everything. */
  readonly captured: readonly SplitAllocation[];
  /** The allocations of every other refund, including unfinished ones. */
  readonly refunded: readonly SplitAllocation[];
  /** At most what is left to refund; `operationProblem` has checked it. */
  readonly amountCents: number;
  /** The splits of the refund request; null or empty to refund in proportion. */
  readonly requestedSplits: readonly Split[] | null;
}

/**
 * Allocates a refund to its recipients. The allocations sum to the refund exactly and never exceed what a recipient still
 * holds. Without requested splits each recipient refunds in proportion to its holding, so that refunds that add up to the
 * whole take from each recipient exactly what it received.
 */
export function allocateRefund(refund: SplitRefund): Validated<SplitAllocation[]> {
  const { requestedSplits, amountCents } = refund;
  const holdings = holdingsOf(refund);
  if (requestedSplits !== null && requestedSplits.length > 0)
    return allocateRequested(requestedSplits, holdings, amountCents);
  if (areFlat(holdings) && amountCents !== total(holdings)) return needsSplits('refunded');
  const shares = holdings.map((held) => ({
    weight: held.amountCents,
    takesRemainder: held.chargeRemainderFee,
    maxCents: held.amountCents,
  }));
  const cents = allocateProportionally(shares, amountCents);
  return valid(holdings.map((holding, index) => ({ ...holding, amountCents: cents[index] ?? 0 })));
}

/** What each recipient received and has not refunded. */
function holdingsOf({ captured, refunded }: SplitRefund): SplitAllocation[] {
  const refundedCents = new Map<string, number>();
  for (const { recipientId, amountCents } of refunded) {
    refundedCents.set(recipientId, (refundedCents.get(recipientId) ?? 0) + amountCents);
  }
  return captured.map((allocation) => {
    const { recipientId } = allocation;
    const alreadyRefunded = refundedCents.get(recipientId) ?? 0;
    const deductedCents = Math.min(allocation.amountCents, alreadyRefunded);
    refundedCents.set(recipientId, alreadyRefunded - deductedCents);
    return { ...allocation, amountCents: allocation.amountCents - deductedCents };
  });
}

function allocateRequested(
  requestedSplits: readonly Split[],
  holdings: readonly SplitAllocation[],
  amountCents: number,
): Validated<SplitAllocation[]> {
  const problem = splitProblem(requestedSplits, amountCents);
  if (problem !== null) return invalid('splits', problem);
  const allocations = splitAmount(requestedSplits, amountCents);
  const errors: Record<string, string[]> = {};
  for (const [index, { recipientId }] of allocations.entries()) {
    const held = heldBy(recipientId, holdings);
    if (heldBy(recipientId, allocations) <= held) continue;
    errors[joinPath(joinPath('splits', index), 'amount')] = [
      `is more than the recipient still holds, ${held} cents`,
    ];
  }
  return Object.keys(errors).length === 0 ? valid(allocations) : { valid: false, errors };
}

function heldBy(recipientId: string, allocations: readonly SplitAllocation[]): number {
  return total(allocations.filter((allocation) => allocation.recipientId === recipientId));
}

function total(allocations: readonly SplitAllocation[]): number {
  return allocations.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

function areFlat(splits: readonly Pick<Split, 'type'>[]): boolean {
  return splits.some(({ type }) => type === 'flat');
}

function needsSplits(verb: 'captured' | 'refunded'): Validated<never> {
  return invalid('splits', `flat splits need the whole amount to be ${verb}, or splits for this part of it`);
}

function valid(allocations: readonly SplitAllocation[]): Validated<SplitAllocation[]> {
  return { valid: true, value: allocations.filter(({ amountCents }) => amountCents > 0) };
}

function invalid(path: string, problem: string): Validated<never> {
  return { valid: false, errors: { [path]: [problem] } };
}
