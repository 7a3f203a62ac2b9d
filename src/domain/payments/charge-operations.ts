import type { AttemptOperation, AttemptPurpose, AttemptStatus } from './payment';
import type { OpenOperations } from './payment-operation';

/** A gateway operation as far as its payment's state is concerned. */
interface Operation {
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly status: AttemptStatus;
  readonly amountCents: number;
}

/** The charge that holds the customer's money, or will: there is one at most. */
export function activeCharge<A extends Operation>(attempts: readonly A[]): A | null {
  const live = ({ operation, status }: A): boolean =>
    (operation === 'charge' || operation === 'authorize') &&
    (status === 'approved' || status === 'authorized' || status === 'pending');
  return attempts.find(live) ?? null;
}

/**
 * What is under way on a payment. Reversals are left out: they give back charges that the payment does not count.
 */
export function openOperations(
  attempts: readonly Operation[],
): Pick<OpenOperations, 'captureOrCancel' | 'refundingCents'> {
  const open = attempts.filter(
    ({ purpose, status }) =>
      purpose !== 'reversal' && (status === 'requested' || status === 'sent' || status === 'unknown'),
  );
  const kinds = open.map(({ operation }) => operation);
  return {
    captureOrCancel: kinds.find((kind) => kind === 'capture' || kind === 'cancel') ?? null,
    refundingCents: open
      .filter(({ operation }) => operation === 'refund')
      .reduce((sum, { amountCents }) => sum + amountCents, 0),
  };
}
