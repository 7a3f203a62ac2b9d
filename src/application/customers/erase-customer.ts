import { ApiError, notFound } from '../../domain/shared/errors';
import type {
  CustomerErasureRepository,
  UnfinishedBusiness,
} from '../../persistence/customers/customer-erasure-repository';
import type { Database } from '../../persistence/sql/transaction';
import type { CustomerRef } from './customer-cards';

export interface EraseCustomerDeps {
  readonly db: Database;
  readonly customerErasure: CustomerErasureRepository;
  readonly now: () => Date;
}

/**
 * Erases a customer's personal data for good (docs/decisions/personal-data.md).
 *
 * @throws ApiError `not_found`; `invalid_state` while a subscription or a payment of the customer is not finished
 */
export async function eraseCustomer(
  { db, customerErasure, now }: EraseCustomerDeps,
  { companyId, token }: CustomerRef,
): Promise<void> {
  await db.inTransaction(async (tx) => {
    const id = await customerErasure.lock(tx, companyId, token);
    if (id === null) throw notFound();
    const unfinished = await customerErasure.findUnfinished(tx, id);
    if (unfinished !== null) throw notFinished(unfinished);
    await customerErasure.erase(tx, id, now());
  });
}

function notFinished({ kind, id }: UnfinishedBusiness): ApiError {
  const message =
    kind === 'subscription'
      ? `The customer has the subscription ${id}. Cancel it first.`
      : `The payment ${id} of the customer is in progress. Try again when it is finished.`;
  return new ApiError('invalid_state', message, undefined, undefined, {}, id);
}
