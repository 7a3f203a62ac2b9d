import type { FoundOperation } from '../../../src/domain/payments/charge-discrepancy';
import type { Tx } from '../../../src/persistence/sql/transaction';
import type { ReportedOperation } from '../../../src/domain/payments/restored/reported-charge';
import type { PaymentDeps } from '../payment-deps';
import type { PaymentContext } from '../payment-step';

/** `reference` is ours of the request that made it, if a restore lost it; null if nobody requested it here. */
export type NamedOperation = FoundOperation & { readonly reference: string | null };

/**
 * Divides what was found at a gateway into the operations that its report after a restore names, and the rest. A repeated request finds
 * its operation by the reference.
 */
export async function nameFound(
  deps: PaymentDeps,
  tx: Tx,
  { payment, attempts }: PaymentContext,
  found: readonly FoundOperation[],
): Promise<NamedOperation[]> {
  const { operations } = deps.restoreState.hasImportedCharges
    ? await deps.restoredCharges.findOperations(tx, payment.transactionId)
    : { operations: [] };
  const unrecorded = operations.filter(
    ({ reference }) => !attempts.some((attempt) => attempt.reference === reference),
  );
  return found.flatMap((each) => named(each, unrecorded));
}

function named(found: FoundOperation, reported: readonly ReportedOperation[]): NamedOperation[] {
  const own = reported.filter(({ operation }) => operation === found.operation);
  if (found.operation !== 'refund') {
    const [made] = own.filter(
      ({ amountCents }) => found.operation === 'cancel' || amountCents === found.amountCents,
    );
    return [
      { ...found, needsReview: found.needsReview && made === undefined, reference: made?.reference ?? null },
    ];
  }
  // A refund of what was paid beyond the amount, which nobody can request here.
  if (found.fact?.kind !== 'refunded' || found.fact.amountCents !== found.amountCents)
    return [{ ...found, reference: null }];
  let left = found.amountCents;
  const refunds = own.flatMap(({ reference, amountCents }): NamedOperation[] => {
    if (amountCents > left) return [];
    left -= amountCents;
    return [
      { ...found, amountCents, fact: { kind: 'refunded', amountCents }, needsReview: false, reference },
    ];
  });
  if (left === 0) return refunds;
  return [
    ...refunds,
    { ...found, amountCents: left, fact: { kind: 'refunded', amountCents: left }, reference: null },
  ];
}
