import { allocateProportionally, type SplitAllocation } from '../payments/split';
import { isDecided, type Dispute } from './dispute';

type DisputeMoney = Pick<Dispute, 'kind' | 'status' | 'amountCents' | 'returnedCents'>;

/** What the gateway holds until the dispute is decided. A retrieval takes no money. */
export function heldCents(dispute: DisputeMoney): number {
  return isDecided(dispute) || dispute.kind === 'retrieval' ? 0 : dispute.amountCents;
}

/** What the customer has got by the dispute. */
export function lostCents(dispute: DisputeMoney): number {
  if (!isDecided(dispute) || dispute.kind === 'retrieval') return 0;
  return dispute.amountCents - dispute.returnedCents;
}

/** What cannot be refunded because of the dispute: what the customer may still get by it, or has got. */
export function disputedCents(dispute: DisputeMoney): number {
  return isDecided(dispute) ? lostCents(dispute) : dispute.amountCents;
}

/** What of a payment the customer has got twice, by refunds and by disputes: a loss that somebody must settle. */
export function lossToSettleCents(payment: {
  readonly capturedAmountCents: number;
  readonly refundedAmountCents: number;
  readonly disputedAmountCents: number;
}): number {
  const { capturedAmountCents, refundedAmountCents, disputedAmountCents } = payment;
  const twiceCents = refundedAmountCents + disputedAmountCents - capturedAmountCents;
  // A dispute may be known before its charge is: only what was refunded can be a second time.
  return Math.max(0, Math.min(twiceCents, refundedAmountCents));
}

/** What each liable recipient bears of a loss: in proportion to its share of what was captured. */
export function borneShares(captured: readonly SplitAllocation[], lost: number): SplitAllocation[] {
  if (lost === 0 || captured.every(({ liable }) => !liable)) return [];
  const shares = captured.map(({ amountCents, chargeRemainderFee }) => ({
    weight: amountCents,
    takesRemainder: chargeRemainderFee,
    maxCents: lost,
  }));
  const cents = allocateProportionally(shares, lost);
  return captured
    .map((share, index) => ({ ...share, amountCents: cents[index] ?? 0 }))
    .filter(({ liable, amountCents }) => liable && amountCents > 0);
}
