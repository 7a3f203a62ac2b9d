import { identityOf } from '../../domain/customers/customer';
import { ApiError, notFound } from '../../domain/shared/errors';
import type {
  CustomerErasureRepository,
  UnfinishedBusiness,
} from '../../persistence/customers/customer-erasure-repository';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { CustomerRef } from './customer-cards';

export interface EraseCustomerDeps {
  readonly db: Database;
  readonly customers: CustomerRepository;
  readonly customerErasure: CustomerErasureRepository;
  readonly now: () => Date;
}

/**
 * Erases a customer's personal data for good (docs/decisions/personal-data.md).
 *
 * @throws ApiError `not_found`; `invalid_state` while a subscription, a payment or a dispute of the customer is not finished
 */
export async function eraseCustomer(
  deps: EraseCustomerDeps,
  { companyId, token }: CustomerRef,
): Promise<void> {
  const { db, customers, customerErasure, now } = deps;
  const known = await customerErasure.find(companyId, token);
  // First without locks: a payment in progress takes the same locks in another order.
  if (known !== null) await assertFinished(deps, known);
  const customer = await customers.findByToken(companyId, token);
  const hashes = customer === null ? [] : customers.documentHashes(companyId, identityOf(customer));
  await db.inTransaction(async (tx) => {
    const id = await customerErasure.lock(tx, companyId, token, hashes);
    if (id === null) throw notFound();
    await assertFinished(deps, id, tx);
    await customerErasure.erase(tx, id, hashes, now());
  });
}

async function assertFinished(
  { customerErasure }: EraseCustomerDeps,
  customerId: number,
  tx?: Tx,
): Promise<void> {
  const unfinished = await customerErasure.findUnfinished(customerId, tx);
  if (unfinished !== null) throw notFinished(unfinished);
}

function notFinished({ kind, id }: UnfinishedBusiness): ApiError {
  const message = {
    subscription: `The customer has the subscription ${id}. Cancel it first.`,
    payment: `The payment ${id} of the customer is in progress. Try again when it is finished.`,
    dispute: `The dispute ${id} of the customer is open. Try again when it is decided.`,
  }[kind];
  return new ApiError('invalid_state', message, undefined, undefined, {}, id);
}
