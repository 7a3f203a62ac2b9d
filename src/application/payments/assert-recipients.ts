import { validationError } from '../../domain/shared/errors';
import type { Split } from '../../domain/payments/split';
import type { SubAccountRepository } from '../../persistence/gateways/sub-account-repository';
import type { Tx } from '../../persistence/sql/transaction';

/** @throws ApiError `validation_error`, naming every split whose recipient is not the company's */
export async function assertRecipients(
  subAccounts: Pick<SubAccountRepository, 'knownRecipientIds'>,
  companyId: number,
  splits: readonly Split[] | null,
  tx: Tx,
): Promise<void> {
  if (splits === null || splits.length === 0) return;
  const recipientIds = splits.map(({ recipientId }) => recipientId);
  const known = await subAccounts.knownRecipientIds(companyId, recipientIds, tx);
  const unknown = recipientIds.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (unknown.length === 0) return;
  const faults = unknown.map((index) => [`splits.${index}.recipient_id`, ['names no recipient of yours']]);
  throw validationError(Object.fromEntries(faults) as Record<string, string[]>);
}
