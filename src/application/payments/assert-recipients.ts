import { validationError } from '../../domain/shared/errors';
import type { Split } from '../../domain/payments/split';
import type { SubAccountRepository } from '../../persistence/gateways/sub-account-repository';
import type { Tx } from '../../persistence/sql/transaction';

/** @throws ApiError `validation_error` for every split whose recipient does not belong to the company */
export async function assertRecipients(
  subAccounts: Pick<SubAccountRepository, 'findRecipientIds'>,
  companyId: number,
  splits: readonly Split[] | null,
  tx: Tx,
): Promise<void> {
  if (splits === null || splits.length === 0) return;
  const recipientIds = splits.map(({ recipientId }) => recipientId);
  const known = await subAccounts.findRecipientIds(companyId, recipientIds, tx);
  const unknown = recipientIds.flatMap((id, index) => (known.has(id) ? [] : [index]));
  if (unknown.length === 0) return;
  const errors = unknown.map((index) => [`splits.${index}.recipient_id`, ['names no recipient of yours']]);
  throw validationError(Object.fromEntries(errors) as Record<string, string[]>);
}
