import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { RestoreState } from '../../src/persistence/restore/restore-state';

/** Long, because each retry is an entry in a history, and a restore may take hours. */
const RETRY_AFTER_MS = 15_000;

/**
 * Has the step repeated later while the database is being restored: until the gateways' operations are imported, what is to be sent
 * may have been sent already.
 *
 * @throws ApplicationFailure which is retried
 */
export function waitForRestore(restoreState: Pick<RestoreState, 'isInProgress'>): void {
  if (!restoreState.isInProgress) return;
  throw ApplicationFailure.create({
    type: 'RestoreInProgress',
    message: 'nothing is sent while the database is being restored',
    category: ApplicationFailureCategory.BENIGN,
    nextRetryDelay: RETRY_AFTER_MS,
  });
}
