import { awaitsReview } from '../../domain/payments/charge-operations';
import { attemptReference } from '../../domain/payments/payment';
import type { PaymentOperation } from '../../domain/payments/payment-operation';
import { ApiError } from '../../domain/shared/errors';
import type {
  AttemptRecord,
  GatewayAttemptRepository,
} from '../../persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../persistence/payments/payment-repository';
import type { GatewayCallbackRepository } from '../../persistence/payments/gateway-callback-repository';
import type { RestoreState } from '../../persistence/restore/restore-state';
import type { RestoredChargeRepository } from '../../persistence/restore/restored-charge-repository';
import type { Tx } from '../../persistence/sql/transaction';
import type { PaymentWithAttempts } from './find-payment';

export interface AssertRestoredDeps {
  readonly restoreState: Pick<RestoreState, 'hasImportedCharges'>;
  readonly restoredCharges: Pick<RestoredChargeRepository, 'findOperations'>;
  readonly attempts: Pick<GatewayAttemptRepository, 'listByTransaction'>;
  readonly callbacks: Pick<GatewayCallbackRepository, 'awaitsRestoredReport'>;
}

interface RequestedOperation {
  readonly operation: PaymentOperation;
  /** Of the request's idempotency key, by each secret. Empty without a key. */
  readonly numbers: readonly number[];
}

const RETRY_AFTER_SECONDS = 5;

/**
 * The operation that was made for the same request before a restore, which lost its key, and was found at the gateway. Undefined without
 * one.
 */
export async function findMadeBeforeRestore(
  { restoreState, attempts }: AssertRestoredDeps,
  tx: Tx,
  { transactionId }: Pick<PaymentRecord, 'transactionId'>,
  { operation, numbers }: RequestedOperation,
): Promise<AttemptRecord | undefined> {
  if (!restoreState.hasImportedCharges) return undefined;
  const made = await attempts.listByTransaction(transactionId, tx);
  return made.find(({ attempt, reference }) =>
    numbers.some((number) => reference === attemptReference(transactionId, attempt, operation, number)),
  );
}

/**
 * Refuses an operation that the gateway may have carried out before a restore, as long as the records of the payment do not show it. The payment's state allows it.
 *
 * @throws ApiError `restore_in_progress`: the report is to be recorded; `invalid_state`: a person must look at it first
 */
export async function assertRestored(
  deps: AssertRestoredDeps,
  tx: Tx,
  { payment, attempts }: PaymentWithAttempts,
  { operation, numbers }: RequestedOperation,
): Promise<void> {
  if (!deps.restoreState.hasImportedCharges) return;
  if (await deps.callbacks.awaitsRestoredReport(payment.id, tx)) throw notRecorded();
  const imported = await deps.restoredCharges.findOperations(tx, payment.transactionId);
  const isOfRequest = ({ reference }: { readonly reference: string }) =>
    numbers.some((number) => reference.endsWith(`-${operation}-${number}`));
  if (imported.operations.some(isOfRequest)) throw notRecorded();
  const found = attempts.some((made) => made.operation === operation && awaitsReview(made));
  if (found && imported.isIncomplete)
    throw new ApiError(
      'invalid_state',
      `A ${operation} that was made before a restore was found at the gateway. A person must review it, because it may be this one.`,
    );
}

function notRecorded(): ApiError {
  const message =
    'What the gateway carried out before a restore is being recorded. Send the request again later.';
  return new ApiError('restore_in_progress', message, undefined, RETRY_AFTER_SECONDS);
}
