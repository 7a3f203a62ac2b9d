import type { AttemptOperation, AttemptPurpose, AttemptStatus } from './payment';
import type { OperationConditions } from './payment-operation';
import type { SplitAllocation } from './split';

/** The fields of an attempt that affect the state of its payment. */
interface AttemptState {
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly amountCents: number;
}

/** The charge that holds the customer's money or waits for it. A payment has at most one. */
export function activeCharge<A extends AttemptState>(attempts: readonly A[]): A | null {
  const isActive = ({ operation, status }: A): boolean =>
    (operation === 'charge' || operation === 'authorize') &&
    (status === 'approved' || status === 'authorized' || status === 'pending');
  return attempts.find(isActive) ?? null;
}

/** Each recipient's share of what was captured: of the separate capture, or of the charge if it captured at once. */
export function capturedSplits(
  attempts: ReadonlyArray<AttemptState & { readonly splits: readonly SplitAllocation[] | null }>,
): readonly SplitAllocation[] {
  const capture = attempts.find(({ operation, status }) => operation === 'capture' && status === 'approved');
  if (capture !== undefined) return capture.splits ?? [];
  return activeCharge(attempts)?.splits ?? [];
}

/** Whether a person must still look at what an inquiry has found at the gateway. */
export function awaitsReview(attempt: {
  readonly purpose: AttemptPurpose;
  readonly escalatedAt: Date | null;
}): boolean {
  return attempt.purpose === 'found_at_gateway' && attempt.escalatedAt !== null;
}

/** Whether it is a report of the gateway that contradicted the records, and the gateway has not agreed with them since. */
export function isContradiction({
  operation,
  purpose,
  agreedAt,
}: Pick<AttemptState, 'operation' | 'purpose'> & { readonly agreedAt: Date | null }): boolean {
  return operation === 'inquiry' && purpose === 'found_at_gateway' && agreedAt === null;
}

/** The sum of a charge's refunds, in cents, wherever they were requested. */
export function refundedCentsOf(
  attempts: ReadonlyArray<AttemptState & { readonly targetAttemptId: string | null }>,
  chargeId: string,
): number {
  return attempts
    .filter(({ operation, status }) => operation === 'refund' && status === 'refunded')
    .filter(({ targetAttemptId, purpose }) => targetAttemptId === chargeId && purpose !== 'reversal')
    .reduce((sum, { amountCents }) => sum + amountCents, 0);
}

/** Whether an attempt is still to be sent, or has no result. */
export function isUnfinished({ status }: Pick<AttemptState, 'status'>): boolean {
  return status === 'requested' || status === 'sent' || status === 'unknown' || isAccepted({ status });
}

/** Whether its gateway certainly has it and gives a result later. */
export function isAccepted({ status }: Pick<AttemptState, 'status'>): boolean {
  return status === 'accepted';
}

/**
 * The unfinished operations on a payment. Reversals are left out: they return charges that are not part of its amounts.
 */
export function openOperations(
  attempts: readonly AttemptState[],
): Pick<OperationConditions, 'captureOrCancel' | 'refundingCents'> {
  const open = attempts.filter((attempt) => attempt.purpose !== 'reversal' && isUnfinished(attempt));
  const kinds = open.map(({ operation }) => operation);
  return {
    captureOrCancel: kinds.find((kind) => kind === 'capture' || kind === 'cancel') ?? null,
    refundingCents: open
      .filter(({ operation }) => operation === 'refund')
      .reduce((sum, { amountCents }) => sum + amountCents, 0),
  };
}
